import { rollbackIndex, type RollbackReport } from '@mono-agent/memory-search'
import { withStoppedStore } from './stopped-store.js'
import type { OperatorOptions } from './types.js'

/**
 * Goes back to the index that the last rebuild replaced, with the very answers it gave (OPS-3). The options are those of
 * the configuration to go back to. The index in use until now is kept in its turn, so that a second rollback undoes the
 * first. Needs a stopped store; asks no model and no embedding service. If it fails, the present index stays in use.
 * @throws {SearchError} `rollback_unavailable`: none is offered; `configured_identity_mismatch`: it is for another
 *   configuration; `source_changed`: day files changed since; `previous_damaged`; `manifest_missing`, `manifest_invalid`
 * @throws {StoreError} `writer_active`, `storage_failed`  @throws {BujoError} `root_missing`
 */
export function rollbackMemoryIndex(
  options: Omit<OperatorOptions, 'onProgress' | 'onVectorProgress' | 'signal'>,
): Promise<RollbackReport> {
  return withStoppedStore({ ...options, rollsIndexBack: true }, ({ opened, tier, host }) =>
    rollbackIndex({ root: opened.root, fs: host.fs, lease: opened.lease, identity: tier.identity, now: host.now }),
  )
}
