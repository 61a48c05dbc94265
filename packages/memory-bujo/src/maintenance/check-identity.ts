import { layout, locateRoot, onDisk, type FileSystem } from '@mono-agent/memory-store'
import {
  checkIndexIdentity,
  openIndexReader,
  readIndexManifest,
  SearchError,
  type IndexIdentity,
} from '@mono-agent/memory-search'
import { join } from 'node:path'

const FRESH = 'There is no store yet; the first start makes one for this configuration.'

export interface IdentityParts {
  readonly fs: FileSystem
  /** As the user gave it. */
  readonly path: string
  readonly identity: IndexIdentity
  readonly now: () => number
}

/**
 * Whether the index of a root is that of the configuration and can be opened (OPS-4, OPS-5); opens no service.
 * @returns what was found, for people
 * @throws {SearchError} what an opening would refuse, or for lite silently build anew  @throws {StoreError} path_unsafe
 */
export function checkIdentity({ fs, path, identity, now }: IdentityParts): string {
  const there = (place: string) => onDisk('look at', place, () => fs.lstat(place)) !== undefined
  if (!there(path)) return FRESH
  const root = locateRoot(fs, path)
  checkIndexIdentity({ root, fs, identity })
  const manifest = manifestOf(fs, root, identity)
  if (manifest === undefined) {
    // Only a root that has its marker was ever finished: before that, the next start makes the index (OPS-5).
    if (!there(join(root, layout.schemaMarker))) return FRESH
    if (identity.tier !== 'lite') throw new SearchError('manifest_missing', MISSING)
    return 'There is no index; the next start builds it from the day files.'
  }
  const fault = openedIndex({ root, fs, identity, now })
  if (fault === 'index_older') return 'The index was made by an earlier version; the next start brings it up to date.'
  if (fault !== undefined) return `The index cannot be used (${fault}); the next start builds it anew.`
  const { provider, model, dimension } = identity
  const made = model === undefined ? '' : `, ${provider ?? ''} ${model}, dimension ${dimension ?? 'unknown'}`
  return `The index is of ${identity.tier}${made}; generation ${manifest.generation}.`
}

const MISSING =
  'There is a store, but no index manifest. Nothing was written. Stop the agent and run `mono-agent-memory rebuild`.'

/** Undefined also where lite would build its index anew from a manifest that cannot be read. */
function manifestOf(fs: FileSystem, root: string, { tier }: IndexIdentity) {
  try {
    return readIndexManifest(fs, root)
  } catch (error) {
    if (tier === 'lite' && error instanceof SearchError && error.code === 'manifest_invalid') return undefined
    throw error
  }
}

/** Codes that lite mends by itself when it is opened for writing. */
const CURED_IN_LITE: ReadonlySet<string> = new Set(['database_missing', 'metadata_mismatch', 'sqlite_integrity_failed'])

/** Opens the database and lets go of it. @returns the code of a fault that the next start mends; undefined if all is well */
function openedIndex(options: Parameters<typeof openIndexReader>[0]): string | undefined {
  const isCured = (code: string): boolean =>
    code === 'index_older' || (options.identity.tier === 'lite' && CURED_IN_LITE.has(code))
  try {
    openIndexReader(options).close()
    return undefined
  } catch (error) {
    if (error instanceof SearchError && isCured(error.code)) return error.code
    throw error
  }
}
