import { matchExpression } from '../query/match-expression.js'
import type { Connection } from './connection.js'
import { prepared } from './statements.js'
import { toBlob } from './vector-rows.js'

/**
 * Rows of the records nearest to a vector, the nearest first, by a scan of all vectors or of those whose records carry the
 * tags. For vectors of unit length the cosine orders as any other distance does; sqlite-vec computes it.
 */
export function nearestRows(
  db: Connection,
  vector: Float32Array,
  required: readonly (readonly string[])[],
  limit: number,
): number[] {
  const filter =
    required.length === 0 ? '' : 'where row in (select rowid from memory_words where memory_words match ?)'
  return prepared<unknown[], number>(
    db,
    `select row from memory_vectors ${filter} order by vec_distance_cosine(vector, ?), row limit ?`,
  )
    .pluck()
    .all(...(required.length === 0 ? [] : [matchExpression([], required)]), toBlob(vector), limit)
}
