import { trimWhiteSpace } from './white-space.js'

/** UTF-8 bytes of a sentence (FMT-5). */
export const MAX_SENTENCE_BYTES = 2048

/** Why a text is no sentence (FMT-5), in the order in which they are looked for; code → what is wrong, for messages. */
export const SENTENCE_FAULTS = {
  empty: 'it holds nothing but white space',
  untrimmed: 'it starts or ends with white space',
  too_long: 'it is longer than 2,048 UTF-8 bytes',
  lone_surrogate: 'it holds half of a surrogate pair',
  line_break: 'it holds a line or paragraph separator',
  control_character: 'it holds a control character',
  bidi_control: 'it holds a bidirectional control character',
  invisible_character: 'it holds a zero-width space or a byte order mark',
  tag_character: 'it holds tag characters outside an emoji flag',
  comment: 'it holds `<!--mem` or `-->`',
} as const

export type SentenceFault = keyof typeof SENTENCE_FAULTS

/**
 * An emoji flag written with tag characters: U+1F3F4, a region (two letters or three digits), one to four letters or
 * digits, U+E007F. Narrower than UTS #51 on purpose: a longer run of tags can smuggle a text nobody sees.
 */
export const TAG_FLAG =
  '\\u{1F3F4}(?:[\\u{E0061}-\\u{E007A}]{2}|[\\u{E0030}-\\u{E0039}]{3})[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{1,4}\\u{E007F}'
/** Members of a `u` character class: refused wherever they stand. White space among them (line breaks, tabs) included. */
export const REFUSED_CHARACTERS = '\\p{Cc}\\u2028\\u2029\\p{Bidi_Control}\\u200B\\uFEFF\\p{Cs}'
export const TAG_CHARACTERS = '\\u{E0000}-\\u{E007F}'

const SUSPICIOUS = new RegExp(`[${REFUSED_CHARACTERS}${TAG_CHARACTERS}]|<!--mem|-->`, 'u')
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/u
const STRAY_TAG = new RegExp(`${TAG_FLAG}|([${TAG_CHARACTERS}])`, 'gu')

function hasStrayTag(text: string): boolean {
  for (const match of text.matchAll(STRAY_TAG)) if (match[1] !== undefined) return true
  return false
}

/** What FMT-5 refuses in a line of text, whatever its length. Variation selectors, U+200C and U+200D are allowed. */
export function checkCharacters(text: string): SentenceFault | undefined {
  if (!SUSPICIOUS.test(text)) return undefined
  if (/\p{Cs}/u.test(text)) return 'lone_surrogate'
  if (LINE_BREAK.test(text)) return 'line_break'
  if (/\p{Cc}/u.test(text)) return 'control_character'
  if (/\p{Bidi_Control}/u.test(text)) return 'bidi_control'
  if (/[\u200B\uFEFF]/u.test(text)) return 'invisible_character'
  if (hasStrayTag(text)) return 'tag_character'
  return /<!--mem|-->/.test(text) ? 'comment' : undefined
}

/**
 * The first reason why `text` is no sentence, or undefined if it is one: a line of 1..2,048 bytes of plain text (FMT-5).
 * Rejects and never cleans; for cleaning see `normaliseObservation`.
 */
export function checkSentence(text: string): SentenceFault | undefined {
  const trimmed = trimWhiteSpace(text)
  if (trimmed === '') return 'empty'
  if (trimmed.length !== text.length) return 'untrimmed'
  // A UTF-16 unit is at most three bytes: most sentences need no count.
  if (text.length * 3 > MAX_SENTENCE_BYTES && Buffer.byteLength(text) > MAX_SENTENCE_BYTES) return 'too_long'
  return checkCharacters(text)
}
