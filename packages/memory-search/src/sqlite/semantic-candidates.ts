import type { RequiredTags } from '../candidates/candidate-source.js'
import type { RowFilter } from '../candidates/row-filter.js'
import { matchExpression } from '../query/match-expression.js'
import type { Connection } from './connection.js'
import { rowCondition, type RowCondition } from './row-condition.js'
import { prepared } from './statements.js'
import { toBlob } from './vector-rows.js'

/** Distances closer than this are one distance: float32 sums differ by as much from one processor to the next. */
export const DISTANCE_TIE = 1e-6

interface Near {
  readonly row: number
  readonly distance: number
}

/**
 * Rows of the records nearest to a vector, the nearest first, by a scan of all vectors or of those whose records carry the
 * tags and pass the filter. For vectors of unit length the cosine orders as any other distance does; sqlite-vec computes
 * it. If the last one ties with the first one left out, those of the tied ones that come first by id are taken (SEA-16), in
 * a second scan.
 */
export function nearestRows(
  db: Connection,
  vector: Float32Array,
  required: RequiredTags,
  limit: number,
  filter?: RowFilter,
): number[] {
  const passing = passes(required, filter)
  const blob = toBlob(vector)
  const nearest = prepared<unknown[], Near>(
    db,
    `select row, vec_distance_cosine(vector, ?) as distance from memory_vectors
       where true${passing.sql} order by distance, row limit ?`,
  ).all(blob, ...passing.values, limit + 1)
  const [last, leftOut] = [nearest[limit - 1], nearest[limit]]
  const rowsOf = (found: readonly Near[]): number[] => found.map(({ row }) => row)
  if (last === undefined || leftOut === undefined || leftOut.distance - last.distance > DISTANCE_TIE) {
    return rowsOf(nearest.slice(0, limit))
  }
  const nearer = nearest.filter(({ distance }) => distance < last.distance - DISTANCE_TIE)
  const tied = prepared<unknown[], number>(
    db,
    `select memory_vectors.row from memory_vectors cross join memories on memories.row = memory_vectors.row
       where true${passing.sql} and vec_distance_cosine(vector, ?) between ? and ?
       order by memories.id limit ?`,
  ).pluck()
  const bounds = [last.distance - DISTANCE_TIE, last.distance + DISTANCE_TIE]
  return [...rowsOf(nearer), ...tied.all(...passing.values, blob, ...bounds, limit - nearer.length)]
}

/** Tags are looked up in the full-text index, the filter in its tables. */
function passes(required: RequiredTags, filter: RowFilter | undefined): RowCondition {
  const condition = rowCondition(filter, 'memory_vectors.row')
  if (required.length === 0) return condition
  return {
    sql: ` and memory_vectors.row in (select rowid from memory_words where memory_words match ?)${condition.sql}`,
    values: [matchExpression([], required), ...condition.values],
  }
}
