import { fold, wellFormed } from './fold.js'
import { lazyPattern } from './lazy-pattern.js'
import { hasDictionaryScript, isPlainWord, scriptRuns, wordRun } from './script-runs.js'

/** UTF-16 units of a text that are looked at; a sentence has at most 2,048 bytes, only queries can be longer. */
export const MAX_ANALYZED_LENGTH = 20_000

/** Code points of one token; what is longer counts by its beginning. */
export const MAX_TOKEN_LENGTH = 64

/**
 * Names the way from text to tokens. An index made by another one is rebuilt: tokens of the two would not meet. Unicode
 * and ICU count, for what is a letter and where a Thai word ends is theirs to say. Raise the number with every change.
 */
export const ANALYZER = `words-4 unicode-${process.versions['unicode']} icu-${process.versions['icu']}`

const SPACE = /[\s\p{Cc}\u{FDD0}-\u{FDEF}\p{Zs}\p{Zl}\p{Zp}]+/u
const EMOJI = lazyPattern(
  String.raw`\p{RI}\p{RI}|(?!\d)\p{Extended_Pictographic}(?:\p{EMod}|\u200D\p{Extended_Pictographic}|[\uFE0F\u{E0020}-\u{E007F}])*`,
  'gu',
)
const PICTURE = lazyPattern(String.raw`\p{Extended_Pictographic}`, 'gu')
const HAS_EMOJI = /\p{RI}\p{RI}|\p{Extended_Pictographic}/u
const SYMBOL = lazyPattern(String.raw`(?![\p{RI}])[^\p{L}\p{M}\p{N}\p{P}\p{ASCII}\s]`, 'gu')
const INNER_MARK = lazyPattern(String.raw`[^\p{L}\p{M}\p{N}]`, 'u')
const NO_LETTER = lazyPattern(String.raw`^[^\p{L}\p{N}]+$`, 'u')

/** Marks that belong to a name at its beginning (`@nasa`, `#tag`, `/etc`) or end (`C++`, `50%`); all others are punctuation. */
const LEADING = lazyPattern(String.raw`^[^\p{L}\p{M}\p{N}@#$€£¥~_/]+`, 'u')
// Looked for where a run of marks begins only: else a run that does not end the text costs the square of its length.
const TRAILING = lazyPattern(String.raw`(?<![^\p{L}\p{M}\p{N}+#%$€£¥°_/])[^\p{L}\p{M}\p{N}+#%$€£¥°_/]+$`, 'u')

const firstOf = (text: string): string =>
  text.length <= MAX_TOKEN_LENGTH ? text : Array.from(text).slice(0, MAX_TOKEN_LENGTH).join('')

/** Emoji of a chunk as tokens (whole, and each picture of a joined one), and the chunk without them. */
function takeEmoji(chunk: string, tokens: string[]): string {
  if (!HAS_EMOJI.test(chunk)) return chunk
  return chunk.replace(EMOJI(), (emoji) => {
    const whole = emoji.replace(/\uFE0F/g, '')
    tokens.push(whole)
    const pictures = whole.match(PICTURE()) ?? []
    for (const picture of pictures) if (picture !== whole) tokens.push(picture)
    return ' '
  })
}

/** Brackets and double quotes stand around names, not in them: `foo_bar(x)`, `std::vector<int>`, `say("foo_bar")`. */
const AROUND_NAMES = lazyPattern(String.raw`[\p{Ps}\p{Pe}\p{Pi}\p{Pf}"<>]`, 'u')

/** `foo_bar.ts`, `it's`, `a=b`: a token for the whole where marks hold it together; its parts follow by themselves. */
function wholeName(part: string): string | undefined {
  const name = part.replace(LEADING(), '').replace(TRAILING(), '')
  // Where words are not parted by spaces a mark parts sentences, and the whole would be both of them.
  if (name === '' || NO_LETTER().test(name) || hasDictionaryScript(name)) return undefined
  return INNER_MARK().test(name) ? name : undefined
}

function analyzeChunk(chunk: string, tokens: string[]): void {
  if (isPlainWord(chunk)) {
    const { whole, pieces } = wordRun(chunk)
    tokens.push(...whole, ...pieces)
    return
  }
  // A chunk of marks alone (`-`, `???`, `:)`) is a word of its own; glued to a word they are punctuation.
  if (NO_LETTER().test(chunk)) {
    tokens.push(chunk)
    if (chunk.length === 1) return
  }
  for (const part of chunk.split(AROUND_NAMES())) {
    const name = wholeName(part)
    if (name !== undefined) tokens.push(name)
  }
  for (const { whole, pieces } of scriptRuns(chunk)) tokens.push(...whole, ...pieces)
  tokens.push(...(chunk.match(SYMBOL()) ?? []).filter((symbol) => symbol !== chunk))
}

/**
 * The tokens of a text, in order, repeats kept; the same for what is stored and what is asked (SEA-8). Any string is
 * allowed: NUL and other control characters part words, lone surrogates read as U+FFFD. Linear in the length; at most
 * `MAX_ANALYZED_LENGTH` units are looked at.
 */
export function analyze(text: string): string[] {
  const tokens: string[] = []
  for (const chunk of text.slice(0, MAX_ANALYZED_LENGTH).split(SPACE)) {
    // Composed first: taken apart, `↮` is an emoji and a stroke.
    for (const part of takeEmoji(wellFormed(chunk).normalize('NFC'), tokens).split(' ')) {
      // Folding may bring white space in (`´` is a space and an accent).
      for (const folded of fold(part).split(SPACE)) if (folded !== '') analyzeChunk(folded, tokens)
    }
  }
  return tokens.map(firstOf)
}

/**
 * The words of a name, each once, without beginnings and other pieces: `Zoë van Dijk` → zoe, van, dijk. What a query
 * must hold for the name to be named in it.
 */
export function nameWords(name: string): string[] {
  const words = name
    .slice(0, MAX_ANALYZED_LENGTH)
    .split(SPACE)
    .flatMap((part) => fold(part).split(SPACE))
    .flatMap((part) => scriptRuns(part))
    .flatMap(({ whole }) => whole)
  return [...new Set(words.map(firstOf))]
}
