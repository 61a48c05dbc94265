import { lazyPattern } from './lazy-pattern.js'

/** Scripts written without spaces: words come from a dictionary, single characters are the fallback (SEA-8). */
export const DICTIONARY =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー々〆\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}'
const DICTIONARY_CHARACTER = lazyPattern(`[${DICTIONARY}]`, 'u')

/** True where a text holds such a script. */
export const hasDictionaryScript = (text: string): boolean => DICTIONARY_CHARACTER().test(text)

const LETTER = '[\\p{L}\\p{M}\\p{N}]'
const RUN = lazyPattern(
  `(?<dictionary>(?:(?=[${DICTIONARY}])${LETTER})+)` +
    `|(?<hangul>\\p{sc=Hangul}+)` +
    `|(?<word>(?:(?![${DICTIONARY}\\p{sc=Hangul}])${LETTER})+)`,
  'gu',
)

/** Made when first used. Language given so that the host's own plays no part; the dictionaries of ICU do not depend on it. */
export const segmenterOf = (granularity: 'word' | 'grapheme'): (() => Intl.Segmenter) => {
  let made: Intl.Segmenter | undefined
  return () => (made ??= new Intl.Segmenter('en', { granularity }))
}
const words = segmenterOf('word')
const characters = segmenterOf('grapheme')

/** Words longer than this are also found by their beginning, in every alphabet: see `docs/ranking.md`. */
const STEM_LETTERS = 5
const ALPHABETIC = lazyPattern(String.raw`^\p{L}+$`, 'u')

/** What one run of letters is found by: `whole` is what a person calls a word, `pieces` make it found by a part. */
export interface Run {
  readonly whole: readonly string[]
  readonly pieces: readonly string[]
}

function dictionaryRun(run: string): Run {
  const whole = Array.from(words().segment(run), ({ segment }) => segment)
  const pieces = Array.from(characters().segment(run), ({ segment }) => segment)
  return { whole, pieces: whole.length === pieces.length ? [] : pieces }
}

/** Particles are glued to Korean words: pairs of syllables let `서울` meet `서울에서`, either way round. */
function hangulRun(run: string): Run {
  const syllables = Array.from(run)
  if (syllables.length === 1) return { whole: [run], pieces: [] }
  const pairs = syllables.slice(1).map((syllable, at) => syllables[at] + syllable)
  return { whole: [run], pieces: [...pairs.filter((pair) => pair !== run), ...syllables] }
}

/** Most words are plain ASCII: one run, whatever else there is to look for. */
export const isPlainWord = (text: string): boolean => /^[a-z0-9]+$/.test(text)

export function wordRun(run: string): Run {
  const letters = Array.from(run)
  const hasStem = letters.length > STEM_LETTERS && ALPHABETIC().test(run)
  return { whole: [run], pieces: hasStem ? [letters.slice(0, STEM_LETTERS).join('')] : [] }
}

/** The runs of letters and digits in a folded text without white space, in order. */
export function scriptRuns(text: string): Run[] {
  if (isPlainWord(text)) return [wordRun(text)]
  return Array.from(text.matchAll(RUN()), ({ 0: run, groups }) => {
    if (groups?.['dictionary'] !== undefined) return dictionaryRun(run)
    return groups?.['hangul'] !== undefined ? hangulRun(run) : wordRun(run)
  })
}
