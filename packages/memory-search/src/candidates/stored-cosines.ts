import { cosine } from '../ranking/cosine.js'
import type { Connection } from '../sqlite/connection.js'
import { prepared } from '../sqlite/statements.js'
import { vectorIn } from '../sqlite/vector-rows.js'

/**
 * Cosines of stored vectors with the vector of one query, each read and computed once; for one query, within one snapshot.
 * @returns undefined for a row without vector
 */
export function storedCosines(db: Connection): (row: number, vector: Float32Array) => number | undefined {
  const select = prepared<[number], Buffer>(db, 'select vector from memory_vectors where row = ?').pluck()
  const known = new Map<number, number | undefined>()
  let asked: Float32Array | undefined
  return (row, vector) => {
    if (vector !== asked) known.clear()
    asked = vector
    const before = known.get(row)
    if (before !== undefined || known.has(row)) return before
    const blob = select.get(row)
    const value = blob === undefined ? undefined : cosine(vectorIn(blob), vector)
    known.set(row, value)
    return value
  }
}
