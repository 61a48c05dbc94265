import { createEmbeddingProvider, guardProvider, type EmbeddingProvider } from '@mono-agent/memory-search'
import type { MemoryConfig } from '../config.js'
import { BujoError } from '../errors.js'
import type { Host } from '../host.js'
import { journalTier } from './journal.js'
import { liteTier } from './lite.js'
import type { Tier } from './tier.js'

/**
 * The tier of a configuration; never a smaller one in its place (CFG-1). Nothing is sent to a service yet.
 * @throws {BujoError} `tier_unavailable`, `config_invalid`  @throws {EmbeddingError} `embedding_endpoint_invalid`
 */
export function tierOf(config: Pick<MemoryConfig, 'mode' | 'embeddings'>, host: Host): Tier {
  const { mode } = config
  if (mode === 'lite') return liteTier(host)
  if (mode === 'journal') return journalTier(embeddingsOf(config, host), host)
  throw new BujoError(
    'tier_unavailable',
    `This version builds lite and journal; the configuration asks for ${mode}. Nothing was opened.`,
  )
}

/** The host's own provider, if it injects one, else the one the configuration names. */
function embeddingsOf({ embeddings }: Pick<MemoryConfig, 'embeddings'>, host: Host): EmbeddingProvider {
  if (embeddings === undefined) {
    throw new BujoError('config_invalid', 'memory.embeddings: is required. Nothing was opened. Add the block.')
  }
  const { embed, env, fetch, monotonicNow, sleep } = host
  if (embed === undefined) return createEmbeddingProvider(embeddings, { env, fetch, monotonicNow, sleep })
  if (embed.identity.dimension !== embeddings.dim) {
    throw new BujoError(
      'config_invalid',
      `memory.embeddings.dim: is ${embeddings.dim}, but the injected provider makes vectors of ` +
        `${embed.identity.dimension} dimensions. Nothing was opened. Make them agree.`,
    )
  }
  return guardProvider(embed)
}
