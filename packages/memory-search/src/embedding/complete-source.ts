import { normaliseContent, sha256Hex, toWellFormed } from '@mono-agent/memory-store'
import type { Sleep } from '../service/deadline.js'
import { checkVectors } from './check-vectors.js'
import { CircuitBreaker, type CircuitState } from './circuit-breaker.js'
import { cutToContext } from './context-limit.js'
import { withRequestDeadline } from './deadline.js'
import type { EmbeddingKind, EmbeddingProvider, EmbedOptions } from './embedding-provider.js'
import { EmbeddingError } from './errors.js'
import { identityOf } from './fingerprint.js'
import { QueryCache } from './query-cache.js'
import type { VectorSource } from './vector-source.js'

/** Texts a request (SEA-4). */
export const MAX_BATCH = 32

/** Since the provider was made. */
export interface EmbeddingCounts {
  /** Requests that were sent. */
  readonly requests: number
  /** Texts in them. */
  readonly texts: number
  /** Requests that failed; those the caller cancelled did not. */
  readonly failures: number
  /** Vectors handed out of texts that had to be cut. */
  readonly cutTexts: number
  /** Query vectors that cost no request. */
  readonly cacheHits: number
}

export interface CompleteEmbeddingProvider extends EmbeddingProvider {
  counts(): EmbeddingCounts
  readonly circuit: CircuitState
}

export interface Patience {
  readonly monotonicNow: () => number
  readonly sleep: Sleep
}

type Options = Required<EmbedOptions>
/** A text as it is sent, and what it may still be cut to. */
interface Prepared {
  readonly whole: string
  readonly text: string
  readonly isCut: boolean
}

/** A source with all that the port promises: instructions, cut, batches, checks, patience, cache (SEA-2 … SEA-5). */
export function completeSource(source: VectorSource, { monotonicNow, sleep }: Patience): CompleteEmbeddingProvider {
  const { provider, model, dimension, instructions, contextLimit } = source
  const identity = identityOf({ provider, model, dimension, instructions })
  const breaker = new CircuitBreaker(monotonicNow)
  const cache = new QueryCache()
  const counts = { requests: 0, texts: 0, failures: 0, cutTexts: 0, cacheHits: 0 }

  function prepare(whole: string, kind: EmbeddingKind, maxBytes: number | undefined): Prepared {
    const prefix = typeof instructions === 'string' ? '' : instructions[kind]
    if (maxBytes === undefined) return { whole, text: prefix + whole, isCut: false }
    const cut = cutToContext(whole, Math.max(4, maxBytes - Buffer.byteLength(prefix)))
    return { whole, text: prefix + cut, isCut: cut.length < whole.length }
  }

  async function request(prepared: readonly Prepared[], { kind, signal }: Options): Promise<Float32Array[]> {
    signal.throwIfAborted()
    source.checkKey?.()
    const passage = breaker.enter()
    counts.requests += 1
    counts.texts += prepared.length
    try {
      const texts = prepared.map(({ text }) => text)
      const answer = await withRequestDeadline((cancel) => source.request(texts, { kind, signal: cancel }), {
        sleep,
        signal,
      })
      const vectors = checkVectors(answer, texts.length, dimension)
      passage.answered()
      return vectors
    } catch (error) {
      if (signal.aborted) {
        passage.abandoned()
        throw signal.reason
      }
      counts.failures += 1
      const failure =
        error instanceof EmbeddingError ? error : new EmbeddingError('embedding_unavailable', { cause: error })
      if (failure.concerns === 'text') passage.answered()
      else passage.failed(failure)
      throw failure
    }
  }

  /**
   * A text that is too long though it was likely to fit is cut again, to what fits for certain. Those that may be meant
   * are then sent one by one: what a text is cut to must not depend on its neighbours.
   */
  async function batch(wholes: readonly string[], options: Options): Promise<Float32Array[]> {
    const { kind } = options
    const prepared = wholes.map((whole) => prepare(whole, kind, contextLimit?.likelyBytes))
    try {
      return await requestCounted(prepared, options)
    } catch (error) {
      if (contextLimit === undefined || !isTooLong(error)) throw error
      const { certainBytes } = contextLimit
      const isSuspect = ({ text }: Prepared): boolean => Buffer.byteLength(text) > certainBytes
      if (!prepared.some(isSuspect)) throw error
      if (prepared.length === 1)
        return requestCounted(
          wholes.map((whole) => prepare(whole, kind, certainBytes)),
          options,
        )
      const safe = prepared.filter((one) => !isSuspect(one))
      const ofSafe = safe.length === 0 ? [] : await requestCounted(safe, options)
      const vectors: Float32Array[] = []
      for (const one of prepared) {
        if (isSuspect(one)) vectors.push(...(await batch([one.whole], options)))
        else vectors.push(ofSafe[safe.indexOf(one)] as Float32Array)
      }
      return vectors
    }
  }

  async function requestCounted(prepared: readonly Prepared[], options: Options): Promise<Float32Array[]> {
    const vectors = await request(prepared, options)
    counts.cutTexts += prepared.filter(({ isCut }) => isCut).length
    return vectors
  }

  async function inBatches(texts: readonly string[], options: Options): Promise<Float32Array[]> {
    const vectors: Float32Array[] = []
    for (let start = 0; start < texts.length; start += MAX_BATCH) {
      vectors.push(...(await batch(texts.slice(start, start + MAX_BATCH), options)))
    }
    return vectors
  }

  async function queries(texts: readonly string[], options: Options): Promise<Float32Array[]> {
    // Hashed: a query may be long, a key need not.
    const keyOf = (text: string): string => `${identity.fingerprint} ${sha256Hex(text)}`
    const normalised = texts.map(normaliseContent)
    const found = normalised.map((text) => cache.get(keyOf(text)))
    const missing = [...new Set(normalised.filter((_, index) => found[index] === undefined))]
    counts.cacheHits += found.filter((vector) => vector !== undefined).length
    const made = await inBatches(missing, options)
    made.forEach((vector, index) => cache.set(keyOf(missing[index] as string), vector))
    const byText = new Map(missing.map((text, index) => [text, made[index] as Float32Array]))
    return normalised.map((text, index) => found[index] ?? (byText.get(text) as Float32Array).slice())
  }

  return {
    id: `${provider}:${model}`,
    identity,
    async embed(texts, { kind, signal = new AbortController().signal }) {
      signal.throwIfAborted()
      if (kind === 'query') return queries(texts, { kind, signal })
      return inBatches(texts.map(toWellFormed), { kind, signal })
    },
    counts: () => ({ ...counts }),
    get circuit() {
      return breaker.state
    },
  }
}

function isTooLong(error: unknown): boolean {
  return error instanceof EmbeddingError && error.code === 'embedding_text_too_long'
}
