import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cosine } from '../../src/ranking/cosine.js'
import {
  MAX_BACKGROUND,
  MAX_SAMPLED_MEMORIES,
  MAX_SAMPLED_VECTORS,
  sampleQueryScores,
  sampleStoreScores,
} from '../../src/calibration/store-samples.js'

const at = (angle: number): Float32Array => Float32Array.of(Math.cos(angle), Math.sin(angle))
const circle = (count: number): Float32Array[] => Array.from({ length: count }, (_, i) => at((2 * Math.PI * i) / count))

test.each([0, 1])('a store of %i memories has no pairs', (count) => {
  expect(sampleStoreScores(circle(count))).toEqual({ random: [], neighbouring: [] })
})

test('two memories are each other’s neighbour and only pair', () => {
  const { random, neighbouring } = sampleStoreScores([at(0), at(Math.PI / 3)])
  expect(neighbouring.map((score) => score.toFixed(4))).toEqual(['0.5000', '0.5000'])
  expect(random.map((score) => score.toFixed(4))).toEqual(['0.5000', '0.5000'])
})

test('on a circle the neighbour is the next one, random pairs are far', () => {
  const { random, neighbouring } = sampleStoreScores(circle(36))
  for (const score of neighbouring) expect(score).toBeCloseTo(Math.cos((2 * Math.PI) / 36), 5)
  expect(random.length).toBe(36 * 5)
  expect(Math.max(...random)).toBeLessThan(0.6)
})

describe('sizes', () => {
  test.each([
    { count: MAX_SAMPLED_MEMORIES - 1, sampled: MAX_SAMPLED_MEMORIES - 1 },
    { count: MAX_SAMPLED_MEMORIES, sampled: MAX_SAMPLED_MEMORIES },
    { count: MAX_SAMPLED_MEMORIES + 1, sampled: MAX_SAMPLED_MEMORIES },
    { count: MAX_SAMPLED_VECTORS + 1, sampled: MAX_SAMPLED_MEMORIES },
  ])('of $count memories $sampled are looked at', ({ count, sampled }) => {
    const { random, neighbouring } = sampleStoreScores(circle(count))
    expect(neighbouring.length).toBe(sampled)
    expect(random.length).toBe(sampled * 5)
  })
})

test('neighbours are the nearest of all others, and no memory is paired with itself', () =>
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.double({ min: 0, max: 6, noNaN: true }), { minLength: 2, maxLength: 30 }),
      (angles) => {
        const vectors = angles.map(at)
        const { random, neighbouring } = sampleStoreScores(vectors)
        const nearest = vectors.map((own, i) =>
          Math.max(...vectors.filter((_, j) => j !== i).map((other) => cosine(own, other))),
        )
        expect(neighbouring).toEqual(nearest)
        expect(sampleStoreScores(vectors)).toEqual({ random, neighbouring })
        const pairs = vectors.flatMap((own, i) => vectors.filter((_, j) => j !== i).map((other) => cosine(own, other)))
        for (const score of random) expect(pairs).toContain(score)
      },
    ),
  ))

test.each([
  { count: 0, sampled: 0 },
  { count: MAX_BACKGROUND - 1, sampled: MAX_BACKGROUND - 1 },
  { count: MAX_BACKGROUND, sampled: MAX_BACKGROUND },
  { count: MAX_BACKGROUND + 1, sampled: MAX_BACKGROUND },
])('a query is compared with $sampled of $count memories, from all around', ({ count, sampled }) => {
  const scores = sampleQueryScores(at(0), circle(count))
  expect(scores.length).toBe(sampled)
  if (count > 0) {
    expect(Math.max(...scores)).toBeCloseTo(1, 5)
    expect(Math.min(...scores)).toBeLessThan(-0.99)
  }
})
