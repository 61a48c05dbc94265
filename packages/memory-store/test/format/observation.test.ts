import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkSentence,
  cutAtGrapheme,
  MAX_SENTENCE_BYTES,
  normaliseObservation,
  splitObservation,
} from '../../src/index.js'
import { splitStepwise } from '../../src/format/observation.js'
import { REFUSED_CHARACTERS, TAG_CHARACTERS, TAG_FLAG } from '../../src/format/sentence.js'
import { SLICE_UNITS } from '../../src/format/stepwise.js'

const flagOf = (region: string): string =>
  `\u{1F3F4}${[...region].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('')}\u{E007F}`
const FLAG = flagOf('gbeng')
const bytes = (text: string): number => Buffer.byteLength(text)
const withoutSpaces = (text: string): string => text.replaceAll(' ', '')

/** Text that has what FMT-5 refuses in it, and what looks like it. */
const dirtyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '-->',
        '<!--mem',
        '<!--',
        '--',
        '>',
        '<!',
        'mem',
        '\u200b',
        '\ufeff',
        '\u202e',
        '\n',
        '\0',
        '\ud83d',
        '\udc00',
        FLAG,
        '\u{E0041}',
        ' ',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''))

describe('normalising', () => {
  test.each([
    { name: 'lines', text: ' a\r\n\r\nb\tc\u2028d\u0085e ', expected: 'a b c d e' },
    { name: 'wide spaces', text: 'a\u00a0\u3000b', expected: 'a b' },
    { name: 'control characters', text: 'a\0b\u001bc', expected: 'abc' },
    { name: 'bidi controls', text: '\u202eevil\u202c \u200fשלום', expected: 'evil שלום' },
    { name: 'invisible characters', text: '\ufeffa\u200bb', expected: 'ab' },
    { name: 'lone surrogates', text: 'a\ud800b\udc00', expected: 'ab' },
    { name: 'surrogates parted by a control character', text: '\ud83d\0\ude00', expected: '' },
    { name: 'hidden tags', text: 'a\u{E0068}\u{E0069}b', expected: 'ab' },
    {
      name: 'tags that a removal brings together',
      text: '🏴\0\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
      expected: '🏴',
    },
    { name: 'the end of a comment', text: 'a-->b', expected: 'a b' },
    { name: 'ends within ends', text: '------>>>>', expected: '---- >>>' },
    { name: 'an end behind an invisible character', text: 'a --\u200b> b', expected: 'a b' },
    { name: 'metadata, its words kept', text: 'see <!--mem id=x-->!', expected: 'see mem id=x !' },
    { name: 'nested openings', text: '<!--<!--memory', expected: '<!-- memory' },
    { name: 'an opening behind an invisible character', text: '<!--\u200bmem', expected: 'mem' },
    { name: 'other comments: nothing', text: 'a <!-- b', expected: 'a <!-- b' },
    {
      name: 'a flag, a family, a joined word: nothing',
      text: `${FLAG} 👩\u200d👧 می\u200cخواهم ❤\ufe0f`,
      expected: `${FLAG} 👩\u200d👧 می\u200cخواهم ❤\ufe0f`,
    },
    { name: 'white space alone', text: ' \n\u200b\t', expected: '' },
  ])('takes out $name', ({ text, expected }) => {
    expect(normaliseObservation(text)).toBe(expected)
  })

  test('leaves a sentence or nothing, whatever came in; done twice it changes nothing more', () =>
    fc.assert(
      fc.property(dirtyText, (text) => {
        const normalised = normaliseObservation(text)
        expect(normalised === '' ? undefined : checkSentence(normalised)).toBeUndefined()
        expect(normaliseObservation(normalised)).toBe(normalised)
      }),
      { numRuns: 500 },
    ))

  test('leaves a sentence as it is, but for folded white space', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (text) => {
        if (checkSentence(text) === undefined)
          expect(normaliseObservation(text)).toBe(text.replace(/\p{White_Space}+/gu, ' '))
      }),
    ))
})

describe('in parts', () => {
  /** The whole text at once. */
  const naive = (text: string): string =>
    text
      .replace(/\p{White_Space}+/gu, ' ')
      .replace(
        new RegExp(`(${TAG_FLAG})|[${REFUSED_CHARACTERS}${TAG_CHARACTERS}]`, 'gu'),
        (_all, flag?: string) => flag ?? '',
      )
      .replace(/-->|<!--(?=mem)/g, ' ')
      .replace(/ +/g, ' ')
      .replace(/^ | $/g, '')

  const longText = fc
    .array(
      fc
        .tuple(
          fc.constantFrom(
            'a',
            ' ',
            '-',
            '>',
            '-->',
            '<!--mem',
            '<!--',
            'me',
            '\n',
            '\0',
            '\ufeff',
            '猫',
            '😀',
            FLAG,
            '\u{E0067}',
            '\ud83d',
          ),
          fc.integer({ min: 1, max: 20_000 }),
        )
        .map(([piece, units]) => piece.repeat(Math.ceil(units / piece.length))),
      { minLength: 2, maxLength: 12 },
    )
    .map((pieces) => pieces.join(''))

  test('long text is normalised as in one go', () =>
    fc.assert(
      fc.property(longText, (text) => {
        expect(normaliseObservation(text) === naive(text)).toBe(true)
      }),
    ))

  // The cut after 16,384 units falls once at every place within.
  test.each(['-->', '<!--memory', FLAG, '😀', ' \n ', '--\u200b> ', '🏴\0\u{E0067}'])(
    'a cut anywhere in "%s"',
    (piece) => {
      for (let before = 0; before <= piece.length; before++) {
        const text = `${'x'.repeat(SLICE_UNITS - before)}${piece}y`
        expect(normaliseObservation(text) === naive(text)).toBe(true)
      }
    },
  )

  test.each(['word and. ', '猫', 'กาแฟ', 'a!b? ', '\0', '-----BEGIN PRIVATE KEY-----', `${FLAG}`])(
    '600 KB of "%s" pause at least once in 32,768 units',
    (piece) => {
      const text = piece.repeat(Math.ceil(600_000 / bytes(piece)))
      let pauses = 0
      const steps = splitStepwise(text)
      let step = steps.next()
      for (; step.done !== true; step = steps.next()) pauses++
      expect(pauses).toBeGreaterThan(text.length / 32_768)
      expect(step.value).toEqual(splitObservation(text))
    },
  )

  test('a short one never pauses', () => {
    expect(splitStepwise('Tea. '.repeat(100)).next()).toMatchObject({ done: true })
  })
})

describe('splitting', () => {
  const MAX = MAX_SENTENCE_BYTES
  test.each([
    { name: 'nothing', text: ' \n ', parts: [] },
    { name: 'one sentence', text: 'Tea. ', parts: ['Tea.'] },
    { name: 'a byte below the limit', text: 'a'.repeat(MAX - 1), parts: ['a'.repeat(MAX - 1)] },
    { name: 'the limit', text: 'a'.repeat(MAX), parts: ['a'.repeat(MAX)] },
    { name: 'a byte above', text: 'a'.repeat(MAX + 1), parts: ['a'.repeat(MAX), 'a'] },
    {
      name: 'two sentences',
      text: `${'a '.repeat(999)}end. Next ${'b '.repeat(99)}`,
      parts: [`${'a '.repeat(999)}end.`, `Next ${'b '.repeat(99)}`.trim()],
    },
    {
      name: 'an address, not at its question mark',
      text: `${'a '.repeat(1000)}https://example.org/?q=${'b'.repeat(100)}`,
      parts: ['a '.repeat(1000).trim(), `https://example.org/?q=${'b'.repeat(100)}`],
    },
    {
      name: 'Japanese sentences',
      text: `${'猫'.repeat(600)}。${'犬'.repeat(200)}`,
      parts: [`${'猫'.repeat(600)}。`, '犬'.repeat(200)],
    },
    { name: 'words that end at the limit', text: `${'a'.repeat(MAX)} b`, parts: ['a'.repeat(MAX), 'b'] },
    {
      name: 'words, not before a comma',
      text: `${'a'.repeat(2000)} ${'b'.repeat(47)}, c`,
      parts: ['a'.repeat(2000), `${'b'.repeat(47)}, c`],
    },
    { name: 'Thai, at a word', text: 'กาแฟ'.repeat(200), parts: ['กาแฟ'.repeat(170), 'กาแฟ'.repeat(30)] },
    {
      name: 'clusters, not inside one',
      text: `${'x'.repeat(MAX - 1)}e\u0301`,
      parts: ['x'.repeat(MAX - 1), 'e\u0301'],
    },
    {
      name: 'families whole',
      text: '👩\u200d👩\u200d👧'.repeat(200),
      parts: ['👩\u200d👩\u200d👧'.repeat(113), '👩\u200d👩\u200d👧'.repeat(87)],
    },
  ])('$name', ({ text, parts }) => {
    expect(splitObservation(text)).toEqual(parts)
  })

  test('a cluster over the limit is split between code points and never inside a flag', () => {
    const marks = `a${'\u0301'.repeat(3000)}`
    expect(splitObservation(marks).join('')).toBe(marks)
    // Flags of several lengths first, so that the limit falls at another place within a flag each time.
    for (const region of ['usa', 'usab', 'usabc', '840abcd']) {
      const flags = [flagOf(region), ...Array<string>(100).fill(FLAG)].join('\u200d')
      const parts = splitObservation(flags)
      expect(parts.join('')).toBe(flags)
      expect(parts.map(checkSentence)).toEqual(parts.map(() => undefined))
      expect(parts.length).toBeGreaterThan(1)
    }
  })

  test('every part is a sentence; together they hold all words in order, and cut none that a line can hold', () =>
    fc.assert(
      fc.property(
        fc.array(dirtyText, { maxLength: 4 }),
        fc.constantFrom('', ' ', '. ', '。'),
        fc.integer({ min: 1, max: 120 }),
        (texts, between, times) => {
          const text = Array<string>(times).fill(texts.join(between)).join(between)
          const parts = splitObservation(text)
          const normalised = normaliseObservation(text)
          expect(parts.map(checkSentence)).toEqual(parts.map(() => undefined))
          expect(withoutSpaces(parts.join(''))).toBe(withoutSpaces(normalised))
          const isCuttable = normalised.split(' ').some((word) => bytes(word) > MAX) || /[^\p{ASCII}]/u.test(normalised)
          if (!isCuttable) expect(parts.join(' ')).toBe(normalised)
        },
      ),
    ))

  test('long text of words comes apart only between words', () =>
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z,.!?'-]{1,20}$/), { minLength: 150, maxLength: 600 }), (words) => {
        const normalised = normaliseObservation(words.join(' '))
        const parts = splitObservation(normalised)
        expect(parts.join(' ')).toBe(normalised)
        expect(Math.max(...parts.map(bytes))).toBeLessThanOrEqual(MAX)
      }),
      { numRuns: 30 },
    ))

  test.each(['word and. ', '猫', 'e\u0301', 'x', '\u0301', '-->', 'กาแฟ', `${FLAG}\u200d`])(
    '600 KB of "%s" come apart',
    (piece) => {
      const text = piece.repeat(Math.ceil(600_000 / bytes(piece)))
      const parts = splitObservation(text)
      expect(withoutSpaces(parts.join(''))).toBe(withoutSpaces(normaliseObservation(text)))
      expect(parts.every((part) => bytes(part) <= MAX)).toBe(true)
    },
  )
})

describe('cutting at a grapheme', () => {
  test.each([
    { text: 'tea', maxBytes: 3, cut: 'tea' },
    { text: 'tea', maxBytes: 2, cut: 'te' },
    { text: 'tee\u0301', maxBytes: 4, cut: 'te' },
    { text: 'tee\u0301', maxBytes: 5, cut: 'tee\u0301' },
    { text: '猫犬', maxBytes: 5, cut: '猫' },
    { text: `a${FLAG}`, maxBytes: 20, cut: 'a' },
    { text: '👩\u200d👧', maxBytes: 10, cut: '' },
    { text: '\r\nx', maxBytes: 1, cut: '' },
    { text: '', maxBytes: 0, cut: '' },
  ])('$text to $maxBytes bytes', ({ text, maxBytes, cut }) => {
    expect(cutAtGrapheme(text, maxBytes)).toBe(cut)
  })

  test('gives the longest beginning of whole clusters that fits', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(80), (text, maxBytes) => {
        const clusters = [...new Intl.Segmenter('und').segment(text)].map(({ segment }) => segment)
        let expected = ''
        for (const cluster of clusters) {
          if (bytes(expected + cluster) > maxBytes) break
          expected += cluster
        }
        expect(cutAtGrapheme(text, maxBytes)).toBe(expected)
      }),
    ))
})
