import { parseEndpoint } from './endpoint.js'
import { openAiProtocol } from './openai.js'
import type { EmbeddingConfig, EmbeddingParts } from './service-config.js'
import type { VectorSource } from './vector-source.js'

/** LM Studio's root, whether or not it is given with the `/v1` of its OpenAI protocol. */
export function lmStudioRoot(endpoint: string): string {
  return parseEndpoint(endpoint).replace(/\/v1$/, '')
}

/** LM Studio's `/v1/embeddings` under the service root. */
export function lmStudioSource(config: EmbeddingConfig, parts: EmbeddingParts): VectorSource {
  return openAiProtocol('lm-studio', config, parts, `${lmStudioRoot(config.endpoint)}/v1`)
}
