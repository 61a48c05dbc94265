import { createEmbeddingProvider, guardProvider, type EmbeddingProvider } from '@mono-agent/memory-search'
import type { MemoryConfig } from '../config.js'
import { BujoError } from '../errors.js'
import type { Host } from '../host.js'
import { requireEmbeddings } from '../injected-parts.js'

/** The host's own provider, if it injects one, else the one the configuration names. */
export function embeddingsOf({ embeddings }: Pick<MemoryConfig, 'embeddings'>, host: Host): EmbeddingProvider {
  if (embeddings === undefined) {
    throw new BujoError('config_invalid', 'memory.embeddings: is required. Nothing was opened. Add the block.')
  }
  const { embed, env, fetch, monotonicNow, sleep } = host
  if (embed === undefined) return createEmbeddingProvider(embeddings, { env, fetch, monotonicNow, sleep })
  requireEmbeddings('embed', embed)
  if (embed.identity.dimension !== embeddings.dim) {
    throw new BujoError(
      'config_invalid',
      `memory.embeddings.dim: is ${embeddings.dim}, but the injected provider makes vectors of ` +
        `${embed.identity.dimension} dimensions. Nothing was opened. Make them agree.`,
    )
  }
  return guardProvider(embed)
}
