import { EmbeddingError, type EmbeddingProvider } from '@mono-agent/memory-search'
import type { Host } from '../host.js'

/** A recall waits this long for the vector of its query; the request itself goes on, up to its own limit (SEA-4). */
export const QUERY_PATIENCE_MS = 2_000

/** Why there is no vector, as `degraded.reason`: this, or the code of an `EmbeddingError`. */
const SLOW = 'embedding_slow'

export interface QueryVectors {
  /** The vector of a query, or the reason why there is none in time. */
  (text: string, signal: AbortSignal | undefined): Promise<Float32Array | string>
  /** Cancels what is under way, overdue or not: it would keep the process alive, and nobody waits for it any more. */
  stop(): void
}

/**
 * Asks the service for the vectors of queries, with little patience. While a request is overdue no other one is sent and
 * nobody waits: a service that hangs costs one recall its patience, not every one.
 */
export function queryVectors(embed: EmbeddingProvider, sleep: Host['sleep']): QueryVectors {
  let overdue = 0
  let isStopped = false
  const underWay = new Set<AbortController>()
  const vectorOf = async (text: string, signal: AbortSignal | undefined): Promise<Float32Array | string> => {
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
    const vector = embed.embed([text], { kind: 'query', signal: request.signal }).then(
      ([made]) => {
        over()
        return made as Float32Array
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
      if (!answered.signal.aborted) follow(vector)
      return SLOW
    })
    try {
      return await Promise.race([vector, patience])
    } finally {
      answered.abort()
    }
  }
  const stop = (): void => {
    isStopped = true
    for (const request of underWay) request.abort()
  }
  return Object.assign(vectorOf, { stop })

  /** Whatever becomes of it, nobody waits for it any more; the provider has counted a failure. */
  function follow(vector: Promise<unknown>): void {
    overdue += 1
    const over = (): void => {
      overdue -= 1
    }
    vector.then(over, over)
  }
}
