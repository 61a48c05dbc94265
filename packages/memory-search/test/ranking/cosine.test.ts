import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cosine } from '../../src/ranking/cosine.js'
import { hashVector, unit } from '../support/vectors.js'

const values = (length: number) =>
  fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: length, maxLength: length })
const vectors = fc
  .integer({ min: 1, max: 40 })
  .chain((length) => fc.tuple(values(length), values(length)))
  .filter(([a, b]) => a.some((value) => value !== 0) && b.some((value) => value !== 0))

test('is the naive dot product of unit vectors, symmetric, 1 with itself', () => {
  fc.assert(
    fc.property(vectors, ([a, b]) => {
      const [first, second] = [unit(a), unit(b)]
      const naive = Array.from(first).reduce((sum, value, at) => sum + value * (second[at] ?? NaN), 0)
      expect(cosine(first, second)).toBeCloseTo(naive, 12)
      expect(cosine(second, first)).toBe(cosine(first, second))
      expect(cosine(first, first)).toBeCloseTo(1, 5)
    }),
  )
})

test('float32 rounding never leads out of -1..1', () => {
  const long = Float32Array.from({ length: 3 }, () => 0.5774)
  expect(cosine(long, long)).toBe(1)
  expect(
    cosine(
      long,
      long.map((value) => -value),
    ),
  ).toBe(-1)
})

test('the same bits on every platform', () => {
  expect(cosine(hashVector('tea', 512), hashVector('coffee', 512))).toBe(-0.05809986059031648)
})

test('vectors of two models are a fault of the caller', () => {
  expect(() => cosine(hashVector('a', 8), hashVector('a', 16))).toThrow(RangeError)
})
