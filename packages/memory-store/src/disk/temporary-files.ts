import { basename, dirname, join } from 'node:path'
import { formatTemporaryName, parseTemporaryName } from '../format/temporary-name.js'
import type { FileSystem } from './file-system.js'
import { isHeldOpen } from './held-open.js'
import { listNames } from './list-names.js'
import { onDisk, storageError } from './storage-error.js'
import type { WriterLease } from './lease.js'

/** A file under a reserved temporary name. */
export interface TemporaryFile {
  readonly path: string
  /** The writer that made it; of the live epoch it is work in progress, of any other it is debris (FMT-11). */
  readonly epoch: number
}

/** A reserved name beside `path`. @param number  counts the names that one writer gave */
export function temporaryPath(path: string, epoch: number, number: number): string {
  return join(dirname(path), formatTemporaryName({ target: basename(path), epoch, number }))
}

/** Temporaries right in a directory. A directory or link of such a name is a person's, and none. */
export function temporariesIn(fs: FileSystem, directory: string): TemporaryFile[] {
  return listNames(fs, directory).flatMap((name) => {
    const parsed = parseTemporaryName(name)
    const path = join(directory, name)
    if (parsed === undefined || onDisk('look at', path, () => fs.lstat(path))?.kind !== 'file') return []
    return [{ path, epoch: parsed.epoch }]
  })
}

/** Temporaries right in these directories; one that does not exist has none. @throws {StoreError} storage_failed */
export function listTemporaries(fs: FileSystem, directories: readonly string[]): TemporaryFile[] {
  return directories.flatMap((directory) => temporariesIn(fs, directory))
}

/**
 * Removes what crashed writers left; part of opening, after recovery. Nothing is flushed: what comes back after a power
 * loss is removed by the next opening, as is what another program has open where that cannot be removed.
 * @returns how many were removed
 * @throws {StoreError} storage_failed, lease_lost
 */
export function removeOldTemporaries(
  fs: FileSystem,
  lease: Pick<WriterLease, 'epoch' | 'assertHeld'>,
  directories: readonly string[],
): number {
  const old = listTemporaries(fs, directories).filter(({ epoch }) => epoch !== lease.epoch)
  lease.assertHeld()
  return old.filter(({ path }) => wasRemoved(fs, path)).length
}

function wasRemoved(fs: FileSystem, path: string): boolean {
  try {
    fs.remove(path)
    return true
  } catch (error) {
    if (isHeldOpen(error)) return false
    throw storageError(error, 'remove', path)
  }
}
