import type { PossibleRow } from '../near/code-matrix.js'
import { rounded } from '../ranking/candidate.js'
import { cosine } from '../ranking/cosine.js'
import type { NearMemory } from '../types.js'
import type { Connection } from './connection.js'
import { CURRENT, ROW_COLUMNS, toIndexedMemory, type MemoryRow } from './memory-rows.js'
import { prepared } from './statements.js'
import { fromBlob, toBlob } from './vector-rows.js'

/** sqlite-vec sums in float32: what it says may differ by as much from the cosine in double precision that decides. */
const MARGIN = 1e-5

export interface NearOptions {
  readonly limit: number
  readonly floor: number
}

/**
 * The current memories nearest to a vector of unit length, nearest first, ties by id (CAP-14). Exact: of the
 * rows that may be near the stored vectors decide, from the highest bound down until none can be nearer.
 * @param possible  what the codes in memory leave; absent in readers, which ask too seldom to keep any: all vectors are
 *   scanned in the database then
 */
export function nearMemories(
  db: Connection,
  vector: Float32Array,
  { limit, floor }: NearOptions,
  possible: readonly PossibleRow[] = scan(db, vector, { limit, floor }),
): NearMemory[] {
  const select = prepared<[number], MemoryRow & { readonly vector: Buffer }>(
    db,
    `select ${ROW_COLUMNS}, (select vector from memory_vectors where memory_vectors.row = memories.row) as vector
       from memories where row = ? and ${CURRENT}`,
  )
  const found: NearMemory[] = []
  for (const { row, atMost } of possible) {
    if (found.length >= limit && atMost < (found[limit - 1]?.similarity ?? -1)) break
    const stored = select.get(row)
    if (stored === undefined) continue
    const similarity = rounded(cosine(fromBlob(stored.vector), vector))
    if (similarity >= floor) insertNear(found, { memory: toIndexedMemory(stored), similarity })
  }
  return found.slice(0, limit)
}

const isNearer = (one: NearMemory, other: NearMemory): boolean =>
  one.similarity > other.similarity || (one.similarity === other.similarity && one.memory.id < other.memory.id)

function insertNear(found: NearMemory[], near: NearMemory): void {
  let at = found.length
  while (at > 0 && isNearer(near, found[at - 1] as NearMemory)) at--
  found.splice(at, 0, near)
}

/** Rows that may be among the nearest, by a scan of all vectors, the highest bound first. */
function scan(db: Connection, vector: Float32Array, { limit, floor }: NearOptions): PossibleRow[] {
  const current = `memory_vectors join memories using (row) where ${CURRENT}`
  const distance = 'vec_distance_cosine(vector, ?)'
  const blob = toBlob(vector)
  const last = prepared<[Buffer, number], number>(
    db,
    `select ${distance} as distance from ${current} order by distance limit 1 offset ?`,
  )
    .pluck()
    .get(blob, limit - 1)
  return prepared<[Buffer, Buffer, number], PossibleRow>(
    db,
    `select row, 1 - ${distance} + ${MARGIN} as atMost from ${current} and ${distance} <= ? order by atMost desc, row`,
  ).all(blob, blob, Math.min(last ?? Infinity, 1 - floor) + 2 * MARGIN)
}
