import type { RecallOptions } from '@mono-agent/memory-store'
import type { SearchRequest } from '@mono-agent/memory-search'

/** Most direct hits of one call (REC-1). */
export const MAX_HITS = 50
const DEFAULT_HITS = 10

/**
 * Checks what a caller asks, once, for every kind of recall.
 * @throws {RangeError} `limit` outside 1..50  @throws {TypeError}  @throws the signal's reason if it is aborted
 */
export function searchRequestOf(query: string, options: RecallOptions): SearchRequest {
  const { limit = DEFAULT_HITS, conversationId, explain, signal } = options
  if (typeof query !== 'string') throw new TypeError('query must be a string')
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_HITS) throw new RangeError(`limit must be 1..${MAX_HITS}`)
  signal?.throwIfAborted()
  return {
    query,
    limit,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(explain === undefined ? {} : { explain }),
  }
}
