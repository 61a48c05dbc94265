import type { RecallOptions, RecallOutcome } from '@mono-agent/memory-store'
import { EmbeddingError, type EmbeddingProvider, type IndexReader } from '@mono-agent/memory-search'
import type { Host } from '../host.js'
import { searchRequestOf } from './recall-request.js'

/** A recall waits this long for the vector of its query, then answers by words; the request itself goes on (SEA-4). */
export const QUERY_PATIENCE_MS = 5_000

export interface HybridParts {
  readonly embed: EmbeddingProvider
  readonly sleep: Host['sleep']
}

/** Why an answer is by words alone, as `degraded.reason`; the codes of `EmbeddingError` besides. */
const SLOW = 'embedding_slow'
/** Some memories are still judged by words alone. */
const PENDING = 'vectors_pending'

/**
 * Recall by words and meaning. Without the query's vector, because the service failed or is slow, it is recall by words,
 * and says so: never an error, for recall has to work when a service does not (SEA-14).
 * @throws as `searchRequestOf`; the signal's reason when it is aborted, which cancels the request
 */
export async function recallHybrid(
  { embed, sleep }: HybridParts,
  index: IndexReader,
  query: string,
  options: RecallOptions,
): Promise<RecallOutcome> {
  const request = searchRequestOf(query, options)
  const text = index.embeddable(query)
  if (text.trim() === '') return { hits: index.search(request), mode: 'lexical', sections: [] }
  const vector = await queryVector(embed, text, sleep, options.signal)
  if (typeof vector === 'string') {
    return { hits: index.search(request), mode: 'lexical', degraded: { reason: vector }, sections: [] }
  }
  const hits = index.search({ ...request, vector })
  const isPending = index.countMissingVectors() > 0
  return { hits, mode: 'hybrid', ...(isPending ? { degraded: { reason: PENDING } } : {}), sections: [] }
}

/** The vector, or the reason why there is none. */
async function queryVector(
  embed: EmbeddingProvider,
  text: string,
  sleep: Host['sleep'],
  signal: AbortSignal | undefined,
): Promise<Float32Array | string> {
  const answered = new AbortController()
  const vector = embed.embed([text], { kind: 'query', ...(signal === undefined ? {} : { signal }) }).then(
    ([made]) => made as Float32Array,
    (error: unknown) => {
      signal?.throwIfAborted()
      if (error instanceof EmbeddingError) return error.code
      throw error
    },
  )
  const patience = sleep(QUERY_PATIENCE_MS, { signal: answered.signal, keepsProcessAlive: true }).then(() => SLOW)
  try {
    return await Promise.race([vector, patience])
  } finally {
    answered.abort()
    vector.catch(() => undefined) // may fail after nobody waits any more; the provider has counted it
  }
}
