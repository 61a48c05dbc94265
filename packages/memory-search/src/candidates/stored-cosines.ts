import { cosine } from '../ranking/cosine.js'
import type { Connection } from '../sqlite/connection.js'
import { vectorOfRow } from '../sqlite/vector-rows.js'

/**
 * Cosines of stored vectors with the vector of one query, each read and computed once; for one query, within one snapshot.
 * @returns undefined for a row without vector
 */
export function storedCosines(db: Connection): (row: number, vector: Float32Array) => number | undefined {
  const known = new Map<number, number | undefined>()
  let asked: Float32Array | undefined
  return (row, vector) => {
    if (vector !== asked) known.clear()
    asked = vector
    const before = known.get(row)
    if (before !== undefined || known.has(row)) return before
    const stored = vectorOfRow(db, row)
    const value = stored === undefined ? undefined : cosine(stored, vector)
    known.set(row, value)
    return value
  }
}
