import { parseMemoryConfig, type MemoryConfig, type MemoryConfigInput } from './config.js'
import { BujoError } from './errors.js'
import { openBuiltInStore } from './built-in-store.js'
import { createEvents } from './events.js'
import { completeHost } from './host.js'
import { liteTier } from './tiers/lite.js'
import type { Tier } from './tiers/tier.js'
import type { BuiltInMemoryStore, HostParts } from './types.js'

/**
 * Opens the store that a `memory` block describes, for writing, and recovers what a crash left (CFG-6).
 * @param config  the block as a person wrote it; it is parsed here
 * @param host  injected parts: clock, randomness, file system, listener
 * @throws {BujoError} `config_invalid`, `tier_unavailable`  @throws {StoreError} `writer_active`, `path_unsafe`, `storage_failed`
 * @throws {SearchError} `configured_identity_mismatch`  @throws {IntakeError} `intake_invalid`
 */
export async function createMemoryStore(config: MemoryConfigInput, host?: HostParts): Promise<BuiltInMemoryStore> {
  const parsed = parseMemoryConfig(config)
  const tier = tierOf(parsed.config)
  const parts = completeHost(host)
  const events = createEvents(parts)
  for (const message of parsed.warnings) events.emit({ kind: 'config_warning', message })
  return openBuiltInStore(parsed.config, tier, parts)
}

/** The tier of a configuration; never a smaller one in its place (CFG-1). */
export function tierOf({ mode }: Pick<MemoryConfig, 'mode'>): Tier {
  if (mode === 'lite') return liteTier
  throw new BujoError(
    'tier_unavailable',
    `This version builds lite only; the configuration asks for ${mode}. Nothing was opened.`,
  )
}
