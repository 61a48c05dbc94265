import { EmbeddingError, type EmbeddingProvider } from '@mono-agent/memory-search'
import type { Host } from '../host.js'

/** A recall waits this long for vectors that it needs; the request itself goes on, up to its own limit (SEA-4). */
export const QUERY_PATIENCE_MS = 2_000

/** Why there is no vector, as `degraded.reason`: this, or the code of an `EmbeddingError`. */
const SLOW = 'embedding_slow'

export interface QueryVectors {
  /** The vector of a query, or the reason why there is none in time. */
  (text: string, signal: AbortSignal | undefined): Promise<Float32Array | string>
  /** The vectors of memories that the index has none of, in the order of their texts, or the reason as above (REC-9). */
  ofMemories(texts: readonly string[], signal: AbortSignal | undefined): Promise<readonly Float32Array[] | string>
  /** Cancels what is under way, overdue or not: it would keep the process alive, and nobody waits for it any more. */
  stop(): void
}

/**
 * Asks the service for the vectors of a recall, with little patience. While a request is overdue no other one is sent and
 * nobody waits: a service that hangs costs one recall its patience, not every one.
 */
export function queryVectors(embed: EmbeddingProvider, sleep: Host['sleep']): QueryVectors {
  let overdue = 0
  let isStopped = false
  const underWay = new Set<AbortController>()
  const ask = async (
    texts: readonly string[],
    kind: 'query' | 'document',
    signal: AbortSignal | undefined,
  ): Promise<readonly Float32Array[] | string> => {
    if (overdue > 0 || isStopped) return SLOW
    signal?.throwIfAborted()
    const answered = new AbortController()
    const request = new AbortController()
    const cancel = (): void => request.abort(signal?.reason)
    signal?.addEventListener('abort', cancel, { once: true })
    underWay.add(request)
    const over = (): void => {
      underWay.delete(request)
      signal?.removeEventListener('abort', cancel)
    }
    const vectors = embed.embed(texts, { kind, signal: request.signal }).then(
      (made): readonly Float32Array[] => {
        over()
        return made
      },
      (error: unknown) => {
        over()
        signal?.throwIfAborted()
        if (isStopped) return SLOW
        if (error instanceof EmbeddingError) return error.code
        throw error
      },
    )
    const patience = sleep(QUERY_PATIENCE_MS, { signal: answered.signal, keepsProcessAlive: true }).then(() => {
      if (!answered.signal.aborted) follow(vectors)
      return SLOW
    })
    try {
      return await Promise.race([vectors, patience])
    } finally {
      answered.abort()
    }
  }
  const vectorOf = async (text: string, signal: AbortSignal | undefined): Promise<Float32Array | string> => {
    const made = await ask([text], 'query', signal)
    return typeof made === 'string' ? made : (made[0] as Float32Array)
  }
  const ofMemories: QueryVectors['ofMemories'] = (texts, signal) => ask(texts, 'document', signal)
  const stop = (): void => {
    isStopped = true
    for (const request of underWay) request.abort()
  }
  return Object.assign(vectorOf, { ofMemories, stop })

  /** Whatever becomes of it, nobody waits for it any more; the provider has counted a failure. */
  function follow(vectors: Promise<unknown>): void {
    overdue += 1
    const over = (): void => {
      overdue -= 1
    }
    vectors.then(over, over)
  }
}
