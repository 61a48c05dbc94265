import { lastChange } from '../sqlite/change-log.js'
import type { Connection } from '../sqlite/connection.js'
import { recordsAfter } from '../sqlite/sidecar-records.js'
import { countVectors } from '../sqlite/vector-rows.js'
import { sampleVectors } from '../sqlite/vector-sample.js'
import { SidecarMemory } from './sidecar-memory.js'
import { SlotTable } from './slot-table.js'
import { CodeStore } from './vectors/code-store.js'
import { RunningMean } from './vectors/mean.js'
import { WordIndex } from './words/word-index.js'

/** Records read between two yields: some three milliseconds, more while the code is cold. */
const SLICE = 50
/** Vectors that the mean of the codes is taken of: more would not move it. */
export const SAMPLE = 4_096
/** Of these, read between two yields: some three milliseconds. */
export const SAMPLE_SLICE = 256

/**
 * Builds a sidecar from nothing but the database, in slices. What changes meanwhile may have been read or not, so it catches
 * up before it is compacted: it holds all that it says it has reached, and nothing later. A copy is believed by that alone.
 * @param catchUp  reads again what changed since `memory.reached`, all of it
 */
export async function buildMemory(
  db: Connection,
  dimension: number | undefined,
  yieldTurn: () => Promise<void>,
  catchUp: (memory: SidecarMemory) => Promise<void>,
): Promise<SidecarMemory> {
  const reached = lastChange(db)
  const memory = new SidecarMemory(
    { slots: new SlotTable(), words: WordIndex.empty(), ...(await emptyCodes(db, dimension, yieldTurn)) },
    reached,
  )
  for (let after = 0; ;) {
    const records = recordsAfter(db, dimension, after, SLICE)
    for (const record of records) memory.put(record)
    const last = records.at(-1)
    if (last === undefined) break
    after = last.row
    await yieldTurn()
  }
  await catchUp(memory)
  return memory.compacted(yieldTurn)
}

async function emptyCodes(db: Connection, dimension: number | undefined, yieldTurn: () => Promise<void>) {
  if (dimension === undefined) return { codes: undefined, meanOf: 0 }
  const mean = new RunningMean(dimension)
  let read = 0
  for (const vector of sampleVectors(db, SAMPLE)) {
    mean.add(vector)
    if (++read % SAMPLE_SLICE === 0) await yieldTurn()
  }
  await yieldTurn()
  // Growing step by step would copy all codes again and again.
  const vectors = countVectors(db)
  return { codes: CodeStore.create({ dimension, mean: mean.value, capacity: vectors }), meanOf: vectors }
}
