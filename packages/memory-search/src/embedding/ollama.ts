import type { Ollama } from 'ollama'
import { resolveApiKey } from './api-key.js'
import { contextLimitOf } from './context-limit.js'
import { parseEndpoint } from './endpoint.js'
import { withEmbeddingFetch } from './guarded-fetch.js'
import { instructionsOf } from './instructions.js'
import { familyOf } from './model-families.js'
import type { EmbeddingConfig, EmbeddingParts } from './service-config.js'
import type { VectorSource } from './vector-source.js'

function ollamaKey(config: EmbeddingConfig, parts: EmbeddingParts): string | undefined {
  return resolveApiKey(config, parts.env ?? (() => undefined))
}

/**
 * Runs `call` with a client whose requests end with `signal`: the client itself cancels only streams, and all at once,
 * so each call has its own.
 */
export async function withOllama<T>(
  config: EmbeddingConfig,
  parts: EmbeddingParts,
  signal: AbortSignal,
  call: (client: Ollama) => Promise<T>,
): Promise<T> {
  const host = parseEndpoint(config.endpoint)
  const apiKey = ollamaKey(config, parts)
  return withEmbeddingFetch({ fetch: parts.fetch ?? globalThis.fetch, signal, apiKey }, async (fetch) => {
    const { Ollama: Client } = await import('ollama') // loaded when it is needed, not by every store
    return call(new Client({ host, fetch }))
  })
}

/** Ollama's `/api/embed`. It is told not to cut texts itself, where the cut would be neither seen nor counted (SEA-3). */
export function ollamaSource(config: EmbeddingConfig, parts: EmbeddingParts): VectorSource {
  parseEndpoint(config.endpoint) // refused at once, not at the first request
  const { model, dim } = config
  const dimensions = familyOf(model)?.hasSelectableDimension === true ? { dimensions: dim } : {}
  return {
    provider: 'ollama',
    model,
    dimension: dim,
    instructions: instructionsOf(model, config.instructions),
    contextLimit: contextLimitOf(model, config.contextTokens),
    checkKey: () => void ollamaKey(config, parts),
    request: (texts, { signal }) =>
      withOllama(config, parts, signal, async (client) => {
        const answer: unknown = await client.embed({ model, input: [...texts], truncate: false, ...dimensions })
        return (answer as { embeddings?: unknown } | null)?.embeddings
      }),
  }
}
