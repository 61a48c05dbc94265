import { noteChange } from './change-log.js'
import type { Connection } from './connection.js'
import { prepared } from './statements.js'

/** A record that waits for its vector. */
export interface MissingVector {
  readonly row: number
  readonly contentHash: string
  readonly text: string
}

export interface NewVector {
  /** Of the text that was embedded: a record whose words changed meanwhile does not get it. */
  readonly contentHash: string
  /** Of unit length. */
  readonly vector: Float32Array
}

/** As stored: little-endian float32, which is what sqlite-vec reads on every platform it is built for. */
export const toBlob = (vector: Float32Array): Buffer => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)

/** A copy, for a blob need not begin where a float may. */
export function fromBlob(blob: Buffer): Float32Array {
  const vector = new Float32Array(Math.floor(blob.byteLength / Float32Array.BYTES_PER_ELEMENT))
  Buffer.from(vector.buffer).set(blob.subarray(0, vector.byteLength))
  return vector
}

/** The same without a copy where the blob begins as a float may: it is the caller's alone, and nobody writes to it. */
export const vectorIn = (blob: Buffer): Float32Array =>
  blob.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0
    ? new Float32Array(blob.buffer, blob.byteOffset, Math.floor(blob.byteLength / Float32Array.BYTES_PER_ELEMENT))
    : fromBlob(blob)

/** How far the length of a float32 vector may be from one after it was normalised. */
const LENGTH_TOLERANCE = 1e-3

/** Whether this is a vector as the index holds them: of its dimension, finite, of unit length. */
export function isSoundVector(vector: Float32Array, dimension: number | undefined): boolean {
  if (vector.length !== dimension) return false
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return Math.abs(length - 1) <= LENGTH_TOLERANCE // false for NaN too
}

/** Of the vectors of this database; lite has none. */
export function dimensionOf(db: Connection): number | undefined {
  const value = prepared<[], string>(db, `select value from index_identity where key = 'dimension'`).pluck().get()
  return value === undefined ? undefined : Number(value)
}

/** Whether this database was made for vectors. */
export const keepsVectors = (db: Connection): boolean => dimensionOf(db) !== undefined

interface TouchedRow {
  readonly row: number
  readonly content_hash: string
  /** Of the vector it has now. */
  readonly known: string | null
}

/**
 * Keeps, for rows that were touched, what must always hold: a searchable row has the vector of its words or waits for one,
 * any other row has neither. Words that some row already has a vector for are not embedded again, not even if that row
 * loses it in this very change: what can be copied is read before anything is overwritten. The caller notes the rows in the
 * change log.
 */
export function refreshVectors(db: Connection, rows: Iterable<number>): void {
  const state = prepared<[number], TouchedRow>(
    db,
    `select memories.row, memories.content_hash, memory_vectors.content_hash as known
       from memories left join memory_vectors on memory_vectors.row = memories.row
       where memories.row = ? and is_searchable = 1`,
  )
  const vectors = vectorWriter(db)
  const unsearchable: number[] = []
  const changed: TouchedRow[] = []
  const touched = new Set(rows)
  for (const row of touched) {
    const found = state.get(row)
    if (found === undefined) unsearchable.push(row)
    else if (found.known !== found.content_hash) changed.push(found)
  }
  const known = blobsOfContents(db, new Set(changed.map((row) => row.content_hash)), touched)
  for (const { row, content_hash: contentHash } of changed) {
    const blob = known.get(contentHash)
    if (blob === undefined) vectors.wait(row)
    else vectors.write(row, contentHash, blob)
  }
  for (const row of unsearchable) vectors.remove(row)
}

/**
 * The stored vectors of these contents, as far as any row has one.
 * @param touched  rows whose vectors may be of other words than they have now
 */
function blobsOfContents(
  db: Connection,
  contents: ReadonlySet<string>,
  touched: ReadonlySet<number>,
): Map<string, Buffer> {
  const found = new Map<string, Buffer>()
  if (contents.size === 0) return found
  const contentOf = prepared<[number], string>(db, 'select content_hash from memory_vectors where row = ?').pluck()
  const former = new Map<string, number>()
  for (const row of touched) {
    const contentHash = contentOf.get(row)
    if (contentHash !== undefined) former.set(contentHash, row)
  }
  for (const contentHash of contents) {
    const row = former.get(contentHash)
    const blob = row === undefined ? blobOfContent(db, contentHash) : blobOfRow(db, row)
    if (blob !== undefined) found.set(contentHash, blob)
  }
  return found
}

/** The three states of a row: it has a vector, waits for one, or has neither to do with them. */
function vectorWriter(db: Connection) {
  const insert = prepared<[number, string, Buffer], unknown>(
    db,
    'insert or replace into memory_vectors (row, content_hash, vector) values (?, ?, ?)',
  )
  const remove = prepared<[number], unknown>(db, 'delete from memory_vectors where row = ?')
  const wait = prepared<[number], unknown>(db, 'insert or ignore into vector_backlog (row) values (?)')
  const served = prepared<[number], unknown>(db, 'delete from vector_backlog where row = ?')
  return {
    write(row: number, contentHash: string, blob: Buffer): void {
      insert.run(row, contentHash, blob)
      served.run(row)
    },
    wait(row: number): void {
      remove.run(row)
      wait.run(row)
    },
    remove(row: number): void {
      remove.run(row)
      served.run(row)
    },
  }
}

/** For a database that was just filled: all searchable rows wait. */
export function queueAllVectors(db: Connection): void {
  db.prepare('insert into vector_backlog (row) select row from memories where is_searchable = 1').run()
}

/** The next records that wait, in the order of their rows. @param after  row number; 0 to begin */
export const missingVectors = (db: Connection, after: number, limit: number): MissingVector[] =>
  prepared<[number, number], MissingVector>(
    db,
    `select vector_backlog.row, content_hash as contentHash, sentence as text
       from vector_backlog join memories on memories.row = vector_backlog.row
       where vector_backlog.row > ? order by vector_backlog.row limit ?`,
  ).all(after, limit)

export const countMissingVectors = (db: Connection): number =>
  prepared<[], number>(db, 'select count(*) from vector_backlog').pluck().get() ?? 0

export const countVectors = (db: Connection): number =>
  prepared<[], number>(db, 'select count(*) from memory_vectors').pluck().get() ?? 0

/**
 * Writes vectors to all waiting rows of their words, within the caller's transaction.
 * @param note  takes each row to the change log; what fills an index that is just built leaves it out
 * @returns rows that wait no more
 */
export function writeVectors(
  db: Connection,
  vectors: readonly NewVector[],
  note: (row: number) => void = noteChange(db),
): number {
  const rowsOf = prepared<[string], number>(
    db,
    `select memories.row from memories indexed by memories_by_content
       join vector_backlog on vector_backlog.row = memories.row where content_hash = ?`,
  ).pluck()
  const rows = vectorWriter(db)
  let written = 0
  for (const { contentHash, vector } of vectors) {
    for (const row of rowsOf.all(contentHash)) {
      rows.write(row, contentHash, toBlob(vector))
      note(row)
      written++
    }
  }
  return written
}

/** @throws {RangeError} a vector of another dimension than the index was made for, or not of unit length: a fault of the caller */
export function requireSoundVectors(vectors: readonly Float32Array[], dimension: number | undefined): void {
  if (!vectors.every((vector) => isSoundVector(vector, dimension))) {
    throw new RangeError(`The index holds vectors of ${dimension ?? 'no'} dimensions and of unit length.`)
  }
}

const blobOfRow = (db: Connection, row: number): Buffer | undefined =>
  prepared<[number], Buffer>(db, 'select vector from memory_vectors where row = ?').pluck().get(row)

/** Of the rows that have these words now. One that was touched may still have the vector of others. */
const blobOfContent = (db: Connection, contentHash: string): Buffer | undefined =>
  prepared<[string], Buffer>(
    db,
    // A cross join keeps the order of the tables: the vectors are not walked.
    `select vector from memories indexed by memories_by_content cross join memory_vectors
         on memory_vectors.row = memories.row and memory_vectors.content_hash = memories.content_hash
       where memories.content_hash = ? order by memories.row limit 1`,
  )
    .pluck()
    .get(contentHash)

/** The vector of these words, of whatever row. */
export function vectorOfContent(db: Connection, contentHash: string): Float32Array | undefined {
  const blob = blobOfContent(db, contentHash)
  return blob === undefined ? undefined : fromBlob(blob)
}
