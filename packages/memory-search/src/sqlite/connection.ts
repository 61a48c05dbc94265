import Database from 'better-sqlite3'
import * as sqliteVec from 'sqlite-vec'
import { searchError } from '../errors.js'
import { sqliteCode } from './sqlite-error.js'

export type Connection = Database.Database

/** How long a connection waits for another one's lock. */
const BUSY_TIMEOUT_MS = 2_000
/** The write-ahead log is folded in at 8 MiB, half of what the design allows, whatever the size of a page. */
const CHECKPOINT_BYTES = 8 * 1024 * 1024
const MAX_LOG_BYTES = 16 * 1024 * 1024

/**
 * Of a database that holds vectors. Of 768 dimensions a page of 4 KiB, SQLite's default, holds one vector and leaves a quarter
 * empty; of this one five fill it to 95 %. A database keeps the size with which it was made, and so does a copy.
 */
export const VECTOR_PAGE_BYTES = 16 * 1024

/** A connection to an existing database; it writes nothing until `beginWriting`. */
export const connectWriter = (path: string): Connection =>
  new Database(path, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS })

/**
 * Turns the write-ahead log on, which writes to the file: only once it is known to be ours. `synchronous` is set here
 * because the default of the build is FULL, and OFF could corrupt.
 *
 * The switch itself would keep a rollback journal, and one that a kill leaves shuts out who only reads: rolling back is
 * writing. It changes a few bytes of the first sector, which need none; so it is made in a mode without one, and back too.
 */
export function beginWriting(db: Connection): void {
  if (db.pragma('journal_mode', { simple: true }) !== 'wal') db.pragma('journal_mode = MEMORY')
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  const pageBytes = db.pragma('page_size', { simple: true }) as number
  db.pragma(`wal_autocheckpoint = ${CHECKPOINT_BYTES / pageBytes}`)
  db.pragma(`journal_size_limit = ${MAX_LOG_BYTES}`)
}

/**
 * Adds the distance functions of sqlite-vec; lite never needs them.
 * @throws {SearchError} vectors_unavailable: the native module is not there for this platform
 */
export function loadVectorFunctions(db: Connection): void {
  try {
    sqliteVec.load(db)
  } catch (error) {
    throw searchError('vectors_unavailable', undefined, error)
  }
}

/**
 * A connection that fills a database nobody else sees yet: until it is flushed whole, durability would buy nothing.
 * @param holdsVectors  decides the size of a page of a database that is empty; any other keeps its own
 */
export function connectBuilder(path: string, holdsVectors = false): Connection {
  const db = new Database(path, { fileMustExist: true, timeout: 0 })
  if (holdsVectors) db.pragma(`page_size = ${VECTOR_PAGE_BYTES}`)
  db.pragma('journal_mode = MEMORY')
  db.pragma('synchronous = OFF')
  return db
}

export function connectReader(path: string): Connection {
  return new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
}

/**
 * Leaves one file without log: a read-only open of a database in WAL mode would leave `-shm` and `-wal` behind, and fail on
 * a read-only medium. With a reader there the mode stays; the last one to go cleans up.
 */
export function closeWriter(db: Connection): void {
  try {
    db.pragma('wal_checkpoint(TRUNCATE)')
    db.pragma('busy_timeout = 0')
    db.pragma('journal_mode = MEMORY')
  } catch (error) {
    const code = sqliteCode(error)
    if (code === undefined || !/^SQLITE_(BUSY|LOCKED)/.test(code)) throw error
  } finally {
    db.close()
  }
}

export const connectMemory = (): Connection => new Database(':memory:')
