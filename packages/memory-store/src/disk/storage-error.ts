import { basename } from 'node:path'
import { MemoryError, StoreError, type WriteOutcome } from '../errors.js'

const MENDS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: free some space.',
  EDQUOT: 'The disk quota is used up: free some space.',
  EFBIG: 'The file may not grow any more: raise the limit on file sizes (ulimit -f).',
  EIO: 'The disk reports an I/O error: check it, and the system log.',
  EACCES: 'Permission was refused: the store must belong to the user who runs it.',
  EPERM: 'Permission was refused: the store must belong to the user who runs it.',
  EROFS: 'The file system is mounted read-only: mount it for writing.',
  EMFILE: 'The process has too many open files: raise its limit.',
  ENFILE: 'The system has too many open files.',
  ENOENT: 'A file or directory is gone: something else moved or removed it.',
  ENOTDIR: 'Part of the path is no directory.',
  ENAMETOOLONG: 'The path of the store is too long for this file system.',
}

const OUTCOMES: Readonly<Record<WriteOutcome, string>> = {
  not_written: 'Nothing was written.',
  unknown: 'It may be found, whole, later.',
}

/** The errno name of a file-system error, e.g. `ENOSPC`; undefined of anything else. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error || 'errno' in error)) return undefined
  const code = (error as NodeJS.ErrnoException).code
  return typeof code === 'string' ? code : undefined
}

/**
 * What a caller is told when the file system refused: `storage_failed`, without the absolute path that Node's own
 * message holds (that error is kept as `cause`). Errors of this library, and those that are no file-system errors (bugs),
 * come back as they are.
 * @param action  what was tried, as in `action` of "could not <action>"
 * @param path    only its last part is named
 */
export function storageError(error: unknown, action: string, path: string, outcome?: WriteOutcome): Error {
  if (error instanceof MemoryError) return error
  const code = errnoOf(error)
  if (code === undefined) return error instanceof Error ? error : new Error('A non-error was thrown.', { cause: error })
  const parts = [
    `Could not ${action} ${basename(path)} (${code}).`,
    ...(outcome === undefined ? [] : [OUTCOMES[outcome]]),
    MENDS[code] ?? 'See the cause for what the file system said.',
  ]
  return new StoreError('storage_failed', parts.join(' '), {
    cause: error,
    ...(outcome === undefined ? {} : { outcome }),
  })
}

/** Runs one step on the disk; what the file system throws becomes `storage_failed`. See `storageError`. */
export function onDisk<T>(action: string, path: string, step: () => T, outcome?: WriteOutcome): T {
  try {
    return step()
  } catch (error) {
    throw storageError(error, action, path, outcome)
  }
}

/** `onDisk` for a flush. */
export async function flushed(action: string, path: string, flush: () => Promise<void>): Promise<void> {
  try {
    await flush()
  } catch (error) {
    throw storageError(error, action, path, 'unknown')
  }
}
