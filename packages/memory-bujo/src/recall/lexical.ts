import type { RecallOptions, RecallOutcome } from '@mono-agent/memory-store'
import type { IndexReader } from '@mono-agent/memory-search'

/** Most direct hits of one call (REC-1). */
export const MAX_HITS = 50
const DEFAULT_HITS = 10

/**
 * Recall by words alone: neither tail cut nor evidence note (REC-3), and `mode` says which scale the scores are on (SEA-14).
 * @throws {RangeError} `limit` outside 1..50  @throws the signal's reason if it is aborted
 */
export function recallLexical(index: IndexReader, query: string, options: RecallOptions): RecallOutcome {
  const { limit = DEFAULT_HITS, conversationId, explain, signal } = options
  if (typeof query !== 'string') throw new TypeError('query must be a string')
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_HITS) throw new RangeError(`limit must be 1..${MAX_HITS}`)
  signal?.throwIfAborted()
  const hits = index.search({
    query,
    limit,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(explain === undefined ? {} : { explain }),
  })
  return { hits, mode: 'lexical', sections: [] }
}
