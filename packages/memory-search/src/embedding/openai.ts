import type OpenAI from 'openai'
import { isOpenAiItself } from '../service/endpoint.js'
import { resolveApiKey } from './api-key.js'
import { contextLimitOf } from './context-limit.js'
import { REQUEST_TIMEOUT_MS } from './deadline.js'
import { parseEndpoint } from './endpoint.js'
import { EmbeddingError } from './errors.js'
import { withEmbeddingFetch } from './guarded-fetch.js'
import { instructionsOf } from './instructions.js'
import type { EmbeddingConfig, EmbeddingParts } from './service-config.js'
import type { VectorSource } from './vector-source.js'

/** Only OpenAI's own models of this family take `dimensions`; compatible servers refuse it for others. */
const TAKES_DIMENSIONS = /^text-embedding-3-/

/**
 * The key for this configuration; undefined for a compatible service without keys.
 * @throws {EmbeddingError} `embedding_key_missing`, `embedding_endpoint_invalid`
 */
export function openAiKey(config: EmbeddingConfig, parts: EmbeddingParts): string | undefined {
  const apiKey = resolveApiKey(config, parts.env ?? (() => undefined))
  if (apiKey === undefined && isOpenAiItself(parseEndpoint(config.endpoint))) {
    throw new EmbeddingError('embedding_key_missing', { detail: 'neither apiKeyEnv nor apiKey is declared' })
  }
  return apiKey
}

/** OpenAI's `/embeddings`, and that of whoever speaks its protocol. */
export function openAiSource(config: EmbeddingConfig, parts: EmbeddingParts): VectorSource {
  return openAiProtocol('openai', config, parts, parseEndpoint(config.endpoint))
}

export function openAiProtocol(
  provider: 'openai' | 'lm-studio',
  config: EmbeddingConfig,
  parts: EmbeddingParts,
  baseURL: string,
): VectorSource {
  const { model, dim } = config
  const dimensions = TAKES_DIMENSIONS.test(model) ? { dimensions: dim } : {}
  return {
    provider,
    model,
    dimension: dim,
    instructions: instructionsOf(model, config.instructions),
    contextLimit: contextLimitOf(model, config.contextTokens),
    checkKey: () => void openAiKey(config, parts),
    async request(texts, { signal }) {
      const apiKey = openAiKey(config, parts)
      const answer = await withEmbeddingFetch(
        { fetch: parts.fetch ?? globalThis.fetch, signal, apiKey },
        async (fetch) => {
          const client = await createClient(baseURL, fetch)
          return client.embeddings.create({ model, input: [...texts], encoding_format: 'float', ...dimensions })
        },
      )
      return vectorsInOrder(answer)
    },
  }
}

/** Everything that the client would otherwise take from the environment is said. The guarded `fetch` sends the key. */
async function createClient(baseURL: string, fetch: typeof globalThis.fetch): Promise<OpenAI> {
  // Loaded when it is needed: it takes 0.1 s, which a store without embeddings need not wait for.
  const { default: Client } = await import('openai')
  return new Client({
    baseURL,
    fetch,
    apiKey: 'sent-by-fetch',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    // Beyond the deadline of the request, which cancels it; the client's own cannot be injected.
    timeout: 2 * REQUEST_TIMEOUT_MS,
  })
}

/** The list by its `index`, which alone says what belongs to which text; servers that leave it out keep the order. */
function vectorsInOrder(answer: unknown): unknown {
  const data = (answer as { data?: unknown } | null | undefined)?.data
  if (!Array.isArray(data)) return undefined
  const items = data as ({ index?: unknown; embedding?: unknown } | null)[]
  if (items.every((item) => item?.index === undefined)) return items.map((item) => item?.embedding)
  const vectors = new Map(items.map((item) => [item?.index, item?.embedding]))
  const isComplete = vectors.size === items.length && items.every((_, index) => vectors.has(index))
  if (!isComplete) throw new EmbeddingError('embedding_invalid', { detail: 'the indices of the vectors are no order' })
  return items.map((_, index) => vectors.get(index))
}
