import type { EmbeddingProvider } from '@mono-agent/memory-search'
import type { MemoryConfig } from '../config.js'
import type { Host } from '../host.js'
import { queryVectors } from '../recall/query-vector.js'
import { embeddingsOf } from './embeddings-of.js'
import type { ReadingTier } from './tier.js'

/** By words alone; no service, no model. */
export const lexicalReading: ReadingTier = { identity: { tier: 'lite' } }

/** By words and meaning. */
export function hybridReading(
  tier: 'journal' | 'bujo',
  embed: EmbeddingProvider,
  { sleep }: Pick<Host, 'sleep'>,
): ReadingTier {
  const vectorOf = queryVectors(embed, sleep)
  return { identity: { tier, ...embed.identity }, embed, vectorOf, stop: () => vectorOf.stop() }
}

/**
 * How a store of this configuration is read; asks for no chat model, which readers and operators need none of (CFG-1).
 * @throws {BujoError} `config_invalid`  @throws {EmbeddingError} `embedding_endpoint_invalid`
 */
export function readingTierOf(config: Pick<MemoryConfig, 'mode' | 'embeddings'>, host: Host): ReadingTier {
  return config.mode === 'lite' ? lexicalReading : hybridReading(config.mode, embeddingsOf(config, host), host)
}
