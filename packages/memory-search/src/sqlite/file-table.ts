import type { FileIdentity } from '@mono-agent/memory-store'
import type { Connection } from './connection.js'
import { prepared } from './statements.js'

/** A canonical file as the rows were made from it (SEA-6). */
export interface RecordedFile {
  readonly path: string
  readonly identity: FileIdentity
  readonly digest: string
  /** Epoch milliseconds. */
  readonly recordedAt: number
}

interface FileRow {
  readonly path: string
  readonly dev: string
  readonly ino: string
  readonly size: number
  readonly mtime_ns: string
  readonly ctime_ns: string
  readonly digest: string
  readonly recorded_at: number
}

const toRecordedFile = (row: FileRow): RecordedFile => ({
  path: row.path,
  identity: {
    dev: BigInt(row.dev),
    ino: BigInt(row.ino),
    size: row.size,
    mtimeNs: BigInt(row.mtime_ns),
    ctimeNs: BigInt(row.ctime_ns),
  },
  digest: row.digest,
  recordedAt: row.recorded_at,
})

type FileTable = 'files' | 'authority_files'

const recordedIn = (db: Connection, table: FileTable): Map<string, RecordedFile> =>
  new Map(
    prepared<[], FileRow>(db, `select * from ${table}`)
      .all()
      .map((row) => [row.path, toRecordedFile(row)]),
  )

/** The day files. */
export const recordedFiles = (db: Connection): Map<string, RecordedFile> => recordedIn(db, 'files')

/** The canonical files beside them (bujo). */
export const recordedAuthority = (db: Connection): Map<string, RecordedFile> => recordedIn(db, 'authority_files')

export function recordedFile(db: Connection, path: string): RecordedFile | undefined {
  const row = prepared<[string], FileRow>(db, 'select * from files where path = ?').get(path)
  return row === undefined ? undefined : toRecordedFile(row)
}

/** Numbers of 64 bits are kept as text: inode numbers and nanoseconds do not fit into a double. */
export const writeFileRow = (db: Connection, file: RecordedFile): void => writeRow(db, 'files', file)

export const writeAuthorityRow = (db: Connection, file: RecordedFile): void => writeRow(db, 'authority_files', file)

function writeRow(db: Connection, table: FileTable, { path, identity, digest, recordedAt }: RecordedFile): void {
  prepared<unknown[], unknown>(db, `insert or replace into ${table} values (?, ?, ?, ?, ?, ?, ?, ?)`).run(
    path,
    String(identity.dev),
    String(identity.ino),
    identity.size,
    String(identity.mtimeNs),
    String(identity.ctimeNs),
    digest,
    recordedAt,
  )
}

/** Recorded day files in `daily/`; dated files right under the root (FMT-2) are not among them. */
export const dailyFiles = (db: Connection): string[] =>
  prepared<[], string>(db, `select path from files where path >= 'daily/' and path < 'daily0'`).pluck().all()

/** Which directory `daily/` was, as `device:inode`; undefined where none was there, or an earlier release recorded it. */
export const recordedDaily = (db: Connection): string | undefined =>
  prepared<[], string>(db, `select value from index_identity where key = 'daily'`).pluck().get()

/** Within the transaction that records its files. @param daily  undefined leaves the record as it is */
export function writeDaily(db: Connection, daily: string | undefined): void {
  if (daily === undefined || daily === recordedDaily(db)) return
  prepared<[string], unknown>(db, `insert or replace into index_identity values ('daily', ?)`).run(daily)
}

export const removeAuthorityRow = (db: Connection, path: string): void =>
  void prepared<unknown[], unknown>(db, 'delete from authority_files where path = ?').run(path)

export const removeFileRow = (db: Connection, path: string): void =>
  void prepared<unknown[], unknown>(db, 'delete from files where path = ?').run(path)
