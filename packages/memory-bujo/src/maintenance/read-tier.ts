import { locateRoot, nodeFileSystem, onDisk, type FileSystem } from '@mono-agent/memory-store'
import { readIndexManifest, type IndexIdentity } from '@mono-agent/memory-search'

export interface StoreTier {
  /** What the index of the root was built for. */
  readonly identity: IndexIdentity
}

/**
 * What the store of a root says that it is, without a configuration; undefined where there is no store, or none that has an
 * index. Opens no database and takes no lease.
 * @param path  as the user gave it
 * @throws {SearchError} manifest_invalid, index_newer, index_obstructed  @throws {StoreError} path_unsafe
 */
export function readTier(path: string, fs: FileSystem = nodeFileSystem): StoreTier | undefined {
  if (onDisk('look at', path, () => fs.lstat(path)) === undefined) return undefined
  const manifest = readIndexManifest(fs, locateRoot(fs, path))
  return manifest === undefined ? undefined : { identity: manifest.identity }
}
