import type { CandidateSource, RequiredTags, WordHit } from '../candidates/candidate-source.js'
import type { RowFilter } from '../candidates/row-filter.js'
import { CANDIDATES } from '../sqlite/lexical-candidates.js'

/** What a question is asked by, and what that finds of all that may be a candidate. */
export interface WordsAsked {
  readonly words: readonly string[]
  readonly hits: readonly WordHit[]
}

/**
 * Finds records by the words of a question. A word that half of all records hold tells nothing: bm25 gives it a millionth,
 * and looking for it takes longer than for all others. Where the others bring as many records as are ever looked at they
 * are enough; else all words are asked, so that nothing is left out that any of them would find (SEA-8).
 * @param frequencies  of the words, in their order
 */
export function askByTellingWords(
  source: Pick<CandidateSource, 'lexical' | 'records'>,
  words: readonly string[],
  frequencies: readonly number[],
  required: RequiredTags,
  filter: RowFilter,
): WordsAsked {
  const telling = words.filter((_, at) => 2 * (frequencies[at] ?? 0) < source.records())
  if (telling.length > 0 && telling.length < words.length) {
    const hits = source.lexical(telling, required, CANDIDATES, filter)
    if (hits.length >= CANDIDATES) return { words: telling, hits }
  }
  return { words, hits: source.lexical(words, required, CANDIDATES, filter) }
}
