import { join } from 'node:path'
import Database from 'better-sqlite3'
import { StoreError } from '../errors.js'
import { layout } from '../format/layout.js'
import { HAS_POSIX_FILES, type FileSystem } from './file-system.js'
import { checkOwned } from './owned-file.js'
import { onDisk } from './storage-error.js'

const FILE_MODE = 0o600

/** A lock that the operating system frees when the process or thread ends, however it ends. */
export interface WriterLock {
  free(): void
}

function codeOf(error: unknown): string {
  return error instanceof Database.SqliteError ? error.code : ''
}

function lockError(error: unknown): unknown {
  const code = codeOf(error)
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return writerActive()
  if (code === '') return error
  return new StoreError(
    'storage_failed',
    `Could not lock ${layout.writerLease} (${code}). Nothing was written. The file system must support locks, and allow writing.`,
    { cause: error, outcome: 'not_written' },
  )
}

export function writerActive(): StoreError {
  return new StoreError(
    'writer_active',
    'Another writer holds this root: another process, thread or store object. Nothing was written. ' +
      'Stop it, or open for reading only.',
  )
}

function checkLeaseFile(fs: FileSystem, path: string): void {
  const stat = checkOwned(fs, path, 'file')
  if (stat === undefined || stat.size === 0) return
  throw new StoreError(
    'path_unsafe',
    `${layout.writerLease} holds ${stat.size} bytes; it is only ever locked and must be empty. Nothing was written. ` +
      'Make sure that no writer runs, and remove it.',
  )
}

/**
 * Takes the lock at once or not at all. SQLite does the locking because it is the one library here that locks files, on
 * every platform; it makes the file too, since closing any descriptor of our own would free a lock of this process.
 * @throws {StoreError} writer_active, path_unsafe, storage_failed
 */
export function lockWriter(fs: FileSystem, root: string): WriterLock {
  const path = join(root, layout.writerLease)
  checkLeaseFile(fs, path)
  let connection: Database.Database | undefined
  try {
    connection = new Database(path, { timeout: 0 })
    connection.pragma('journal_mode = MEMORY') // else a journal file appears beside it
    connection.exec('BEGIN EXCLUSIVE')
    if (HAS_POSIX_FILES) onDisk('restrict', path, () => fs.chmod(path, FILE_MODE))
  } catch (error) {
    connection?.close()
    throw lockError(error)
  }
  return { free: () => void connection.close() }
}
