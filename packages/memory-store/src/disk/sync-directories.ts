import { dirname } from 'node:path'
import type { FileSystem } from './file-system.js'
import { checkOwned } from './owned-file.js'
import { errnoOf, flushed, storageError } from './storage-error.js'

/** Makes a directory (0700), if nobody just did, and flushes its name. @throws {StoreError} storage_failed */
export async function makeDurably(fs: FileSystem, path: string): Promise<void> {
  try {
    fs.makeDirectory(path)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw storageError(error, 'make', path, 'not_written')
  }
  await flushed('flush the directory of', path, () => fs.syncDirectory(dirname(path)))
}

/**
 * Makes a directory of one's own (0700) and its name durable; its parent exists. The name of one that is there already is
 * flushed all the same: a killed process may have left it in the cache only.
 * @throws {StoreError} path_unsafe, storage_failed
 */
export async function ensureDirectory(fs: FileSystem, path: string): Promise<void> {
  checkOwned(fs, path, 'directory')
  await makeDurably(fs, path)
  checkOwned(fs, path, 'directory')
}

/**
 * Flushes these directories, so that every name found in them is durable before recovery builds on it (FMT-11). What
 * does not exist is passed over.
 * @throws {StoreError} path_unsafe, storage_failed
 */
export async function syncDirectories(fs: FileSystem, directories: readonly string[]): Promise<void> {
  for (const directory of directories) {
    if (checkOwned(fs, directory, 'directory') === undefined) continue
    await flushed('flush', directory, () => fs.syncDirectory(directory))
  }
}
