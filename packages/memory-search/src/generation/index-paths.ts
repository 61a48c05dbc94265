import { checkOwned, layout, onDisk, type FileStat, type FileSystem, type OwnedKind } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { searchError } from '../errors.js'

/** Places a build needs, from the outside in, and what has to be there. */
const PLACES: readonly (readonly [path: string, kind: OwnedKind])[] = [
  [layout.index, 'directory'],
  [layout.generations, 'directory'],
  [layout.manifest, 'file'],
  [layout.runtime, 'file'],
]

const isInTheWay = (stat: FileStat | undefined, kind: OwnedKind): boolean =>
  stat !== undefined && stat.kind !== kind && (stat.kind === 'file' || stat.kind === 'directory')

/**
 * One look at a place of the index; its directory was looked at before.
 * @param path  relative to the root
 * @returns undefined if nothing is there
 * @throws {SearchError} index_obstructed: a file where a directory has to be, or the other way round
 * @throws {StoreError} path_unsafe: a link or another owner
 */
export function checkIndexPath(fs: FileSystem, root: string, path: string, kind: OwnedKind): FileStat | undefined {
  const stat = onDisk('look at', path, () => fs.lstat(join(root, path)))
  if (isInTheWay(stat, kind)) throw searchError('index_obstructed', `${path} is no ${kind}`)
  return checkOwned(fs, join(root, path), kind)
}

/**
 * Removes what stands in the way of a build: only an operator asks for that, since a person may have put it there. Links
 * and what is not one's own are refused, as everywhere (FMT-1).
 * @throws {StoreError} path_unsafe, storage_failed
 */
export function removeObstructions(fs: FileSystem, root: string): void {
  for (const [path, kind] of PLACES) {
    const stat = onDisk('look at', path, () => fs.lstat(join(root, path)))
    if (stat === undefined) {
      if (kind === 'directory') return // nothing is in it
      continue
    }
    if (!isInTheWay(stat, kind)) {
      checkOwned(fs, join(root, path), kind)
      continue
    }
    checkOwned(fs, join(root, path), kind === 'file' ? 'directory' : 'file')
    removeTree(fs, join(root, path))
  }
}

/** Removes a file, or a directory with all that is in it; links are removed, not followed. */
export function removeTree(fs: FileSystem, path: string): void {
  onDisk('remove', path, () => {
    if (fs.lstat(path)?.kind !== 'directory') return fs.remove(path)
    for (const name of fs.list(path)) removeTree(fs, join(path, name))
    fs.removeDirectory(path)
  })
}
