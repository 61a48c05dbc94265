import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actorFit, namedWords } from '../../src/ranking/actor-fit.js'
import { fullWeight, lexicalEvidence } from '../../src/ranking/lexical-evidence.js'
import type { Candidate } from '../../src/ranking/candidate.js'
import { rankLexical as rank } from '../../src/ranking/rank-lexical.js'
import { timeFit, timeLevels } from '../../src/ranking/time-fit.js'

const candidates = fc.array(
  fc.record({
    id: fc.string({ minLength: 1 }),
    bm25: fc.double({ min: 0, max: 100, noNaN: true }),
    isExact: fc.boolean(),
    namedWords: fc.nat(3),
    timeFit: fc.constantFrom(0, 0.5, 1),
    isQuestion: fc.boolean(),
  }),
)

describe('lexical evidence', () => {
  test('a word that nobody wrote weakens all hits, one that everybody wrote weighs nothing', () => {
    const one = fullWeight([10], 1_000)
    expect(fullWeight([10, 0], 1_000)).toBeGreaterThan(2 * one)
    expect(fullWeight([10, 1_000], 1_000)).toBeCloseTo(one, 4)
  })
  test('is 0..1 and grows with bm25', () =>
    fc.assert(
      fc.property(fc.double({ min: 0, max: 50, noNaN: true }), fc.double({ min: 0, max: 50, noNaN: true }), (a, b) => {
        const [less, more] = [lexicalEvidence(Math.min(a, b), 20), lexicalEvidence(Math.max(a, b), 20)]
        expect(less).toBeGreaterThanOrEqual(0)
        expect(more).toBeGreaterThanOrEqual(less)
        expect(more).toBeLessThanOrEqual(1)
      }),
    ))
  test('is 0 without words', () => expect(lexicalEvidence(0, 0)).toBe(0))
})

describe('actor', () => {
  test.each([
    { speaker: ['anna', 'schmidt'], query: ['anna'], named: 1 },
    { speaker: ['anna', 'schmidt'], query: ['anna', 'schmidt'], named: 2 },
    { speaker: ['anna', 'de', 'wit'], query: ['de'], named: 0 },
    { speaker: ['anna', 'de', 'wit'], query: ['de', 'wit'], named: 2 },
    { speaker: ['al'], query: ['al'], named: 1 },
    { speaker: ['bob'], query: ['anna'], named: 0 },
  ])('$query names $named words of $speaker', ({ speaker, query, named }) =>
    expect(namedWords(speaker, new Set(query))).toBe(named),
  )
  test('the best named author fits wholly', () => {
    expect([actorFit(2, 2), actorFit(1, 2), actorFit(0, 2), actorFit(0, 0)]).toEqual([1, 0.5, 0, 0])
  })
})

describe('time', () => {
  test.each([
    { name: 'the day', mention: { year: 2023, month: 5, day: 8 }, day: '2023-05-08', fit: 1 },
    { name: 'the day before', mention: { year: 2023, month: 5, day: 8 }, day: '2023-05-07', fit: 0 },
    { name: 'seven days later', mention: { year: 2023, month: 5, day: 8 }, day: '2023-05-15', fit: 0.5 },
    { name: 'eight days later', mention: { year: 2023, month: 5, day: 8 }, day: '2023-05-16', fit: 0 },
    { name: 'over a year’s end', mention: { year: 2023, month: 12, day: 30 }, day: '2024-01-02', fit: 0.5 },
    { name: 'a day of any year', mention: { month: 2, day: 29 }, day: '2024-02-29', fit: 1 },
    { name: 'a day that does not exist', mention: { year: 2023, month: 4, day: 31 }, day: '2023-05-01', fit: 0 },
    { name: 'the month', mention: { year: 2023, month: 5 }, day: '2023-05-31', fit: 1 },
    { name: 'the month of another year', mention: { year: 2023, month: 5 }, day: '2024-05-31', fit: 0 },
    { name: 'a month of any year', mention: { month: 5 }, day: '2019-05-31', fit: 1 },
    { name: 'the year', mention: { year: 2023 }, day: '2023-12-31', fit: 0.5 },
    { name: 'another year', mention: { year: 2023 }, day: '2022-12-31', fit: 0 },
  ])('$name fits $fit', ({ mention, day, fit }) => expect(timeFit(day, timeLevels([mention]))).toBe(fit))
})

describe('rank', () => {
  const plain: Candidate = { id: 'a', bm25: 0, isExact: false, namedWords: 0, timeFit: 0, isQuestion: false }

  test('parts add up to the score, which is 0..1, best first, ties by id', () =>
    fc.assert(
      fc.property(candidates, (given) => {
        const ranked = rank(given, 30)
        expect(ranked).toHaveLength(given.length)
        ranked.forEach(({ score, parts, candidate }, at) => {
          expect(parts.lexical + parts.actor + parts.time + parts.question).toBeCloseTo(score, 8)
          expect(score).toBeGreaterThanOrEqual(0)
          expect(score).toBeLessThanOrEqual(1)
          const next = ranked[at + 1]
          if (next === undefined) return
          expect(score).toBeGreaterThanOrEqual(next.score)
          if (score === next.score) expect(candidate.id <= next.candidate.id).toBe(true)
        })
      }),
    ))
  test('a lift is bounded: it cannot beat the very sentence', () => {
    const lifted = { ...plain, bm25: 0, namedWords: 1, timeFit: 1 }
    expect(rank([lifted, { ...plain, id: 'b', isExact: true }], 10).map(({ candidate }) => candidate.id)).toEqual([
      'b',
      'a',
    ])
  })
})
