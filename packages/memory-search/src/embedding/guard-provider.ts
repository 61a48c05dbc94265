import { MemoryError } from '@mono-agent/memory-store'
import { isSoundVector } from '../sqlite/vector-rows.js'
import { checkVectors } from './check-vectors.js'
import { MAX_BATCH } from './complete-source.js'
import type { EmbeddingProvider, EmbedOptions } from './embedding-provider.js'
import { EmbeddingError } from './errors.js'

/**
 * A host's own provider, held to what the port promises: sound vectors, typed errors, and an end when the signal aborts
 * even if it does not listen. Recall, closing and rebuilds rely on all three. It is never handed more than `MAX_BATCH`
 * texts, as no built-in service is (SEA-4), and its calls are counted where it does not count them itself.
 */
export function guardProvider(provider: EmbeddingProvider): EmbeddingProvider {
  const { dimension } = provider.identity
  let requests = 0

  async function request(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    const { signal } = options
    signal?.throwIfAborted()
    requests += 1
    let answer: unknown
    try {
      answer = await untilAborted(provider.embed(texts, options), signal)
    } catch (error) {
      signal?.throwIfAborted()
      // What a host throws may quote a text: it is kept as the cause and not repeated. Typed errors quote nothing, and
      // one that is no EmbeddingError says that asking was a mistake: recall passes it on instead of going without.
      throw error instanceof MemoryError ? error : new EmbeddingError('embedding_unavailable', { cause: error })
    }
    return isSound(answer, texts.length, dimension) ? answer : checkVectors(answer, texts.length, dimension)
  }

  return {
    id: provider.id,
    identity: provider.identity,
    counts: () => provider.counts?.() ?? { requests },
    async embed(texts, options) {
      options.signal?.throwIfAborted()
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += MAX_BATCH) {
        vectors.push(...(await request(texts.slice(at, at + MAX_BATCH), options)))
      }
      return vectors
    },
  }
}

/** Left as they are: normalising again could change the last digit of a score. */
function isSound(answer: unknown, count: number, dimension: number): answer is Float32Array[] {
  return (
    Array.isArray(answer) &&
    answer.length === count &&
    answer.every((vector) => vector instanceof Float32Array && isSoundVector(vector, dimension))
  )
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  const over = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: over.signal })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    over.abort()
  }
}
