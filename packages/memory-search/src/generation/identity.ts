import type { FileSystem } from '@mono-agent/memory-store'
import { SearchError, searchError } from '../errors.js'
import type { IndexIdentity } from '../types.js'
import { loadManifest, type Manifest } from './manifest.js'

const PARTS = ['tier', 'provider', 'model', 'dimension', 'fingerprint'] as const

/** @throws {SearchError} configured_identity_mismatch, naming the parts that differ (OPS-4) */
export function requireIdentity(built: Manifest['identity'], configured: IndexIdentity): void {
  const different = PARTS.filter((part) => built[part] !== configured[part])
  if (different.length > 0) throw searchError('configured_identity_mismatch', `different: ${different.join(', ')}`)
}

/**
 * Refuses an index that was built for something else, before anything is written (OPS-4). A manifest that is missing, or
 * that cannot be read where the tier may build its index anew, is left to the opening itself.
 * @throws {SearchError} configured_identity_mismatch; index_newer; manifest_invalid unless the tier is lite
 */
export function checkIndexIdentity(options: {
  readonly root: string
  readonly fs: FileSystem
  readonly identity: IndexIdentity
}): void {
  const manifest = loadUsableManifest(options.fs, options.root, options.identity)
  if (manifest !== undefined) requireIdentity(manifest.identity, options.identity)
}

/** The manifest; undefined if there is none, or none that can be read and the tier rebuilds by itself (OPS-5). */
export function loadUsableManifest(fs: FileSystem, root: string, { tier }: IndexIdentity): Manifest | undefined {
  try {
    return loadManifest(fs, root)
  } catch (error) {
    if (tier === 'lite' && error instanceof SearchError && error.code === 'manifest_invalid') return undefined
    throw error
  }
}
