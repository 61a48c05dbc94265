import { fold, wellFormed } from './fold.js'
import { MAX_QUERY_LENGTH } from './match-expression.js'

/** Anchors of a query that count; the first ones, each once. */
export const MAX_ANCHORS = 16

const SPACE = /[\s\p{Z}\p{Cc}]+/u
/** Marks around a token that are punctuation of the sentence; `C++`, `#7` and `$40` keep theirs. */
const LEADING = /^[^\p{L}\p{M}\p{N}#$€£¥@_/]+/u
const TRAILING = /[^\p{L}\p{M}\p{N}+#%$€£¥°_/]+$/u
const POSSESSIVE = /['’]s$/u

const HAS_DIGIT = /\p{Nd}/u
/** A mark within a name that no ordinary word has: `foo_bar.ts`, `src/index`, `user@host`, `a::b`; not `it's`, `well-known`. */
const NAME_MARK = /[\p{L}\p{N}][_./\\:@#=]+[\p{L}\p{N}]/u
const SIGNED = /^[\p{L}\p{N}]+(?:\+\+|#)$/u

const isAnchor = (token: string): boolean => HAS_DIGIT.test(token) || NAME_MARK.test(token) || SIGNED.test(token)

/**
 * The exact things a text names (SEA-13): whole numbers, dates, identifiers, each once, folded. Whole means whole:
 * `1988-11-02` is one anchor, so `1988-12-02` shares nothing with it, and `42` is no part of `142` or `INV-42`.
 */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const chunk of wellFormed(text.slice(0, MAX_QUERY_LENGTH)).normalize('NFKC').split(SPACE)) {
    const token = fold(chunk.replace(LEADING, '').replace(TRAILING, '').replace(POSSESSIVE, ''))
    if (token !== '' && isAnchor(token)) anchors.add(token)
  }
  return anchors
}

/** The anchors of a query. */
export const queryAnchors = (query: string): readonly string[] => [...anchorsOf(query)].slice(0, MAX_ANCHORS)

/** Share of the query's anchors that a text holds whole, 0..1; 0 if it has none. */
export function anchorShare(anchors: readonly string[], text: string): number {
  if (anchors.length === 0) return 0
  const held = anchorsOf(text)
  return anchors.filter((anchor) => held.has(anchor)).length / anchors.length
}
