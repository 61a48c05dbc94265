import type { RecallOptions, RecallOutcome } from '@mono-agent/memory-store'
import type { IndexReader } from '@mono-agent/memory-search'
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { QueryVectors } from './query-vector.js'
import { searchRequestOf } from './recall-request.js'

/** Some memories have no vector yet and are judged by words alone. */
const PENDING = 'vectors_pending'

/**
 * Recall by words and meaning. Without the query's vector, because the service failed or is slow, it is recall by words,
 * and says so: never an error, for recall has to work when a service does not (SEA-14).
 * @throws as `searchRequestOf`; the signal's reason when it is aborted, which cancels the request
 */
export async function recallHybrid(
  vectorOf: QueryVectors,
  index: IndexReader,
  query: string,
  options: RecallOptions,
): Promise<RecallOutcome> {
  const request = searchRequestOf(query, options)
  const text = index.embeddable(query)
  if (text.trim() === '') return { hits: index.search(request), mode: 'lexical', sections: [] }
  const vector = await vectorOf(text, options.signal)
  if (typeof vector === 'string') {
    return { hits: index.search(request), mode: 'lexical', degraded: { reason: vector }, sections: [] }
  }
  await nextTurnOfLoop() // many answers of the service may come at once; the host has its turns between the searches
  const hits = index.search({ ...request, vector })
  const isPending = index.countMissingVectors() > 0
  return { hits, mode: 'hybrid', ...(isPending ? { degraded: { reason: PENDING } } : {}), sections: [] }
}
