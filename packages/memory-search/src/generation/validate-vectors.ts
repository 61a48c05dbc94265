import { searchError } from '../errors.js'
import type { Connection } from '../sqlite/connection.js'
import { prepared } from '../sqlite/statements.js'
import { dimensionOf, fromBlob, isSoundVector } from '../sqlite/vector-rows.js'

/** Vectors checked between two yields: a few milliseconds. */
const SLICE = 200
interface StoredVector {
  readonly row: number
  readonly vector: Buffer
  readonly isOfItsWords: number
}

/**
 * Proves the vectors of a database (OPS-1): every searchable record has one or waits for one, no other row has, and each
 * is of the right dimension, finite, of unit length, and of the words its record has now. Lite has none at all.
 * @throws {SearchError} vector_mismatch
 */
export async function validateVectors(db: Connection, yieldTurn: () => Promise<void>): Promise<void> {
  const count = (sql: string): number => prepared<[], number>(db, `select count(*) from ${sql}`).pluck().get() ?? 0
  const vectors = count('memory_vectors')
  const waiting = count('vector_backlog')
  const dimension = dimensionOf(db)
  const searchable = dimension !== undefined ? count('memories where is_searchable = 1') : 0
  if (vectors + waiting !== searchable) throw searchError('vector_mismatch', 'number of vectors')
  const unexpected =
    count(`memory_vectors left join memories using (row) where is_searchable is not 1`) +
    count(`vector_backlog left join memories using (row) where is_searchable is not 1`)
  if (unexpected > 0) throw searchError('vector_mismatch', 'vectors of no record')
  // Else one that has both would make up for one that has neither.
  if (count('memory_vectors join vector_backlog using (row)') > 0) throw searchError('vector_mismatch', 'backlog')
  const select = prepared<[number, number], StoredVector>(
    db,
    `select memory_vectors.row, vector, memory_vectors.content_hash = memories.content_hash as isOfItsWords
       from memory_vectors join memories using (row) where memory_vectors.row > ? order by memory_vectors.row limit ?`,
  )
  let after = 0
  for (;;) {
    const slice = select.all(after, SLICE)
    const last = slice.at(-1)
    if (last === undefined) return
    if (!slice.every((stored) => isSound(stored, dimension))) throw searchError('vector_mismatch', 'a vector')
    after = last.row
    await yieldTurn()
  }
}

function isSound({ vector, isOfItsWords }: StoredVector, dimension: number | undefined): boolean {
  const bytes = (dimension ?? 0) * Float32Array.BYTES_PER_ELEMENT
  return isOfItsWords === 1 && vector.byteLength === bytes && isSoundVector(fromBlob(vector), dimension)
}
