import { searchError, type SearchErrorCode } from '../errors.js'

const CODES: readonly (readonly [prefix: string, code: SearchErrorCode])[] = [
  ['SQLITE_BUSY', 'index_busy'],
  ['SQLITE_LOCKED', 'index_busy'],
  ['SQLITE_CORRUPT', 'sqlite_integrity_failed'],
  ['SQLITE_NOTADB', 'sqlite_integrity_failed'],
  ['SQLITE_FULL', 'index_failed'],
  ['SQLITE_IOERR', 'index_failed'],
  ['SQLITE_CANTOPEN', 'index_failed'],
  ['SQLITE_READONLY', 'index_failed'],
  ['SQLITE_PERM', 'index_failed'],
]

/** The code SQLite gave, e.g. `SQLITE_BUSY`; undefined of anything else. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'SqliteError') return undefined
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

function translated(error: unknown): unknown {
  const found = sqliteCode(error)
  const known = found === undefined ? undefined : CODES.find(([prefix]) => found.startsWith(prefix))
  return known === undefined ? error : searchError(known[1], found, error)
}

/** Runs one step on a database; what SQLite says about the disk, a lock or damage becomes a `SearchError`. */
export function onIndex<T>(step: () => T): T {
  try {
    return step()
  } catch (error) {
    throw translated(error)
  }
}

/** `onIndex` for work in slices. */
export async function onIndexAsync<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw translated(error)
  }
}
