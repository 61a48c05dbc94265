import { cosine } from '../ranking/cosine.js'
import type { Connection } from '../sqlite/connection.js'
import { prepared } from '../sqlite/statements.js'
import { vectorIn } from '../sqlite/vector-rows.js'

type ReadVector = (row: number) => Float32Array | undefined

/** Reads stored vectors, without a copy where that can be: they are nobody's to write to. */
export function storedVectors(db: Connection): ReadVector {
  const select = prepared<[number], Buffer>(db, 'select vector from memory_vectors where row = ?').pluck()
  return (row) => {
    const blob = select.get(row)
    return blob === undefined ? undefined : vectorIn(blob)
  }
}

/**
 * Cosines of stored vectors with the vector of one query, each computed once; for one query, within one snapshot.
 * @returns undefined for a row without vector
 */
export function storedCosines(vectorOf: ReadVector): (row: number, vector: Float32Array) => number | undefined {
  const known = new Map<number, number | undefined>()
  let asked: Float32Array | undefined
  return (row, vector) => {
    if (vector !== asked) known.clear()
    asked = vector
    const before = known.get(row)
    if (before !== undefined || known.has(row)) return before
    const own = vectorOf(row)
    const value = own === undefined ? undefined : cosine(own, vector)
    known.set(row, value)
    return value
  }
}
