import * as z from 'zod'
import { EmbeddingError } from './errors.js'
import { withOllama } from './ollama.js'
import type { EmbeddingConfig, EmbeddingParts } from './service-config.js'

const tags = z.object({ models: z.array(z.object({ name: z.string() })) })
const shown = z.object({ capabilities: z.array(z.string()).optional() })

/** Ollama knows a model named without a tag by this one. */
const DEFAULT_TAG = 'latest'

/**
 * Whether Ollama holds the model under its exact tag, and for embeddings (OPS-9). Versions that do not tell capabilities
 * leave that to the probe.
 * @returns what was found out, for people
 * @throws {EmbeddingError} `embedding_model_missing`, `embedding_model_unfit`, or as requests do
 */
export async function discoverOllama(
  config: EmbeddingConfig,
  parts: EmbeddingParts,
  signal: AbortSignal,
): Promise<string> {
  const { model } = config
  const exact = model.slice(model.lastIndexOf('/') + 1).includes(':') ? model : `${model}:${DEFAULT_TAG}`
  const listed = tags.safeParse(await withOllama(config, parts, signal, (client) => client.list()))
  if (!listed.success) throw new EmbeddingError('embedding_invalid', { detail: '/api/tags is no list of models' })
  if (!listed.data.models.some(({ name }) => name === exact)) {
    throw new EmbeddingError('embedding_model_missing', { detail: `${exact}; run \`ollama pull ${exact}\`` })
  }
  const told = shown.safeParse(await withOllama(config, parts, signal, (client) => client.show({ model: exact })))
  if (!told.success) throw new EmbeddingError('embedding_invalid', { detail: '/api/show tells no capabilities' })
  const { capabilities } = told.data
  if (capabilities === undefined) return `Ollama holds ${exact}; this version does not tell what it is for`
  if (!capabilities.includes('embedding')) throw new EmbeddingError('embedding_model_unfit', { detail: exact })
  return `Ollama holds ${exact}, a model for embeddings`
}
