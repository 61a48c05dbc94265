import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withRoom } from '../../src/sidecar/grown.js'
import type { SidecarRecord } from '../../src/sidecar/record.js'
import { MIN_UNSEALED, UNSEALED_SHARE } from '../../src/sidecar/sidecar.js'
import { KIND_BITS, SlotTable } from '../../src/sidecar/slot-table.js'

const record = (row: number, more: Partial<SidecarRecord> = {}): SidecarRecord => ({
  row,
  columns: ['', '', '', ''],
  recordedAt: 1_000 + row,
  kinds: [],
  before: undefined,
  vector: undefined,
  ...more,
})

test.each([0, 1, 6_399, 6_400, 12_800, 1_000_000])(
  '%i slots have room for all that comes before they are compacted',
  (size) => {
    expect(withRoom(size) - size).toBeGreaterThan(Math.max(MIN_UNSEALED, size * UNSEALED_SHARE))
  },
)

test('a record has one live slot, its latest', () => {
  const table = new SlotTable()
  const first = table.add(record(7))
  table.setLength(first, 10)
  const second = table.add(record(7, { before: 3, kinds: ['lesson'], vector: Float32Array.of(1) }))
  table.setLength(second, 4)
  expect([first, second]).toEqual([0, 1])
  expect(table.slotOf(7)).toBe(1)
  expect({ size: table.size, dead: table.dead, count: table.count }).toEqual({ size: 2, dead: 1, count: 1 })
  expect({ tokens: table.tokens, vectors: table.vectors }).toEqual({ tokens: 4, vectors: 1 })
  expect([...table.live.subarray(0, 2)]).toEqual([0, 1])
  expect([...table.before.subarray(0, 2)]).toEqual([0, 3])
  expect((table.kinds[1] as number) & KIND_BITS.lesson).not.toBe(0)
  expect((table.kinds[1] as number) & KIND_BITS.preference).toBe(0)
})

test.each([0, 1, 5, 2 ** 20])('row %i, which it never saw, has none; removing it is nothing', (row) => {
  const table = new SlotTable()
  table.add(record(3))
  expect(table.slotOf(row)).toBeUndefined()
  expect(table.remove(row)).toBe(false)
  expect(table.count).toBe(1)
})

test('a row number beyond 32 bits is refused and changes nothing', () => {
  const table = new SlotTable()
  expect(() => table.add(record(2 ** 32))).toThrow(RangeError)
  expect(table.size).toBe(0)
})

interface Kept {
  readonly length: number
  readonly hasVector: boolean
}

test('after any history it holds what a Map holds, through compaction and a file as well', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          row: fc.integer({ min: 1, max: 40 }),
          isRemoved: fc.boolean(),
          length: fc.integer({ min: 0, max: 65_535 }),
          hasVector: fc.boolean(),
        }),
        { maxLength: 600 },
      ),
      (steps) => {
        const model = new Map<number, Kept>()
        const table = new SlotTable()
        for (const { row, isRemoved, length, hasVector } of steps) {
          if (isRemoved) {
            expect(table.remove(row)).toBe(model.delete(row))
            continue
          }
          const vector = hasVector ? Float32Array.of(1) : undefined
          table.setLength(table.add(record(row, { vector })), length)
          model.set(row, { length, hasVector })
        }
        for (const each of [table, SlotTable.of(table.columns(table.liveSlots()))]) {
          expect(each.count).toBe(model.size)
          expect(each.tokens).toBe([...model.values()].reduce((sum, { length }) => sum + length, 0))
          expect(each.vectors).toBe([...model.values()].filter(({ hasVector }) => hasVector).length)
          for (const [row, { length }] of model) {
            const slot = each.slotOf(row) as number
            expect([each.rows[slot], each.lengths[slot], each.recordedAt[slot]]).toEqual([row, length, 1_000 + row])
          }
          expect([...each.liveSlots()].map((slot) => each.rows[slot])).toHaveLength(model.size)
        }
      },
    ),
  ))
