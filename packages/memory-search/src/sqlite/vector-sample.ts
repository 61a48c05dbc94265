import type { Connection } from './connection.js'
import { prepared } from './statements.js'
import { vectorIn } from './vector-rows.js'

/** Up to `limit` vectors, spread evenly over the numbers of their rows, each read when it is asked for: what a mean is taken of. */
export function* sampleVectors(db: Connection, limit: number): Generator<Float32Array> {
  const last = prepared<[], number | null>(db, 'select max(row) from memory_vectors').pluck().get() ?? 0
  const read = prepared<[number], Buffer>(db, 'select vector from memory_vectors where row = ?').pluck()
  const step = Math.max(1, last / limit)
  for (let at = step; Math.floor(at) <= last; at += step) {
    const blob = read.get(Math.floor(at))
    if (blob !== undefined) yield vectorIn(blob)
  }
}
