import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyze, ANALYZER, MAX_TOKEN_LENGTH, nameWords } from '../../src/query/analyzer.js'
import { ftsText, matchExpression, MAX_QUERY_TOKENS, queryTokens } from '../../src/query/match-expression.js'

const word = fc.string({ unit: 'grapheme', maxLength: 40 })

describe('analyze', () => {
  test.each([
    { name: 'case and accents', text: 'Zoë ÉCOLE Ångström', tokens: ['zoe', 'ecole', 'angstrom', 'angst'] },
    { name: 'sharp s and final sigma', text: 'Straße ΟΔΟΣ οδός', tokens: ['strasse', 'stras', 'οδοσ', 'οδοσ'] },
    { name: 'Cyrillic accents', text: 'ёлка йод', tokens: ['елка', 'иод'] },
    { name: 'letters with a stroke', text: 'Łódź smørbrød', tokens: ['lodz', 'smorbrod', 'smorb'] },
    { name: 'Turkish i', text: 'İstanbul ısı', tokens: ['istanbul', 'istan', 'isi'] },
    { name: 'kana keeps its voicing', text: 'が', tokens: ['が'] },
    { name: 'full width', text: 'ＡＢＣ １２', tokens: ['abc', '12'] },
    { name: 'an invoice number', text: 'INV-2024-00917', tokens: ['inv-2024-00917', 'inv', '2024', '00917'] },
    { name: 'a file name', text: 'foo_bar.ts', tokens: ['foo_bar.ts', 'foo', 'bar', 'ts'] },
    { name: 'a call', text: 'foo_bar(x)', tokens: ['foo_bar', 'foo', 'bar', 'x'] },
    { name: 'names within a call', text: 'foo(a_b,c)', tokens: ['a_b,c', 'foo', 'a', 'b', 'c'] },
    { name: 'a name in an index', text: 'rows[foo_bar.id]', tokens: ['foo_bar.id', 'rows', 'foo', 'bar', 'id'] },
    { name: 'a name quoted in a call', text: 'say("foo-bar")', tokens: ['foo-bar', 'say', 'foo', 'bar'] },
    {
      name: 'a type of types',
      text: 'std::vector<int_t>',
      tokens: ['std::vector', 'int_t', 'std', 'vector', 'vecto', 'int', 't'],
    },
    { name: 'full-width brackets', text: 'foo_bar（x）', tokens: ['foo_bar', 'foo', 'bar', 'x'] },
    { name: 'C++', text: 'C++', tokens: ['c++', 'c'] },
    { name: 'a version', text: '1.0.21', tokens: ['1.0.21', '1', '0', '21'] },
    { name: 'a handle', text: '@nasa', tokens: ['@nasa', 'nasa'] },
    { name: 'a unit', text: 'GB/s', tokens: ['gb/s', 'gb', 's'] },
    { name: 'an assignment', text: 'a=b', tokens: ['a=b', 'a', 'b'] },
    { name: 'a column', text: 'col:val', tokens: ['col:val', 'col', 'val'] },
    { name: 'a share', text: '50%', tokens: ['50%', '50'] },
    { name: 'either apostrophe', text: "it's it’s", tokens: ["it's", 'it', 's', "it's", 'it', 's'] },
    {
      name: 'Greek varia and oxia as apostrophes',
      text: 'a\u{1FEF}b a\u{1FFD}b',
      tokens: ["a'b", 'a', 'b', "a'b", 'a', 'b'],
    },
    { name: 'punctuation around a word', text: '(why?) "yes,"', tokens: ['why', 'yes'] },
    { name: 'marks alone', text: '* ?! —', tokens: ['*', '?!', '—'] },
    { name: 'a long word also by its beginning', text: 'painting', tokens: ['painting', 'paint'] },
    {
      name: 'Hangul by syllable and pair',
      text: '서울에서',
      tokens: ['서울에서', '서울', '울에', '에서', '서', '울', '에', '서'],
    },
    { name: 'emoji', text: 'great👍🏽', tokens: ['👍🏽', '👍', 'great'] },
    { name: 'a family and a flag', text: '👨‍👩‍👧🇩🇪', tokens: ['👨‍👩‍👧', '👨', '👩', '👧', '🇩🇪'] },
    { name: 'a heart with and without its selector', text: '❤️ ❤', tokens: ['❤', '❤'] },
    { name: 'NUL parts words', text: 'a\0b', tokens: ['a', 'b'] },
    { name: 'a noncharacter parts words', text: 'a\u{FDD0}b', tokens: ['a', 'b'] },
    { name: 'a joiner inside a Persian word', text: 'می‌خواهم', tokens: ['میخواهم', 'میخوا'] },
    { name: 'nothing', text: ' \n\0 ', tokens: [] },
  ])('$name', ({ text, tokens }) => expect(analyze(text)).toEqual(tokens))

  test.each([
    { text: '今日はしりとりをした。', has: ['今日', '今', '日', 'し', 'り', 'と'] },
    { text: '这个成语很有名', has: ['成语', '成', '语'] },
    { text: 'ฉันดื่มกาแฟทุกวัน', has: ['กาแฟ', 'ก'] },
    { text: 'ຂ້ອຍດື່ມກາເຟ', has: ['ກ'] },
    { text: 'ខ្ញុំផឹកកាហ្វេ', has: ['កា'] },
    { text: 'ကော်ဖီသောက်တယ်', has: ['ကော်ဖီ'] },
    { text: '3年前にiPhone15を買った', has: ['3', '年', 'iphone15'] },
  ])('parts $text by word and by character', ({ text, has }) =>
    expect(analyze(text)).toEqual(expect.arrayContaining(has)),
  )

  test('a word stays one token up to 64 code points and counts by its beginning above', () => {
    for (const [length, kept] of [
      [MAX_TOKEN_LENGTH - 1, MAX_TOKEN_LENGTH - 1],
      [MAX_TOKEN_LENGTH, MAX_TOKEN_LENGTH],
      [MAX_TOKEN_LENGTH + 1, MAX_TOKEN_LENGTH],
    ] as const)
      expect(analyze('7'.repeat(length))).toEqual(['7'.repeat(kept)])
    expect(Array.from(analyze('𝒜1'.repeat(50))[0] ?? '')).toHaveLength(MAX_TOKEN_LENGTH)
  })

  test('looks at the first 20,000 units', () => {
    expect(analyze(`${' '.repeat(19_999)}x y`)).toEqual(['x'])
  })

  test('the cost is linear: a run of marks inside a word is walked through once', () => {
    // Backtracking would make four hundred million steps of it.
    const begun = performance.now()
    for (const mark of ['!', "'", '´', '(']) analyze(`a${mark.repeat(19_998)}a`)
    expect(performance.now() - begun).toBeLessThan(1_000)
  })

  test('names itself with its version, Unicode and ICU', () => {
    expect(ANALYZER).toBe(`words-4 unicode-${process.versions['unicode']} icu-${process.versions['icu']}`)
  })

  test('any text, lone surrogates too, gives tokens that FTS5 does not part', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          word,
          fc.string({ unit: 'binary' }),
          fc.string({ unit: fc.constantFrom('\ud800', '\udc00', 'a', '"', '´') }),
        ),
        (text) => {
          for (const token of analyze(text)) {
            expect(token).not.toBe('')
            expect(token).not.toMatch(/[\s\0\u{FDD0}]|\p{Cs}/u)
            expect(ftsText([token])).not.toMatch(/[\0-/:-@[-`{-\x7f]/)
          }
        },
      ),
      { numRuns: 500 },
    ))

  test('a sign that is an emoji with a stroke when taken apart is one sign in both normal forms', () => {
    expect(analyze('\u2194\u0338')).toEqual(analyze('\u21AE'))
  })

  test('every character that has another normal form, alone and in a word, gives the same tokens in each', () => {
    const different: string[] = []
    for (let code = 0; code < 0x3_0000; code++) {
      const character = code >= 0xd800 && code < 0xe000 ? '' : String.fromCodePoint(code)
      const forms = [character, character.normalize('NFC'), character.normalize('NFD')]
      if (new Set(forms).size === 1) continue
      for (const place of ['', 'a']) {
        const tokens = forms.map((form) => analyze(place + form + place).join(' '))
        if (new Set(tokens).size > 1) different.push(`${place}U+${code.toString(16)}`)
      }
    }
    expect(different).toEqual([])
  })

  test('what is said is what is found: upper case and another normal form give the same tokens', () =>
    fc.assert(
      fc.property(word, (text) => {
        expect(analyze(text.normalize('NFD'))).toEqual(analyze(text.normalize('NFC')))
        expect(analyze(text.normalize('NFC'))).toEqual(analyze(text))
      }),
      { numRuns: 300 },
    ))
})

describe('nameWords', () => {
  test.each([
    { name: 'Zoë van Dijk', words: ['zoe', 'van', 'dijk'] },
    { name: 'Caroline', words: ['caroline'] },
    { name: "O'Brien", words: ['o', 'brien'] },
    { name: '김민수', words: ['김민수'] },
    { name: '', words: [] },
  ])('$name', ({ name, words }) => expect(nameWords(name)).toEqual(words))
})

describe('the MATCH expression', () => {
  test('quotes every token, so that nothing is syntax', () => {
    expect(matchExpression(analyze('NEAR(a b) NOT "x'), [])).toBe('("near" OR "a" OR "b" OR "not" OR "x")')
  })
  test('adds what is required', () => {
    expect(matchExpression(['a'], [['t1', 't2'], ['u']])).toBe('("t1" OR "t2") AND ("u") AND ("a")')
    expect(matchExpression([], [['t1']])).toBe('("t1")')
  })
  test('each token counts once, the first 64 of them', () => {
    const many = Array.from({ length: MAX_QUERY_TOKENS + 1 }, (_, n) => `w${n}`)
    expect(queryTokens(['a', 'b', 'a'])).toEqual(['a', 'b'])
    expect(queryTokens(many.slice(1))).toHaveLength(MAX_QUERY_TOKENS)
    expect(queryTokens(many)).toEqual(many.slice(0, MAX_QUERY_TOKENS))
  })
})
