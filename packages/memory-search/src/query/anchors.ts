import { fold, wellFormed } from './fold.js'
import { lazyPattern } from './lazy-pattern.js'
import { MAX_QUERY_LENGTH } from './match-expression.js'
import { DICTIONARY } from './script-runs.js'

/** Anchors of a query that count; the first ones, each once. */
export const MAX_ANCHORS = 16

/** Between names: white space, and what stands around names or parts sentences without any (`INV-42—paid`, `発注「INV-42」、`). */
const BETWEEN = lazyPattern(String.raw`[\s\p{Z}\p{Cc}\p{Ps}\p{Pe}\p{Pi}\p{Pf}"<>\u2012-\u2015、。،؛؟।]+|\.{2,}`, 'u')
/** Marks around a token that are punctuation of the sentence; `C++`, `#7` and `$40` keep theirs. */
const LEADING = lazyPattern(String.raw`^[^\p{L}\p{M}\p{N}#$€£¥@_/]+`, 'u')
// Looked for where a run of marks begins only: else a run that does not end the text costs the square of its length.
const TRAILING = lazyPattern(String.raw`(?<![^\p{L}\p{M}\p{N}+#%$€£¥°_/])[^\p{L}\p{M}\p{N}+#%$€£¥°_/]+$`, 'u')
const POSSESSIVE = /'s$/iu

/** Where words are glued to names: `発注INV-42を`, `42명을`. A date written with its marks stays one thing: `1988年11月2日`. */
const GLUED = lazyPattern(`[${DICTIONARY}\\p{sc=Hangul}]`, 'u')
const PIECE = lazyPattern(`(?:\\p{Nd}+[年月日號号년월일])+|(?:\\p{Nd}|(?![${DICTIONARY}\\p{sc=Hangul}]).)+`, 'gsu')

const HAS_DIGIT = lazyPattern(String.raw`\p{Nd}`, 'u')
/** A mark within a name that no ordinary word has: `foo_bar.ts`, `src/index`, `user@host`, `a::b`; not `it's`, `well-known`. */
const NAME_MARK = lazyPattern(String.raw`[\p{L}\p{M}\p{N}][_./\\:@#=]+[\p{L}\p{N}]`, 'u')
const SIGNED = lazyPattern(String.raw`^[\p{L}\p{N}]+(?:\+\+|#)$`, 'u')

const isAnchor = (token: string): boolean => HAS_DIGIT().test(token) || NAME_MARK().test(token) || SIGNED().test(token)

/**
 * The exact things a text names (SEA-13): whole numbers, dates, identifiers, each once, folded. Whole means whole:
 * `1988-11-02` is one anchor, so `1988-12-02` shares nothing with it, and `42` is no part of `142` or `INV-42`.
 */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const chunk of wellFormed(text.slice(0, MAX_QUERY_LENGTH)).normalize('NFKC').split(BETWEEN())) {
    for (const piece of GLUED().test(chunk) ? (chunk.match(PIECE()) ?? []) : [chunk]) {
      const token = fold(piece.replace(LEADING(), '').replace(TRAILING(), '').replace(POSSESSIVE, ''))
      if (token !== '' && isAnchor(token)) anchors.add(token)
    }
  }
  return anchors
}

/** The anchors of a query. */
export const queryAnchors = (query: string): readonly string[] => [...anchorsOf(query)].slice(0, MAX_ANCHORS)

/** Of a text without any of these, folding only makes lower case: every anchor of it stands in it letter by letter. */
const FOLDED_OTHERWISE = /[\P{ASCII}`]/u

/** Share of the query's anchors that a text holds whole, 0..1; 0 if it has none. */
export function anchorShare(anchors: readonly string[], text: string): number {
  if (anchors.length === 0) return 0
  // Few texts hold any, and to take one apart costs a hundred times as much as to see that.
  if (!FOLDED_OTHERWISE.test(text)) {
    const lower = text.toLowerCase()
    if (!anchors.some((anchor) => lower.includes(anchor))) return 0
  }
  const held = anchorsOf(text)
  return anchors.filter((anchor) => held.has(anchor)).length / anchors.length
}
