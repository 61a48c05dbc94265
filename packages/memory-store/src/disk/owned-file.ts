import { basename } from 'node:path'
import { StoreError } from '../errors.js'
import { HAS_POSIX_FILES, type FileStat, type FileSystem, type OpenFile, type OpenMode } from './file-system.js'
import { errnoOf, onDisk, storageError } from './storage-error.js'

export type OwnedKind = 'file' | 'directory'

/** Why a file is refused, or undefined. `uid` is the user's own; undefined where the platform has none. */
export function ownershipFault(stat: FileStat, kind: OwnedKind, uid: number | undefined): string | undefined {
  if (stat.kind === 'symlink') return 'is a symbolic link'
  if (stat.kind !== kind) return `is not a ${kind === 'file' ? 'regular file' : 'directory'}`
  if (uid === undefined) return undefined
  if (stat.uid !== uid) return 'belongs to another user'
  // A directory has a link for each of its children; only of a file a second one means a second name.
  if (kind === 'file' && stat.links > 1) return `has ${stat.links} hard links`
  return undefined
}

const ownUid = (): number | undefined => (HAS_POSIX_FILES ? process.getuid?.() : undefined)

function refuseUnowned(stat: FileStat, kind: OwnedKind, path: string): void {
  const fault = ownershipFault(stat, kind, ownUid())
  if (fault === undefined) return
  throw new StoreError(
    'path_unsafe',
    `${basename(path)} ${fault}. Nothing was written. Replace it by an ordinary ${kind} of your own.`,
  )
}

/**
 * The one check of owner, links and kind (FMT-1), by `lstat` alone: looking at a file this way cannot free its locks.
 * Where the platform has no POSIX owners, links and owners are not looked at.
 * @returns undefined if there is nothing of that name
 * @throws {StoreError} path_unsafe, storage_failed
 */
export function checkOwned(fs: FileSystem, path: string, kind: OwnedKind): FileStat | undefined {
  const stat = onDisk('look at', path, () => fs.lstat(path))
  if (stat !== undefined) refuseUnowned(stat, kind, path)
  return stat
}

/**
 * Opens an existing file and checks what was opened, so that nothing can be put in its place between look and use.
 * Never for `.writer-lease`: closing any descriptor of it frees the lease.
 * @returns undefined if there is nothing of that name
 * @throws {StoreError} path_unsafe, storage_failed
 */
export function openOwned(fs: FileSystem, path: string, mode: Exclude<OpenMode, 'create'>): OpenFile | undefined {
  // Before opening too: what opening a device or a pipe does cannot be undone.
  if (checkOwned(fs, path, 'file') === undefined) return undefined
  let file: OpenFile
  try {
    file = fs.open(path, mode)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw storageError(error, 'open', path)
  }
  try {
    refuseUnowned(
      onDisk('look at', path, () => file.stat()),
      'file',
      path,
    )
    return file
  } catch (error) {
    file.close()
    throw error
  }
}
