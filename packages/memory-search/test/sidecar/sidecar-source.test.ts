import { expect, test } from 'vitest'
import { exactSource } from '../../src/candidates/exact-source.js'
import { buildMemory } from '../../src/sidecar/build-memory.js'
import { maskOf } from '../../src/sidecar/row-masks.js'
import { SidecarMemory } from '../../src/sidecar/sidecar-memory.js'
import { sidecarSource } from '../../src/sidecar/sidecar-source.js'
import { SlotTable } from '../../src/sidecar/slot-table.js'
import { WordIndex } from '../../src/sidecar/words/word-index.js'
import { connectMemory, type Connection } from '../../src/sqlite/connection.js'
import { indexedRecords } from '../../src/sqlite/lexical-candidates.js'
import { migrate } from '../../src/sqlite/schema.js'
import { recordsAfter } from '../../src/sqlite/sidecar-records.js'
import { dimensionOf } from '../../src/sqlite/vector-rows.js'
import { candidateSourceContract } from '../candidates/candidate-source-contract.js'

const atOnce = (): Promise<void> => Promise.resolve()
const inMemory = (db: Connection): Promise<SidecarMemory> => buildMemory(db, dimensionOf(db), atOnce, atOnce)

const over = (db: Connection, memory: SidecarMemory) => sidecarSource(db, memory, exactSource(db, indexedRecords(db)))

candidateSourceContract('a sidecar', async (db) => over(db, await inMemory(db)))

/** Every record is put twice: half of the slots are dead, all words fresh. */
candidateSourceContract('a sidecar whose records all changed', async (db) => {
  const memory = await inMemory(db)
  for (const record of recordsAfter(db, dimensionOf(db), 0, 100_000)) memory.put(record)
  return over(db, memory)
})

test('an empty sidecar finds nothing', () => {
  const db = connectMemory()
  migrate(db)
  const parts = { slots: new SlotTable(), words: WordIndex.empty(), codes: undefined, meanOf: 0 }
  const source = over(db, new SidecarMemory(parts, 0))
  expect(source.lexical(['tea'], [], 10)).toEqual([])
  expect(source.semantic(Float32Array.of(1), [], 10)).toEqual([])
  expect(source.tagged([], 10)).toEqual([])
  expect(source.records()).toBe(0)
  expect(source.frequencies(['tea'])).toEqual([0])
  db.close()
})

test.each([
  { groups: 6, isRefused: false },
  { groups: 7, isRefused: true },
])('$groups groups of tags', ({ groups, isRefused }) => {
  const db = connectMemory()
  const memory = new SidecarMemory({ slots: new SlotTable(), words: WordIndex.empty(), codes: undefined, meanOf: 0 }, 0)
  const mask = () => maskOf(db, memory, Array(groups).fill(['tag']), undefined)
  if (isRefused) expect(mask).toThrow(RangeError)
  else expect(mask()).toEqual(new Uint8Array())
  db.close()
})
