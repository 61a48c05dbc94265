import { expect, test } from 'vitest'
import type { SidecarRecord } from '../../src/sidecar/record.js'
import { SidecarMemory } from '../../src/sidecar/sidecar-memory.js'
import { SlotTable } from '../../src/sidecar/slot-table.js'
import { CodeStore } from '../../src/sidecar/vectors/code-store.js'
import { WordIndex } from '../../src/sidecar/words/word-index.js'

const DIMENSION = 8
const unit = (at: number): Float32Array => Float32Array.from({ length: DIMENSION }, (_, d) => (d === at % 8 ? 1 : 0))

/** `version` makes other words and another vector of the same row. */
const record = (row: number, version = 0): SidecarRecord => ({
  row,
  columns: [
    Array.from({ length: 12 }, (_, at) => `w${(row * 31 + at * 17 + version) % 97}`).join(' '),
    '',
    '',
    `t${row % 5}`,
  ],
  recordedAt: row,
  kinds: [],
  before: row - 1,
  vector: row % 3 === 0 ? undefined : unit(row + version),
})

function memoryOf(rows: number): SidecarMemory {
  const codes = CodeStore.create({ dimension: DIMENSION, mean: new Float32Array(DIMENSION) })
  const memory = new SidecarMemory({ slots: new SlotTable(), words: WordIndex.empty(), codes, meanOf: 0 }, 0)
  for (let row = 1; row <= rows; row++) memory.put(record(row))
  return memory
}

/** All that a memory says of its records, by row. */
function saidOf({ slots, words, codes }: SidecarMemory) {
  const estimates = codes?.estimates(unit(1))
  const rows = [...slots.liveSlots()].map((slot) => ({
    row: slots.rows[slot] as number,
    length: slots.lengths[slot],
    before: slots.before[slot],
    estimate: estimates?.[slot],
  }))
  return {
    rows: rows.sort((a, b) => a.row - b.row),
    counts: Array.from({ length: 97 }, (_, word) => words.frequency(`w${word}`, slots.live, slots.dead)),
    tags: Array.from({ length: 5 }, (_, tag) => words.frequency(`t${tag}`, slots.live, slots.dead)),
    tokens: slots.tokens,
    vectors: slots.vectors,
  }
}

test('a compacted memory says the same, without what is dead', async () => {
  const memory = memoryOf(3_000)
  for (let row = 1; row <= 3_000; row += 2) memory.put(record(row, 5))
  for (let row = 1; row <= 3_000; row += 7) memory.remove(row)
  const before = saidOf(memory)
  const next = await memory.compacted(() => Promise.resolve())
  expect(saidOf(next)).toEqual(before)
  expect({ unsealed: next.unsealed, size: next.slots.size }).toEqual({ unsealed: 0, size: next.slots.count })
  expect(saidOf(memory)).toEqual(before)
})

test('what comes and goes between its turns is not in it, and can be told to it afterwards', async () => {
  const memory = memoryOf(4_000)
  const before = saidOf(memory)
  const changes: (() => void)[] = []
  let turns = 0
  const next = await memory.compacted(() => {
    const row = 10 * ++turns
    const apply = (to: SidecarMemory): void => {
      to.put(record(row, 3)) // reworded
      to.put(record(10_000 + turns)) // new
      to.remove(row + 1)
      to.reached = turns
    }
    apply(memory)
    changes.push(() => {
      next.put(record(row, 3))
      next.put(record(10_000 + row / 10))
      next.remove(row + 1)
    })
    return Promise.resolve()
  })
  expect(turns).toBeGreaterThan(1)
  expect(next.reached).toBe(0)
  expect(saidOf(next)).toEqual(before)
  for (const change of changes) change()
  expect(saidOf(next)).toEqual(saidOf(memory))
})
