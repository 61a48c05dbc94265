import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BLOCK_SLOTS, createReaching, type Reach } from '../../src/sidecar/reach.js'
import { hasAtMost, slotsWithin, topSlots } from '../../src/sidecar/select-top.js'

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

test('where a sample promises more great values than there are, the others are found all the same', () => {
  const values = Array.from({ length: 4_000 }, (_, slot) => (slot % 50 === 0 ? 10 : slot / 4_000))
  const { above, tied } = asked(values, 100)
  const greatest = values.flatMap((value, slot) => (value === 10 ? [slot] : []))
  expect([...above, ...tied].sort((a, b) => a - b)).toEqual([...greatest, ...Array.from({ length: 20 }, (_, n) => 3_980 + n)].sort((a, b) => a - b)) // prettier-ignore
})

/** Few different values make ties, many make the buffer of the greatest run full; of single precision, for both kinds. */
const someValues = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 400 }),
  fc.array(fc.float({ noNaN: true, min: -1, max: 1 }), { maxLength: 1_500 }),
  fc.array(fc.constantFrom(0, 0.25, 0.5, -Infinity), { minLength: BLOCK_SLOTS - 20, maxLength: BLOCK_SLOTS + 20 }),
)
/** Of the mask: none, or passing one in so many. */
const someMask = fc.option(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.nat(60)), { nil: undefined })

describe.each(['simd', 'plain'] as const)('%s', (kernel) => {
  const reaching = createReaching(kernel)

  test.each([Float32Array, Float64Array])('%o: is what sorting all would give, ties included', (Kind) =>
    fc.assert(
      fc.property(someValues, fc.integer({ min: 1, max: 90 }), someMask, fc.boolean(), (all, count, masked, least) => {
        const values = Kind.from([...all, 9, 9]) // beyond the size
        const mask = masked && Uint8Array.from(values, (_, slot) => Number((slot * 7 + masked[1]) % masked[0] === 0))
        const above0 = least ? 0 : -Infinity
        const top = topSlots(values, all.length, { count, least: above0, mask }, reaching)
        const passing = [...all.keys()].filter((slot) => (values[slot] as number) > above0 && mask?.[slot] !== 0)
        const sorted = passing.map((slot) => values[slot] as number).sort((a, b) => b - a)
        const last = sorted[count - 1] ?? above0
        expect(top.above).toEqual(passing.filter((slot) => (values[slot] as number) > last))
        expect(top.tied).toEqual(passing.filter((slot) => values[slot] === last))
        const [from, to] = [0.25, 0.5]
        expect(slotsWithin(values, all.length, { least: from, most: to, mask }, reaching)).toEqual(
          [...all.keys()].filter((slot) => from <= values[slot]! && values[slot]! <= to && mask?.[slot] !== 0),
        )
        const some = [...all.keys()].filter((slot) => values[slot] !== -Infinity && mask?.[slot] !== 0).length
        for (const most of [0, some - 1, some, some + 1]) {
          expect(hasAtMost(values, all.length, most, mask, reaching)).toBe(some <= most)
        }
      }),
    ),
  )

  test.each([1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, BLOCK_SLOTS])('finds each one of %i alone', (size) => {
    for (const Kind of [Float32Array, Float64Array]) {
      for (let slot = 0; slot < size; slot += size > 40 ? 127 : 1) {
        const values = new Kind(size).fill(0.5)
        values[slot] = 0.75
        const at = (reach: Partial<Reach>): number[] => {
          const found = reaching.find(values, 0, size, { least: 0, floor: 0, mask: undefined, ...reach })
          return [...reaching.found.subarray(0, found)]
        }
        expect(at({ floor: 0.75 })).toEqual([slot])
        expect(at({ least: 0.5 })).toEqual([slot])
        expect(at({ mask: Uint8Array.from(values, (value) => Number(value === 0.75)) })).toEqual([slot])
        expect(at({ least: 0.75 })).toEqual([])
        expect(at({})).toHaveLength(size)
      }
    }
  })
})

test('where there is no SIMD the twin walks, unless SIMD was asked for', () => {
  const none = {}
  expect(
    createReaching(undefined, none).find(Float64Array.of(1, 2), 0, 2, { least: 1, floor: 1, mask: undefined }),
  ).toBe(1)
  expect(() => createReaching('simd', none)).toThrow('no WebAssembly with SIMD')
})

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
