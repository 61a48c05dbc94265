import { parseMemoryConfig, type MemoryConfigInput } from './config.js'
import { openBuiltInStore } from './built-in-store.js'
import { createEvents } from './events.js'
import { completeHost } from './host.js'
import { tierOf } from './tiers/tier-of.js'
import type { BuiltInMemoryStore, HostParts } from './types.js'

/**
 * Opens the store that a `memory` block describes, for writing, and recovers what a crash left (CFG-6).
 * @param config  the block as a person wrote it; it is parsed here
 * @param host  injected parts: clock, randomness, file system, listener
 * @throws {BujoError} `config_invalid`, `outbox_invalid`  @throws {StoreError} `writer_active`, `path_unsafe`, `storage_failed`
 * @throws {SearchError} `configured_identity_mismatch`  @throws {IntakeError} `intake_invalid`
 */
export async function createMemoryStore(config: MemoryConfigInput, host?: HostParts): Promise<BuiltInMemoryStore> {
  const parsed = parseMemoryConfig(config)
  const parts = completeHost(host)
  const tier = tierOf(parsed.config, parts)
  const events = createEvents(parts)
  for (const message of parsed.warnings) events.emit({ kind: 'config_warning', message })
  return openBuiltInStore(parsed.config, tier, parts)
}
