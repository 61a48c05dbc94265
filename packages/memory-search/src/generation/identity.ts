import type { FileSystem, WriterLease } from '@mono-agent/memory-store'
import { SearchError, searchError } from '../errors.js'
import type { IndexIdentity } from '../types.js'
import { removeObstructions } from './index-paths.js'
import { loadManifest, type Manifest } from './manifest.js'

const PARTS = ['tier', 'provider', 'model', 'dimension', 'fingerprint'] as const

/** @throws {SearchError} configured_identity_mismatch, naming the parts that differ, as they were built (OPS-4) */
export function requireIdentity(
  built: Manifest['identity'],
  configured: IndexIdentity,
  say: (has: string) => string = (has) => `the index has ${has}`,
): void {
  const different = PARTS.filter((part) => built[part] !== configured[part])
  if (different.length === 0) return
  const named = different.flatMap((part) => {
    const value = part === 'fingerprint' ? undefined : built[part]
    return value === undefined ? [] : [`${part} ${value}`]
  })
  const detail = named.length === 0 ? 'other task instructions' : named.join(', ')
  throw searchError('configured_identity_mismatch', say(detail))
}

/**
 * Refuses an index that was built for something else, before anything is written (OPS-4). A manifest that is missing, or
 * that cannot be read where the tier may build its index anew, is left to the opening itself.
 * @throws {SearchError} configured_identity_mismatch; index_newer; index_obstructed; manifest_invalid unless the tier is
 *   lite
 */
export function checkIndexIdentity(options: {
  readonly root: string
  readonly fs: FileSystem
  readonly identity: IndexIdentity
}): void {
  const manifest = loadUsableManifest(options.fs, options.root, options.identity)
  if (manifest !== undefined) requireIdentity(manifest.identity, options.identity)
}

/**
 * The same before a rebuild, which cures all of it but one: an index of a newer version is left as it is. What stands in
 * the way of the index is removed.
 * @throws {SearchError} index_newer  @throws {StoreError} path_unsafe, storage_failed, lease_lost
 */
export function prepareRebuild({
  root,
  fs,
  lease,
}: {
  readonly root: string
  readonly fs: FileSystem
  readonly lease: WriterLease
}): void {
  lease.assertHeld()
  removeObstructions(fs, root)
  try {
    loadManifest(fs, root)
  } catch (error) {
    if (!(error instanceof SearchError) || error.code !== 'manifest_invalid') throw error
  }
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
