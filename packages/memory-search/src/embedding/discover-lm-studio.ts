import * as z from 'zod'
import { resolveApiKey } from './api-key.js'
import { EmbeddingError } from './errors.js'
import { withEmbeddingFetch } from './guarded-fetch.js'
import { lmStudioRoot } from './lm-studio.js'
import type { EmbeddingConfig, EmbeddingParts } from './service-config.js'

const models = z.object({ models: z.array(z.object({ key: z.string(), type: z.string() })) })

/**
 * Whether LM Studio holds the model under its exact key, of type `embedding` (OPS-9).
 * @returns what was found out, for people
 * @throws {EmbeddingError} `embedding_model_missing`, `embedding_model_unfit`, or as requests do
 */
export async function discoverLmStudio(
  config: EmbeddingConfig,
  parts: EmbeddingParts,
  signal: AbortSignal,
): Promise<string> {
  const { model } = config
  const url = `${lmStudioRoot(config.endpoint)}/api/v1/models`
  const apiKey = resolveApiKey(config, parts.env ?? (() => undefined))
  const answer: unknown = await withEmbeddingFetch(
    { fetch: parts.fetch ?? globalThis.fetch, signal, apiKey },
    async (fetch) => (await fetch(url, { headers: { accept: 'application/json' } })).json(),
  )
  const listed = models.safeParse(answer)
  if (!listed.success)
    throw new EmbeddingError('embedding_invalid', {
      detail: '/api/v1/models is no list of models; it needs LM Studio 0.4',
    })
  const found = listed.data.models.find(({ key }) => key === model)
  if (found === undefined) throw new EmbeddingError('embedding_model_missing', { detail: model })
  if (found.type !== 'embedding')
    throw new EmbeddingError('embedding_model_unfit', { detail: `${model} is of type ${found.type}` })
  return `LM Studio holds ${model}, a model for embeddings`
}
