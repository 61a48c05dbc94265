import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { possibleIds } from '../../src/query/entity-ids.js'
import { MAX_NAME_TOKENS, namesIn } from '../../src/query/names-in.js'
import { nameKey, nameTokens } from '../../src/query/name-tokens.js'

/** The names, of these, that a text holds, by a look at all of them. */
function named(names: readonly string[], text: string): string[] {
  const keys = new Map(names.map((name) => [nameKey(name), name]))
  const found = namesIn(nameTokens(text), (key) => ({
    isName: keys.has(key),
    isBeginning: [...keys.keys()].some((other) => other.startsWith(`${key} `)),
  }))
  return found.map((key) => keys.get(key) ?? '')
}

describe('a name in a text', () => {
  test.each([
    { name: 'one word', names: ['Ana'], text: 'What does Ana drink?', found: ['Ana'] },
    { name: 'several words', names: ['Ana López'], text: 'Ask Ana López about it.', found: ['Ana López'] },
    { name: 'case and accents', names: ['Ana López'], text: 'ANA LOPEZ called', found: ['Ana López'] },
    { name: 'accents in the text only', names: ['Zoe'], text: 'Zoë called', found: ['Zoe'] },
    { name: 'a possessive', names: ['Ana'], text: "Ana's brother", found: ['Ana'] },
    { name: 'a typographic possessive', names: ['Ana'], text: 'Ana’s brother', found: ['Ana'] },
    { name: 'a beginning alone', names: ['Ana López'], text: 'Ana called', found: [] },
    { name: 'a part of a word', names: ['Ana'], text: 'banana, Anastasia', found: [] },
    { name: 'a name in a longer one', names: ['Ana', 'Ana López'], text: 'Ana López called', found: ['Ana López'] },
    { name: 'both, apart', names: ['Ana', 'Ana López'], text: 'Ana López met Ana', found: ['Ana López', 'Ana'] },
    { name: 'a name in the middle of a longer one', names: ['de la', 'Ana de la Cruz'], text: 'Ana de la Cruz', found: ['Ana de la Cruz'] }, // prettier-ignore
    { name: 'names that overlap', names: ['Ana Maria', 'Maria López'], text: 'Ana Maria López', found: ['Ana Maria', 'Maria López'] }, // prettier-ignore
    { name: 'the order of the text', names: ['Ana', 'Bob'], text: 'Bob and Ana and Bob', found: ['Bob', 'Ana'] },
    { name: 'a word twice', names: ['Duran Duran', 'Duran'], text: 'Duran Duran plays', found: ['Duran Duran'] },
    { name: 'a repeated word that stands once', names: ['Duran Duran'], text: 'Duran plays', found: [] },
    { name: 'marks in the name', names: ['Dr. J. R. O’Neil-Smith'], text: "dr j r o'neil smith came", found: ['Dr. J. R. O’Neil-Smith'] }, // prettier-ignore
    { name: 'brackets and quotes', names: ['Acme (Germany)'], text: '"Acme" Germany', found: ['Acme (Germany)'] },
    { name: 'words parted by a comma', names: ['Ana Lopez'], text: 'Ana, Lopez and I', found: [] },
    { name: 'a comma that is in the name', names: ['Lopez, Ana'], text: 'File of Lopez, Ana', found: ['Lopez, Ana'] },
    { name: 'words on two lines', names: ['Ana Lopez'], text: 'Ana\nLopez', found: [] },
    { name: 'a mark at the end of a name', names: ['Yahoo!'], text: 'Yahoo is down', found: ['Yahoo!'] },
    {
      name: 'signs that make a name',
      names: ['C', 'C++', 'C#'],
      text: 'C++ or C# or plan C',
      found: ['C++', 'C#', 'C'],
    },
    { name: 'a sign that is none of the name', names: ['C++'], text: 'plan C', found: [] },
    { name: 'digits', names: ['Studio 54'], text: 'at studio 54', found: ['Studio 54'] },
    { name: 'Chinese without spaces', names: ['李小龙'], text: '昨天我见到李小龙了', found: ['李小龙'] },
    { name: 'a Chinese surname within a name', names: ['李', '李小龙'], text: '李小龙喜欢喝茶', found: ['李小龙'] },
    { name: 'a single character of a run', names: ['李'], text: '李小龙喜欢喝茶', found: [] },
    { name: 'a single character that stands alone', names: ['李'], text: '请问 李 在吗', found: ['李'] },
    { name: 'characters across a word of the dictionary', names: ['国王喝'], text: '国王喝茶', found: [] },
    { name: 'Japanese without spaces', names: ['田中太郎'], text: '私は田中太郎さんに会った', found: ['田中太郎'] },
    {
      name: 'Japanese, the name with a space',
      names: ['田中 太郎'],
      text: '私は田中太郎さんに会った',
      found: ['田中 太郎'],
    },
    {
      name: 'kana with a middle dot',
      names: ['アナ・ロペス'],
      text: '昨日アナ・ロペスが来た',
      found: ['アナ・ロペス'],
    },
    { name: 'kana within a longer word', names: ['マリア'], text: 'マリアナ海溝', found: [] },
    { name: 'half-width kana', names: ['アナ'], text: '明日はｱﾅさんと', found: ['アナ'] },
    { name: 'Thai without spaces', names: ['สมชาย'], text: 'ฉันเจอสมชายเมื่อวาน', found: ['สมชาย'] },
    { name: 'a Thai name of two words of the dictionary', names: ['ณัฐวุฒิ'], text: 'คุณณัฐวุฒิมาแล้ว', found: ['ณัฐวุฒิ'] },
    { name: 'Korean with a particle', names: ['민수'], text: '민수는 차를 마신다', found: ['민수'] },
    { name: 'Korean with address and particle', names: ['김민수'], text: '김민수씨에게 물어봐', found: ['김민수'] },
    { name: 'the beginning of a Korean name', names: ['김민'], text: '김민수는 왔다', found: [] },
    { name: 'Cyrillic', names: ['Анна Иванова'], text: 'Вчера АННА ИВАНОВА звонила', found: ['Анна Иванова'] },
    { name: 'Arabic with points', names: ['مُحَمَّد'], text: 'اتصل محمد', found: ['مُحَمَّد'] },
    { name: 'Devanagari with a danda', names: ['अना'], text: 'वह है अना।', found: ['अना'] },
    { name: 'Latin glued to Japanese', names: ['Ana'], text: '明日Anaさんに会う', found: ['Ana'] },
    { name: 'a name without letters', names: ['🍵'], text: '🍵', found: [] },
    { name: 'no text', names: ['Ana'], text: '', found: [] },
  ])('$name', ({ names, text, found }) => expect(named(names, text)).toEqual(found))

  test.each([
    { name: 'at the bound', words: MAX_NAME_TOKENS, isFound: true },
    { name: 'above it', words: MAX_NAME_TOKENS + 1, isFound: false },
  ])('of as many words as $name', ({ words, isFound }) => {
    const name = Array.from({ length: words }, (_, at) => `w${at}`).join(' ')
    expect(named([name], `so ${name} it is`)).toEqual(isFound ? [name] : [])
  })

  test('is what a look at every place for every name finds', () => {
    const word = fc.constantFrom('ana', 'bob', 'de', 'la', 'x')
    const words = fc.array(word, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(words, { maxLength: 6 }), fc.array(word, { maxLength: 14 }), (lists, text) => {
        const names = [...new Set(lists.map((list) => list.join(' ')))]
        const places = names.flatMap((name) => {
          const length = name.split(' ').length
          return text.flatMap((_, start) =>
            text.slice(start, start + length).join(' ') === name ? [{ name, start, end: start + length }] : [],
          )
        })
        const within = (one: { start: number; end: number }) =>
          places.some(
            (other) =>
              other.start <= one.start && other.end >= one.end && other.end - other.start > one.end - one.start,
          )
        const counted = places.filter((place) => !within(place)).sort((one, other) => one.start - other.start)
        expect(named(names, text.join(' '))).toEqual([...new Set(counted.map(({ name }) => name))])
      }),
    )
  })
})

describe('an id in a text', () => {
  test.each([
    { text: 'ask person:ana-lopez about it', ids: [['person:ana-lopez']] },
    { text: 'about person:ana-lopez.', ids: [['person:ana-lopez.', 'person:ana-lopez']] },
    { text: '(person:ana), org:acme', ids: [['person:ana'], ['org:acme']] },
    { text: '明日person:anaに会う', ids: [['person:anaに会う', 'person:ana']] },
    { text: 'person:田中', ids: [['person:田中']] },
    { text: 'myperson:ana Xperson:ana', ids: [['myperson:ana']] },
    { text: 'no ids: here', ids: [] },
    { text: 'at 9:30', ids: [] },
  ])('$text', ({ text, ids }) => expect(possibleIds(text).map(({ readings }) => readings)).toEqual(ids))
})

test('a key is the same however the name is spelled, and none where there are no words', () => {
  expect(nameKey('  Ana   LÓPEZ. ')).toBe('ana lopez')
  expect(nameKey('田中太郎')).toBe(nameKey('田中　太郎'))
  expect(nameKey('🍵 …')).toBe('')
  expect(nameKey('')).toBe('')
})
