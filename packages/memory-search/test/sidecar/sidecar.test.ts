import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { exactSource } from '../../src/candidates/exact-source.js'
import { Sidecar, type SidecarOptions } from '../../src/sidecar/sidecar.js'
import { noteChange } from '../../src/sqlite/change-log.js'
import { indexedRecords } from '../../src/sqlite/lexical-candidates.js'
import { dimensionOf } from '../../src/sqlite/vector-rows.js'
import { contractStore, type ContractStore } from '../candidates/contract-store.js'

const AT_ONCE = 10

let store: ContractStore
let records: number
let faults: unknown[] = []
beforeAll(async () => {
  store = await contractStore()
  records = indexedRecords(store.db)
})
afterAll(() => store.free())

let sidecar: Sidecar
const open = (more: Partial<SidecarOptions> = {}): Sidecar =>
  (sidecar = new Sidecar(store.db, {
    dimension: dimensionOf(store.db),
    from: 1,
    below: () => Infinity,
    followAtOnce: () => AT_ONCE,
    yieldTurn: () => nextTurn(),
    onFault: (error) => faults.push(error),
    ...more,
  }))
afterEach(() => {
  sidecar.stop()
  expect(faults).toEqual([])
  faults = []
})

const source = () => sidecar.source(records, exactSource(store.db, records))
const change = (rows: number): void => {
  const note = noteChange(store.db)
  for (const { row } of store.memories.slice(0, rows)) note(row)
}

test('who only asks whether it is ready has it get ready', async () => {
  open()
  expect(sidecar.isReady(records)).toBe(false)
  await sidecar.settled()
  expect(sidecar.isReady(records)).toBe(true)
  expect(source()).toBeDefined()
})

test('a question that comes too early goes the other way, and has it get ready', async () => {
  open()
  expect(source()).toBeUndefined()
  expect(sidecar.bytes).toBe(0)
  await sidecar.settled()
  expect(sidecar.bytes).toBeGreaterThan(0)
  expect(source()?.records()).toBe(records)
})

test.each([
  { name: 'at', changed: AT_ONCE, isReady: true },
  { name: 'above', changed: AT_ONCE + 1, isReady: false },
])('what changed is read again at once or by itself: $name the bound', async ({ changed, isReady }) => {
  open()
  await sidecar.warm(records)
  change(changed)
  expect(sidecar.isReady(records)).toBe(isReady)
  expect(source() !== undefined).toBe(isReady)
  await sidecar.settled()
  expect(sidecar.isReady(records)).toBe(true)
  expect(source()?.records()).toBe(records)
})

test.each([
  { name: 'below the first number it is for', of: { from: -1, below: 1 }, isFor: true },
  { name: 'at it', of: { from: 0, below: 1 }, isFor: true },
  { name: 'above it', of: { from: 1, below: 2 }, isFor: false },
  { name: 'at the first number it is not for any more', of: { from: -1, below: 0 }, isFor: false },
])('how many records it is for: $name', async ({ of, isFor }) => {
  open({ from: records + of.from, below: () => records + of.below })
  await sidecar.warm(records)
  expect(sidecar.isReady(records)).toBe(isFor)
  expect(sidecar.bytes > 0).toBe(isFor)
})

test('when there are more than it is for it lets go of its memory', async () => {
  let below = Infinity
  open({ below: () => below })
  await sidecar.warm(records)
  below = records
  expect(source()).toBeUndefined()
  expect(sidecar.bytes).toBe(0)
})

test('stopped while it gets ready it ends by itself, and answers nothing more', async () => {
  open()
  expect(sidecar.isReady(records)).toBe(false)
  sidecar.stop()
  await sidecar.settled()
  expect(sidecar.isReady(records)).toBe(false)
  expect(source()).toBeUndefined()
  expect(sidecar.bytes).toBe(0)
})
