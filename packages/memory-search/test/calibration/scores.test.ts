import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  highestFloor,
  lowestFloor,
  quantile,
  separation,
  shareReaching,
  toHundredths,
} from '../../src/calibration/scores.js'
import { cosine } from '../../src/ranking/cosine.js'

const scores = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 40 })

test.each([
  { name: 'the same direction', a: [0.6, 0.8], b: [0.6, 0.8], value: 1 },
  { name: 'a right angle', a: [1, 0], b: [0, 1], value: 0 },
  { name: 'the opposite', a: [1, 0], b: [-1, 0], value: -1 },
])('the cosine of $name is $value', ({ a, b, value }) => {
  expect(cosine(Float32Array.from(a), Float32Array.from(b))).toBeCloseTo(value, 6)
})

test.each([
  { name: 'another dimension', a: [1, 0], b: [1, 0, 0] },
  { name: 'a number that is none', a: [Number.NaN, 0], b: [1, 0] },
])('a cosine with $name is refused', ({ a, b }) => {
  expect(() => cosine(Float32Array.from(a), Float32Array.from(b))).toThrow(RangeError)
})

test.each([
  { value: -0.2, rounded: 0 },
  { value: 0.004, rounded: 0 },
  { value: 0.006, rounded: 0.01 },
  { value: 0.375 / 10, rounded: 0.04 },
  { value: 0.999, rounded: 1 },
  { value: 1.7, rounded: 1 },
])('$value becomes $rounded', ({ value, rounded }) => {
  expect(toHundredths(value)).toBe(rounded)
})

test.each([
  { floor: 0.49, share: 0.75 },
  { floor: 0.5, share: 0.75 },
  { floor: 0.51, share: 0.5 },
])('a score equal to the floor reaches it ($floor)', ({ floor, share }) => {
  expect(shareReaching([0.1, 0.5, 0.6, 0.7], floor)).toBe(share)
})

test('of no scores none reaches a floor', () => {
  expect(shareReaching([], 0)).toBe(0)
})

describe('floors', () => {
  test.each([
    { name: 'always', holds: () => true, lowest: 0, highest: 1 },
    { name: 'never', holds: () => false, lowest: 1, highest: 0 },
    { name: 'from 0.62 on', holds: (f: number) => f >= 0.62, lowest: 0.62, highest: 1 },
    { name: 'up to 0.35', holds: (f: number) => f <= 0.35, lowest: 1, highest: 0.35 },
    { name: 'from 0.7 on, and below 0.2', holds: (f: number) => f < 0.2 || f >= 0.7, lowest: 0.7, highest: 1 },
  ])('what holds $name', ({ holds, lowest, highest }) => {
    expect(lowestFloor(holds)).toBe(lowest)
    expect(highestFloor(holds)).toBe(highest)
  })
})

test.each([
  { share: 0, value: 1 },
  { share: 0.25, value: 1 },
  { share: 0.26, value: 2 },
  { share: 0.5, value: 2 },
  { share: 1, value: 4 },
])('quantile $share of 4, 3, 2, 1 is $value', ({ share, value }) => {
  expect(quantile([4, 3, 2, 1], share)).toBe(value)
})

test.each([
  { name: 'all above', better: [0.8, 0.9], worse: [0.1, 0.7], value: 1 },
  { name: 'all below', better: [0.1], worse: [0.2, 0.3], value: 0 },
  { name: 'all equal', better: [0.5, 0.5], worse: [0.5], value: 0.5 },
  { name: 'one of four wrong', better: [0.9, 0.5], worse: [0.6, 0.1], value: 0.75 },
  { name: 'nothing', better: [], worse: [0.1], value: 0.5 },
])('separation of $name is $value', ({ better, worse, value }) => {
  expect(separation(better, worse)).toBe(value)
})

test('the two sides of a separation add up to one', () =>
  fc.assert(
    fc.property(scores, scores, (a, b) => {
      expect(separation(a, b) + separation(b, a)).toBeCloseTo(1, 9)
    }),
  ))
