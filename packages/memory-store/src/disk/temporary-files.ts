import { basename, dirname, join } from 'node:path'
import { formatTemporaryName, parseTemporaryName } from '../format/temporary-name.js'
import type { FileSystem } from './file-system.js'
import { errnoOf, onDisk, storageError } from './storage-error.js'
import type { WriterLease } from './writer-lease.js'

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

/** Temporaries right in these directories, by path. A directory that does not exist has none. */
export function listTemporaries(fs: FileSystem, directories: readonly string[]): TemporaryFile[] {
  return directories.flatMap((directory) =>
    namesIn(fs, directory).flatMap((name) => {
      const parsed = parseTemporaryName(name)
      return parsed === undefined ? [] : [{ path: join(directory, name), epoch: parsed.epoch }]
    }),
  )
}

function namesIn(fs: FileSystem, directory: string): string[] {
  try {
    return fs.list(directory)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw storageError(error, 'list', directory)
  }
}

/**
 * Removes what crashed writers left; part of opening, after recovery. Nothing is flushed: what comes back after a power
 * loss is removed by the next opening.
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
  for (const { path } of old) onDisk('remove', path, () => fs.remove(path))
  return old.length
}
