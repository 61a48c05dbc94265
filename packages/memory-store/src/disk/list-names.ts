import type { FileSystem } from './file-system.js'
import { errnoOf, storageError } from './storage-error.js'

/**
 * Names in a directory, sorted by code unit; none where there is no such directory.
 * @throws {StoreError} storage_failed
 */
export function listNames(fs: FileSystem, directory: string): string[] {
  try {
    return fs.list(directory)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw storageError(error, 'list', directory)
  }
}
