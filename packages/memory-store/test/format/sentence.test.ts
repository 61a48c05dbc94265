import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkSentence, MAX_SENTENCE_BYTES, SENTENCE_FAULTS } from '../../src/index.js'

const tags = (text: string): string =>
  [...text].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('')
const flag = (region: string): string => `\u{1F3F4}${tags(region)}\u{E007F}`

test.each([
  { name: 'plain text', text: 'Morgan prefers green tea.' },
  { name: 'Chinese, Japanese, Korean', text: '猫 ねこ 서울에서' },
  { name: 'Arabic and Hebrew', text: 'سلام שלום' },
  { name: 'Persian with U+200C', text: 'می\u200cخواهم' },
  { name: 'a family joined with U+200D', text: '👩\u200d👩\u200d👧' },
  { name: 'variation selectors', text: '❤\uFE0F 葛\u{E0100}' },
  { name: 'combining marks', text: 'Zoe\u0308' },
  { name: 'the flag of England', text: `${flag('gbeng')} won` },
  { name: 'the shortest flag of tags', text: flag('usa') },
  { name: 'the longest flag of tags', text: flag('840abcd') },
  { name: 'what looks like a marker', text: '[x] done, – or ◦' },
  { name: 'other comments', text: '<!-- mem, <!-- and -- >' },
  { name: 'inner white space of all kinds', text: 'a\u00a0b\u3000c  d' },
  { name: '2,048 bytes', text: 'é'.repeat(MAX_SENTENCE_BYTES / 2) },
])('accepts $name', ({ text }) => {
  expect(checkSentence(text)).toBeUndefined()
})

test.each([
  { text: '', fault: 'empty', name: 'nothing' },
  { text: ' \u3000\t', fault: 'empty', name: 'white space' },
  { text: ' tea', fault: 'untrimmed', name: 'space before' },
  { text: 'tea\u00a0', fault: 'untrimmed', name: 'a no-break space after' },
  { text: `${'é'.repeat(MAX_SENTENCE_BYTES / 2)}a`, fault: 'too_long', name: '2,049 bytes' },
  { text: '猫'.repeat(683), fault: 'too_long', name: '2,049 bytes in 683 characters' },
  { text: 'a\ud800b', fault: 'lone_surrogate', name: 'a high surrogate alone' },
  { text: 'a\udc00b', fault: 'lone_surrogate', name: 'a low surrogate alone' },
  { text: '\udc00\ud800', fault: 'lone_surrogate', name: 'surrogates the wrong way round' },
  ...['\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'].map((char) => ({
    text: `a${char}b`,
    fault: 'line_break',
    name: `U+${char.charCodeAt(0).toString(16)}`,
  })),
  ...['\0', '\t', '\u001b', '\u007f', '\u009f'].map((char) => ({
    text: `a${char}b`,
    fault: 'control_character',
    name: `U+${char.charCodeAt(0).toString(16)}`,
  })),
  ...['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'].map((char) => ({
    text: `a${char}b`,
    fault: 'bidi_control',
    name: `U+${char.charCodeAt(0).toString(16)}`,
  })),
  { text: 'a\u200bb', fault: 'invisible_character', name: 'a zero-width space' },
  { text: '\ufeffa', fault: 'invisible_character', name: 'a byte order mark' },
  { text: `a${tags('hidden')}`, fault: 'tag_character', name: 'tags without a flag' },
  { text: `\u{1F3F4}${tags('gbeng')}`, fault: 'tag_character', name: 'a flag that does not end' },
  { text: `\u{1F3F4}\u{E007F}`, fault: 'tag_character', name: 'a flag without a region' },
  { text: flag('gb'), fault: 'tag_character', name: 'a flag too short' },
  { text: flag('gbenglan'), fault: 'tag_character', name: 'a flag too long' },
  { text: flag('GBENG'), fault: 'tag_character', name: 'a flag in capitals' },
  { text: `${flag('gbeng')}${tags('x')}`, fault: 'tag_character', name: 'tags after a flag' },
  { text: 'a \u{E0001}', fault: 'tag_character', name: 'a language tag' },
  { text: 'see <!--mem id=x', fault: 'comment', name: 'the start of metadata' },
  { text: 'a --> b', fault: 'comment', name: 'the end of a comment' },
])('refuses $name as $fault', ({ text, fault }) => {
  expect(checkSentence(text)).toBe(fault)
  expect(SENTENCE_FAULTS).toHaveProperty(fault)
})

test('whatever is accepted fits on one line of at most 2,048 bytes and encodes to UTF-8 and back', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      if (checkSentence(text) !== undefined) return
      expect(Buffer.from(text).toString()).toBe(text)
      expect(text.split(/[\n\v\f\r\u0085\u2028\u2029]/)).toHaveLength(1)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_SENTENCE_BYTES)
    }),
  ))
