import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasAtMost, topSlots } from '../../src/sidecar/select-top.js'

const asked = (values: readonly number[], count: number, more: { least?: number; mask?: Uint8Array } = {}) =>
  topSlots(Float64Array.from(values), values.length, { count, least: -Infinity, ...more })

test.each([
  { name: 'fewer than wanted: all', values: [3, 1, 2], count: 5, above: [0, 1, 2], tied: [] },
  { name: 'as many as wanted', values: [3, 1, 2], count: 3, above: [0, 2], tied: [1] },
  { name: 'the greatest', values: [3, 1, 2, 9], count: 2, above: [3], tied: [0] },
  { name: 'all that share the last place', values: [5, 2, 2, 7, 2, 1], count: 3, above: [0, 3], tied: [1, 2, 4] },
  { name: 'all that are equal', values: [4, 4, 4], count: 1, above: [], tied: [0, 1, 2] },
  { name: 'none of none', values: [], count: 3, above: [], tied: [] },
])('takes $name', ({ values, count, above, tied }) => {
  expect(asked(values, count)).toEqual({ above, tied })
})

test('what is not above the least does not count, nor what is masked', () => {
  expect(asked([0, 2, 0, 1], 4, { least: 0 })).toEqual({ above: [1, 3], tied: [] })
  expect(asked([9, 2, 8, 1], 1, { mask: Uint8Array.of(0, 1, 0, 1) })).toEqual({ above: [], tied: [1] })
  expect(asked([-Infinity, 1, -Infinity], 3)).toEqual({ above: [1], tied: [] })
})

test('is what sorting all would give, ties included', () =>
  fc.assert(
    fc.property(
      // Few different values make ties, many make the buffer of the greatest run full.
      fc.oneof(
        fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 400 }),
        fc.array(fc.double({ noNaN: true, min: -1, max: 1 }), { maxLength: 900 }),
      ),
      fc.integer({ min: 1, max: 90 }),
      fc.infiniteStream(fc.boolean()),
      (values, count, masked) => {
        const mask = Uint8Array.from(values, () => (masked.next().value === true ? 1 : 0))
        const { above, tied } = asked(values, count, { mask })
        const passing = values.map((value, slot) => ({ value, slot })).filter(({ slot }) => mask[slot] === 1)
        const sorted = passing.map(({ value }) => value).sort((a, b) => b - a)
        const last = sorted[count - 1] ?? -Infinity
        expect(above).toEqual(passing.filter(({ value }) => value > last).map(({ slot }) => slot))
        expect(tied).toEqual(passing.filter(({ value }) => value === last).map(({ slot }) => slot))
      },
    ),
  ))

test.each([
  { name: 'below', values: [1, 2], most: 3, is: true },
  { name: 'at', values: [1, 2, 3], most: 3, is: true },
  { name: 'above', values: [1, 2, 3, 4], most: 3, is: false },
  { name: 'what has no value does not count', values: [1, -Infinity, 3, 4], most: 3, is: true },
  { name: 'what is masked does not count', values: [1, 2, 3, 4], mask: [1, 1, 0, 1], most: 3, is: true },
])('as many as asked: $name', ({ values, mask, most, is }) => {
  const masked = mask === undefined ? undefined : Uint8Array.from(mask)
  expect(hasAtMost(Float32Array.from(values), values.length, most, masked)).toBe(is)
})
