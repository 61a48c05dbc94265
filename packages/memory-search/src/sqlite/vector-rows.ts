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
export const toBlob = (vector: Float32Array): Buffer =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)

/** A copy, for a blob need not begin where a float may. */
export function fromBlob(blob: Buffer): Float32Array {
  const vector = new Float32Array(blob.byteLength / Float32Array.BYTES_PER_ELEMENT)
  Buffer.from(vector.buffer).set(blob)
  return vector
}

/** Whether this database was made for vectors; lite has none. */
export const keepsVectors = (db: Connection): boolean =>
  prepared<[], string>(db, `select value from index_identity where key = 'dimension'`).pluck().get() !== undefined

/**
 * Keeps, for rows that were touched, what must always hold: a searchable row has the vector of its words or waits for one,
 * any other row has neither. Words that another row already has a vector for are not embedded again.
 */
export function refreshVectors(db: Connection, rows: Iterable<number>): void {
  const state = prepared<[number], { content_hash: string; known: string | null }>(
    db,
    `select memories.content_hash, memory_vectors.content_hash as known
       from memories left join memory_vectors on memory_vectors.row = memories.row
       where memories.row = ? and is_searchable = 1`,
  )
  const copy = prepared<[number, string], unknown>(
    db,
    `insert or replace into memory_vectors (row, content_hash, vector)
       select ?, content_hash, vector from memory_vectors where content_hash = ? order by row limit 1`,
  )
  const remove = prepared<[number], unknown>(db, 'delete from memory_vectors where row = ?')
  const wait = prepared<[number], unknown>(db, 'insert or ignore into vector_backlog (row) values (?)')
  const served = prepared<[number], unknown>(db, 'delete from vector_backlog where row = ?')
  const removable: number[] = []
  for (const row of new Set(rows)) {
    const found = state.get(row)
    if (found === undefined) {
      removable.push(row)
      served.run(row)
    } else if (found.known === found.content_hash || copy.run(row, found.content_hash).changes > 0) {
      served.run(row)
    } else {
      removable.push(row)
      wait.run(row)
    }
  }
  // Last, so that a record that took the place of another of the same words could copy its vector.
  for (const row of removable) remove.run(row)
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
 * @returns rows that wait no more
 */
export function writeVectors(db: Connection, vectors: readonly NewVector[]): number {
  const rowsOf = prepared<[string], number>(
    db,
    `select memories.row from memories indexed by memories_by_content
       join vector_backlog on vector_backlog.row = memories.row where content_hash = ?`,
  ).pluck()
  const insert = prepared<[number, string, Buffer], unknown>(
    db,
    'insert or replace into memory_vectors (row, content_hash, vector) values (?, ?, ?)',
  )
  const served = prepared<[number], unknown>(db, 'delete from vector_backlog where row = ?')
  let written = 0
  for (const { contentHash, vector } of vectors) {
    for (const row of rowsOf.all(contentHash)) {
      insert.run(row, contentHash, toBlob(vector))
      served.run(row)
      written++
    }
  }
  return written
}

/** @throws {RangeError} a vector of another dimension than the index was made for: a fault of the caller */
export function requireDimension(vectors: readonly NewVector[], dimension: number | undefined): void {
  if (vectors.some(({ vector }) => vector.length !== dimension)) {
    throw new RangeError(`The index holds vectors of ${dimension ?? 'no'} dimensions.`)
  }
}

/** The vector of one row, if it has one. */
export function vectorOfRow(db: Connection, row: number): Float32Array | undefined {
  const blob = prepared<[number], Buffer>(db, 'select vector from memory_vectors where row = ?').pluck().get(row)
  return blob === undefined ? undefined : fromBlob(blob)
}

/** The vector of these words, of whatever row. */
export function vectorOfContent(db: Connection, contentHash: string): Float32Array | undefined {
  const blob = prepared<[string], Buffer>(
    db,
    'select vector from memory_vectors where content_hash = ? order by row limit 1',
  )
    .pluck()
    .get(contentHash)
  return blob === undefined ? undefined : fromBlob(blob)
}
