import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  AUTOMATIC_FALSE_RECALL,
  chooseFloors,
  lexicalWeightFor,
  NOISE_RATE,
} from '../../src/calibration/choose-floors.js'
import { poolPairs, type Measurement, type PairScores } from '../../src/calibration/measure.js'
import { shareReaching } from '../../src/calibration/scores.js'
import { servedLanguages } from '../../src/calibration/served-languages.js'
import { expectOrderly } from './orderly.js'

/** `count` scores, evenly from `low` to `high`. */
const even = (low: number, high: number, count = 100): number[] =>
  Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1))

const measured = (languages: Record<string, PairScores>): Measurement => ({
  overall: poolPairs(Object.values(languages)),
  languages,
})

const STRONG: PairScores = { matched: even(0.7, 0.9), nearMiss: even(0.5, 0.68), unrelated: even(0.3, 0.5) }
/** A language the model never saw: everything looks alike. */
const BLIND: PairScores = { matched: even(0.9, 0.99), nearMiss: even(0.9, 0.99), unrelated: even(0.9, 0.99) }

test('a strong model: floors between the pairs, no weight for words', () => {
  const { calibration, languages, orderingError } = chooseFloors(measured({ en: STRONG, de: STRONG }))
  expect(calibration).toEqual({
    noiseFloor: 0.49,
    automaticFloor: 0.64,
    automaticWindow: 0.05,
    deliberateFloor: 0.67,
    tail: 0.2,
    lexicalWeight: 0,
  })
  expect(languages).toEqual(['en', 'de'])
  expect(orderingError).toBe(0)
})

test('near misses raise no floor above what three matched pairs in four reach', () => {
  const { calibration } = chooseFloors(measured({ en: { ...STRONG, nearMiss: even(0.85, 0.95) } }))
  expect(calibration.automaticFloor).toBe(0.75)
  expect(calibration.deliberateFloor).toBe(0.75)
})

test('unrelated pairs raise the automatic floor as far as they must, whatever is left of the matched ones', () => {
  const { calibration } = chooseFloors(measured({ en: { ...STRONG, unrelated: even(0.3, 0.95) } }))
  expect(calibration.automaticFloor).toBe(0.95)
  expect(calibration.deliberateFloor).toBe(0.95)
})

describe('languages', () => {
  test('those that a model does not know set no floor, but words weigh more', () => {
    const alone = chooseFloors(measured({ en: STRONG }))
    const both = chooseFloors(measured({ en: STRONG, th: BLIND }))
    expect(both.languages).toEqual(['en'])
    expect(both.calibration).toEqual({ ...alone.calibration, lexicalWeight: 1 })
  })

  test('can be named by the caller', () => {
    const { calibration, languages } = chooseFloors(measured({ en: STRONG, th: BLIND }), { languages: ['th', 'xx'] })
    expect(languages).toEqual(['th'])
    expect(calibration.automaticFloor).toBe(0.99)
  })

  test('none of those named was measured', () => {
    expect(() => chooseFloors(measured({ en: STRONG }), { languages: ['xx'] })).toThrow(RangeError)
  })

  test.each([
    { name: 'below half of the widest gap', gap: 0.19, served: ['en'] },
    { name: 'half of it', gap: 0.2, served: ['en', 'de'] },
    { name: 'above half of it', gap: 0.21, served: ['en', 'de'] },
  ])('a gap $name', ({ gap, served }) => {
    const pairs = (width: number): PairScores => ({ matched: [width], nearMiss: [0], unrelated: [0] })
    expect(servedLanguages(measured({ en: pairs(0.4), de: pairs(gap) }))).toEqual(served)
  })

  test.each([
    { name: 'rarer than stated', below: 8, served: ['en'] },
    { name: 'as often as stated', below: 9, served: ['en', 'ja'] },
  ])('a wide gap with matches above what is unrelated $name', ({ below, served }) => {
    const unrelated = [...Array.from({ length: below }, () => 0.2), ...Array.from({ length: 10 - below }, () => 1)]
    const ja: PairScores = { matched: [0.9], nearMiss: [0.9], unrelated }
    expect(servedLanguages(measured({ en: STRONG, ja }))).toEqual(served)
  })

  test('all are served where none is known', () => {
    expect(servedLanguages(measured({ en: BLIND, th: BLIND }))).toEqual(['en', 'th'])
  })
})

test.each([
  { error: 0, weight: 0 },
  { error: 0.0499, weight: 0 },
  { error: 0.05, weight: 0 },
  { error: 0.0501, weight: 0.25 },
  { error: 0.1, weight: 0.25 },
  { error: 0.1001, weight: 0.5 },
  { error: 0.30000000000000004 - 0.15, weight: 0.5 },
  { error: 0.2, weight: 0.75 },
  { error: 0.2001, weight: 1 },
  { error: 0.5, weight: 1 },
  { error: 1, weight: 1 },
])('an ordering error of $error gives words the weight $weight', ({ error, weight }) => {
  expect(lexicalWeightFor(error)).toBe(weight)
})

test('the weight of words never falls as the error grows', () => {
  const error = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(error, error, (a, b) => {
      expect(lexicalWeightFor(Math.min(a, b))).toBeLessThanOrEqual(lexicalWeightFor(Math.max(a, b)))
    }),
  )
})

describe('degenerate distributions', () => {
  const pairs = (matched: number[], nearMiss: number[], unrelated: number[]): PairScores => ({
    matched,
    nearMiss,
    unrelated,
  })
  test.each([
    { name: 'all equal', scores: pairs([0.7, 0.7], [0.7], [0.7, 0.7]), weight: 1, automatic: 0.71 },
    { name: 'all at 1', scores: pairs([1], [1], [1]), weight: 1, automatic: 1 },
    { name: 'all at -1', scores: pairs([-1], [-1], [-1]), weight: 1, automatic: 0 },
    { name: 'reversed', scores: pairs([0.1, 0.2], [0.5], [0.8, 0.9]), weight: 1, automatic: 0.91 },
    { name: 'empty', scores: pairs([], [], []), weight: 1, automatic: 0 },
  ])('$name', ({ scores, weight, automatic }) => {
    const { calibration } = chooseFloors(measured({ en: scores }))
    expectOrderly(calibration)
    expect(calibration).toMatchObject({
      lexicalWeight: weight,
      automaticFloor: automatic,
      automaticWindow: 0.01,
      tail: 0.04,
    })
  })
})

describe('any distribution', () => {
  const score = fc.oneof(
    fc.double({ min: -1, max: 1, noNaN: true }),
    fc.integer({ min: 0, max: 100 }).map((n) => n / 100),
  )
  const scores = fc.array(score, { minLength: 1, maxLength: 60 })
  const pairs = fc.record({ matched: scores, nearMiss: scores, unrelated: scores })
  const measurements = fc
    .dictionary(fc.constantFrom('en', 'de', 'th', 'zh'), pairs, { minKeys: 1 })
    .map((languages) => measured({ ...languages }))

  test('gives floors in hundredths, in order', () =>
    fc.assert(fc.property(measurements, (measurement) => expectOrderly(chooseFloors(measurement).calibration))))

  test('keeps the stated rates, except where scores reach 1', () =>
    fc.assert(
      fc.property(measurements, (measurement) => {
        const { calibration, languages } = chooseFloors(measurement)
        const { unrelated } = poolPairs(languages.flatMap((language) => measurement.languages[language] ?? []))
        const below = unrelated.map((value) => Math.min(value, 0.999))
        expect(shareReaching(below, calibration.noiseFloor)).toBeLessThanOrEqual(NOISE_RATE)
        expect(shareReaching(below, calibration.automaticFloor)).toBeLessThanOrEqual(AUTOMATIC_FALSE_RECALL)
      }),
    ))

  test('higher unrelated scores never lower a floor', () =>
    fc.assert(
      fc.property(pairs, fc.double({ min: 0, max: 1, noNaN: true }), (before, rise) => {
        const after = { ...before, unrelated: before.unrelated.map((value) => value + rise) }
        const low = chooseFloors(measured({ en: before })).calibration
        const high = chooseFloors(measured({ en: after })).calibration
        expect(high.noiseFloor).toBeGreaterThanOrEqual(low.noiseFloor)
        expect(high.automaticFloor).toBeGreaterThanOrEqual(low.automaticFloor)
        expect(high.lexicalWeight).toBeGreaterThanOrEqual(low.lexicalWeight)
      }),
    ))
})
