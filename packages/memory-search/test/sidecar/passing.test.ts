import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { passing } from '../../src/sidecar/passing.js'

const byte = fc.integer({ min: 0, max: 255 })
const slots = fc.array(fc.tuple(byte, fc.constantFrom(0, 1)), { maxLength: 40 })

describe('passing', () => {
  test('is 1 where all that is wanted is marked, nothing unwanted is, and the slot is live', () => {
    fc.assert(
      fc.property(slots, byte, byte, fc.nat(9), (table, wanted, other, more) => {
        const unwanted = other & ~wanted
        const live = Uint8Array.from([...table.map(([, isLive]) => isLive), ...Array<number>(more).fill(1)])
        const marks = Uint8Array.from(table, ([mark]) => mark)
        const expected = table.map(([mark, isLive]) =>
          isLive === 1 && (mark & wanted) === wanted && (mark & unwanted) === 0 ? 1 : 0,
        )
        expect([...passing(marks, live, wanted, unwanted)]).toEqual(expected)
      }),
      {
        examples: [
          [
            [
              [128, 1],
              [127, 1],
              [128, 1],
              [128, 1],
            ],
            128,
            2,
            0,
          ],
        ],
      },
    )
  })

  test.each([1, 2, 3])('refuses what begins %i bytes into four', (offset) => {
    const moved = new Uint8Array(new ArrayBuffer(16), offset, 8)
    expect(() => passing(new Uint8Array(8), moved, 4, 2)).toThrow(RangeError)
    expect(() => passing(moved, new Uint8Array(8), 4, 2)).toThrow(RangeError)
  })
})
