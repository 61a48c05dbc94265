import { fold } from './fold.js'
import { lazyPattern } from './lazy-pattern.js'
import { DICTIONARY, segmenterOf } from './script-runs.js'

/** One part of a text as names are compared: a word; a character where words are not parted; or a mark that parts names. */
export interface NameToken {
  /** Folded. */
  readonly text: string
  /** A name may begin here. */
  readonly begins: boolean
  /** A name may end here. */
  readonly ends: boolean
  /** A character with others around it: by itself it is no name. */
  readonly isPart: boolean
}

const SPACE = /[\s\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/u
const LINE_END = /[\n\v\f\r\u0085\u2028\u2029]+/gu

/** Part what stands around them: `Ana, Lopez` is no `Ana Lopez`. Other marks do not count, for people leave them out. */
const MARK = '[,;:!?…、。؟،؛।|]'
/** `C++` and `C#` are no `C`. */
const SIGN = '(?:\\+\\+|#(?![\\p{L}\\p{N}]))?'
const LETTER = '[\\p{L}\\p{M}\\p{N}]'
const PART = lazyPattern(
  `(?<dictionary>(?:(?=[${DICTIONARY}])${LETTER})+)` +
    `|(?<hangul>\\p{sc=Hangul}+)` +
    `|(?<word>(?:(?![${DICTIONARY}\\p{sc=Hangul}])${LETTER})+${SIGN})` +
    `|(?<mark>${MARK})`,
  'gu',
)

const words = segmenterOf('word')
/** Letters with their marks; all that names are compared by, and several times faster than a segmenter. */
const CHARACTER = lazyPattern(String.raw`\P{M}\p{M}*|\p{M}+`, 'gu')

/**
 * What may follow a Korean name without a space: a form of address, then particles. A closed set of the grammar; of any
 * other syllables the name may be but the beginning (`김민` in `김민수`).
 */
const KOREAN_ENDING =
  /^(?:씨|님|군|양)?(?:은|는|이|가|을|를|와|과|의|에|에게|에서|에게서|한테|한테서|께|께서|도|만|로|으로|랑|이랑|나|이나|부터|까지|처럼|보다|야|이야|아){0,3}$/u
/** Syllables of the longest of them. */
const MAX_ENDING = 10

const isSingle = (list: readonly unknown[]): boolean => list.length === 1

/** Characters of a run without spaces: names begin and end where the dictionary sees a word begin and end. */
function dictionaryTokens(run: string): NameToken[] {
  const segments = Array.from(words().segment(run), ({ segment }) => segment.match(CHARACTER()) ?? [])
  const isPart = !isSingle(segments.flat())
  return segments.flatMap((parts) =>
    parts.map((text, at) => ({ text, begins: at === 0, ends: at === parts.length - 1, isPart })),
  )
}

/** Korean has spaces, but particles are glued to words. */
function hangulTokens(run: string): NameToken[] {
  const syllables = Array.from(run)
  const isPart = !isSingle(syllables)
  return syllables.map((text, at) => ({
    text,
    begins: at === 0,
    ends: syllables.length - at - 1 <= MAX_ENDING && KOREAN_ENDING.test(syllables.slice(at + 1).join('')),
    isPart,
  }))
}

/**
 * A text as the tokens that names are found by, in order, repeats kept: case and accents folded as for every word, marks
 * gone but those that part names. Linear in its length.
 */
export function nameTokens(text: string): NameToken[] {
  const tokens: NameToken[] = []
  for (const chunk of text.replace(LINE_END, ' ; ').split(SPACE)) {
    for (const { 0: part, groups } of fold(chunk).matchAll(PART())) {
      if (groups?.['dictionary'] !== undefined) tokens.push(...dictionaryTokens(part))
      else if (groups?.['hangul'] !== undefined) tokens.push(...hangulTokens(part))
      else {
        const isWord = groups?.['word'] !== undefined
        tokens.push({ text: part, begins: isWord, ends: isWord, isPart: false })
      }
    }
  }
  return tokens
}

const IS_MARK = new RegExp(`^${MARK}$`, 'u')

/**
 * The key that a name is found by: its tokens, joined by a space; empty where it has none. `ANALYZER` names how it is made:
 * an index with keys of another kind is rebuilt.
 */
export function nameKey(name: string): string {
  const tokens = nameTokens(name).map(({ text }) => text)
  const isWord = (token: string): boolean => !IS_MARK.test(token)
  return tokens.slice(Math.max(tokens.findIndex(isWord), 0), tokens.findLastIndex(isWord) + 1).join(' ')
}
