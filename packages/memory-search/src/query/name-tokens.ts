import { fold } from './fold.js'
import { DICTIONARY } from './script-runs.js'

/** One part of a text as names are compared: a word; a character where words are not parted; or a mark that parts names. */
export interface NameToken {
  /** Folded. */
  readonly text: string
  /** A name may begin here. */
  readonly begins: boolean
  /** A name may end here. */
  readonly ends: boolean
  /** Holds this token and stands for itself: a name of fewer tokens than it is no name in it, see `isWhole`. */
  readonly run: number
}

const SPACE = /[\s\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/u
const LINE_END = /[\n\v\f\r\u0085\u2028\u2029]+/gu

/** `C++` and `C#` are no `C`. */
const SIGN = '(?:\\+\\+|#(?![\\p{L}\\p{N}]))?'
const LETTER = '[\\p{L}\\p{M}\\p{N}]'
const PART = new RegExp(
  `(?<dictionary>(?:(?=[${DICTIONARY}])${LETTER})+)` +
    `|(?<hangul>\\p{sc=Hangul}+)` +
    `|(?<word>(?:(?![${DICTIONARY}\\p{sc=Hangul}])${LETTER})+${SIGN})` +
    `|(?<mark>[,;:!?…、。؟،؛।|])`,
  'gu',
)

const words = new Intl.Segmenter('en', { granularity: 'word' })
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * What may follow a Korean name without a space: a form of address, then particles. A closed set of the grammar; of any
 * other syllables the name may be but the beginning (`김민` in `김민수`).
 */
const KOREAN_ENDING =
  /^(?:씨|님|군|양)?(?:이|은|는|가|을|를|와|과|의|에|에게|에게서|에서|한테|한테서|께|께서|도|만|로|으로|랑|이랑|이나|나|부터|까지|처럼|보다|야|아|이야|이라고|라고|이다)*$/u

/** Runs of one script as their characters: names begin and end where the dictionary sees a word begin and end. */
function dictionaryTokens(run: string, at: number): NameToken[] {
  return Array.from(words.segment(run)).flatMap(({ segment }) => {
    const parts = Array.from(characters.segment(segment), (part) => part.segment)
    return parts.map((text, place) => ({ text, begins: place === 0, ends: place === parts.length - 1, run: at }))
  })
}

function hangulTokens(run: string, at: number): NameToken[] {
  const syllables = Array.from(run)
  return syllables.map((text, place) => ({
    text,
    begins: place === 0,
    ends: KOREAN_ENDING.test(syllables.slice(place + 1).join('')),
    run: at,
  }))
}

/**
 * A text as the tokens that names are found by, in order, repeats kept; case and accents folded, marks gone but those that
 * part one name from the next.
 */
export function nameTokens(text: string): NameToken[] {
  const tokens: NameToken[] = []
  let run = 0
  for (const chunk of text.replace(LINE_END, ' ; ').split(SPACE)) {
    for (const { 0: part, groups } of fold(chunk).matchAll(PART)) {
      run++
      if (groups?.['dictionary'] !== undefined) tokens.push(...dictionaryTokens(part, run))
      else if (groups?.['hangul'] !== undefined) tokens.push(...hangulTokens(part, run))
      else tokens.push({ text: part, begins: true, ends: true, run })
    }
  }
  return tokens
}

const isMark = ({ text }: NameToken): boolean => /^[,;:!?…、。؟،؛।|]$/u.test(text)

/**
 * The key that a name is found by: its tokens, joined by a space; empty where it has none that count. Part of `ANALYZER`:
 * an index whose keys are made in another way is rebuilt.
 */
export function nameKey(name: string): string {
  const tokens = nameTokens(name)
  const first = tokens.findIndex((token) => !isMark(token))
  const last = tokens.findLastIndex((token) => !isMark(token))
  return tokens
    .slice(Math.max(first, 0), last + 1)
    .map(({ text }) => text)
    .join(' ')
}
