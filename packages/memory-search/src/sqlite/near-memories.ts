import { cosine } from '../ranking/cosine.js'
import { rounded } from '../ranking/candidate.js'
import type { NearMemory } from '../types.js'
import type { Connection } from './connection.js'
import { CURRENT, ROW_COLUMNS, toIndexedMemory, type MemoryRow } from './memory-rows.js'
import { prepared } from './statements.js'
import { fromBlob, toBlob } from './vector-rows.js'

/** sqlite-vec sums in float32: what it says may differ by as much from the cosine in double precision that decides. */
const MARGIN = 1e-5

/** The current memories nearest to a vector of unit length, nearest first, ties by id: a scan of all vectors, exact. */
export function nearMemories(
  db: Connection,
  vector: Float32Array,
  { limit, floor }: { readonly limit: number; readonly floor: number },
): NearMemory[] {
  const current = `memory_vectors join memories using (row) where ${CURRENT}`
  const distance = 'vec_distance_cosine(vector, ?)'
  const blob = toBlob(vector)
  const last = prepared<[Buffer, number], number>(
    db,
    `select ${distance} as distance from ${current} order by distance limit 1 offset ?`,
  )
    .pluck()
    .get(blob, limit - 1)
  const farthest = Math.min(last ?? Infinity, 1 - floor) + MARGIN
  const rows = prepared<[Buffer, number], { readonly row: number; readonly vector: Buffer }>(
    db,
    `select row, vector from ${current} and ${distance} <= ?`,
  ).all(blob, farthest)
  const memory = prepared<[number], MemoryRow>(db, `select ${ROW_COLUMNS} from memories where row = ?`)
  return rows
    .flatMap(({ row, vector: stored }) => {
      const found = memory.get(row)
      const similarity = rounded(cosine(fromBlob(stored), vector))
      return found === undefined ? [] : [{ memory: toIndexedMemory(found), similarity }]
    })
    .filter(({ similarity }) => similarity >= floor)
    .sort((a, b) => b.similarity - a.similarity || (a.memory.id < b.memory.id ? -1 : 1))
    .slice(0, limit)
}
