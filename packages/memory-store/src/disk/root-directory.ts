import { basename, dirname, join, resolve } from 'node:path'
import { StoreError } from '../errors.js'
import { HAS_POSIX_FILES, type FileSystem } from './file-system.js'
import { checkOwned } from './owned-file.js'
import { errnoOf, onDisk, storageError } from './storage-error.js'
import { ensureDirectory, makeDurably } from './sync-directories.js'

const OWNER_ONLY = 0o700

/** Where the root really is: its parent may be reached through links, the root itself may not be one (FMT-1). */
export function locateRoot(fs: FileSystem, path: string): string {
  const absolute = resolve(path)
  if (absolute === dirname(absolute)) {
    throw new StoreError('path_unsafe', 'The root of the file system cannot be a store. Name a directory of its own.')
  }
  return join(
    onDisk('find the parent of', absolute, () => fs.resolve(dirname(absolute))),
    basename(absolute),
  )
}

async function makeParents(fs: FileSystem, directory: string): Promise<void> {
  // lstat, not resolve: a link that leads nowhere is refused by `locateRoot`, not built upon.
  if (onDisk('look at', directory, () => fs.lstat(directory)) !== undefined) return
  await makeParents(fs, dirname(directory))
  await makeDurably(fs, directory)
}

/**
 * A root that is there may have been made by a process that was killed before it flushed the name. A parent that its user
 * may not read cannot be flushed at all; whoever put a root there had other means.
 */
async function flushParentOfFound(fs: FileSystem, root: string): Promise<void> {
  try {
    await fs.syncDirectory(dirname(root))
  } catch (error) {
    const code = errnoOf(error)
    if (code !== 'EACCES' && code !== 'EPERM') throw storageError(error, 'flush the directory of', root, 'unknown')
  }
}

/**
 * The root, ready for a writer: made if missing (with its parents, every name flushed), a directory of one's own, and
 * closed to others: wider modes are tightened to 0700, because a checkout or a copy makes them by the umask.
 * @returns the resolved path
 * @throws {StoreError} path_unsafe, storage_failed
 */
export async function prepareRoot(fs: FileSystem, path: string): Promise<string> {
  await makeParents(fs, dirname(resolve(path)))
  const root = locateRoot(fs, path)
  const found = checkOwned(fs, root, 'directory')
  if (found === undefined) {
    await ensureDirectory(fs, root)
  } else {
    await flushParentOfFound(fs, root)
    if (HAS_POSIX_FILES && (found.mode & 0o777) !== OWNER_ONLY)
      onDisk('restrict', root, () => fs.chmod(root, OWNER_ONLY))
  }
  return root
}
