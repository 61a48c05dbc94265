import type { RankedMemory } from '@mono-agent/memory-search'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  automaticEffect,
  deliberateEffect,
  labelledQuery,
  measuredQueries,
  type LabelledQuery,
} from '../../src/maintenance/labelled-queries.js'
import { possiblyRelevant } from '../../src/recall/possibly-relevant.js'
import { hitOf, STRONG, vantageAt, WEAK } from '../recall/support/rows.js'

const NOW = vantageAt('2026-05-20T12:00:00Z')

/** @param judged  of `hitOf` */
const hit = (id: string, score: number, judged = {}): RankedMemory => hitOf(score, { id, contentHash: id }, judged)

/** A question whose hits are named `yes…` where they answer it. */
function query(hits: readonly RankedMemory[], calibration = STRONG): LabelledQuery {
  const relevant = hits.map(({ memory }) => memory.id).filter((id) => id.startsWith('yes'))
  return labelledQuery({ relevant, ranked: hits, background: [] }, calibration, NOW)
}

describe('what a floor does to a question, with a window of 0.04 and a tail of 0.15', () => {
  const near = [hit('yes', 0.7), hit('no', 0.69), hit('far', 0.5)]
  const behind = [hit('no', 0.8), hit('yes', 0.72)]
  const below = [hit('no', 0.64), hit('yes', 0.61)]
  const unanswerable = [hit('no', 0.66)]
  const waiting = [hit('yes', 0.9, { waits: true }), hit('no', 0.5)]
  test.each([
    { name: 'the answer is best', floor: 0.62, hits: near, automatic: [1, 0], deliberate: [1, 0] },
    { name: 'the answer stands at the floor', floor: 0.7, hits: near, automatic: [1, 0], deliberate: [1, 0] },
    { name: 'the answer stands below the floor', floor: 0.71, hits: near, automatic: [0, 0], deliberate: [0, 0] },
    { name: 'the answer is outside the window', floor: 0.62, hits: behind, automatic: [0, 1], deliberate: [1, 0] },
    { name: 'the floor cuts the answer only', floor: 0.75, hits: behind, automatic: [0, 1], deliberate: [0, 1] },
    {
      name: 'the best reaches the floor, the answer not',
      floor: 0.62,
      hits: below,
      automatic: [1, 0],
      deliberate: [0, 1],
    },
    { name: 'there is no answer', floor: 0.62, hits: unanswerable, automatic: [0, 1], deliberate: [0, 1] },
    { name: 'none, and nothing reaches it', floor: 0.67, hits: unanswerable, automatic: [0, 0], deliberate: [0, 0] },
    { name: 'nothing was found', floor: 0, hits: [], automatic: [0, 0], deliberate: [0, 0] },
    {
      name: 'the answer is the fourth line',
      floor: 0.6,
      hits: [hit('c', 0.73), hit('b', 0.72), hit('a', 0.71), hit('yes', 0.7)],
      automatic: [0, 1],
      deliberate: [1, 0],
    },
    {
      name: 'the answer is the eleventh hit',
      floor: 0.6,
      hits: [...Array.from({ length: 10 }, (_, n) => hit(`no-${n}`, 0.7)), hit('yes', 0.69)],
      automatic: [0, 1],
      deliberate: [0, 1],
    },
    {
      name: 'the answer is in the tail that is cut',
      floor: 0.3,
      hits: [hit('no', 0.8), hit('yes', 0.64)],
      automatic: [0, 1],
      deliberate: [0, 1],
    },
    {
      name: 'the answer is in the tail and holds all anchors',
      floor: 0.3,
      hits: [hit('no', 0.8), hit('yes', 0.1, { holdsAllAnchors: true })],
      automatic: [0, 1],
      deliberate: [1, 0],
    },
    { name: 'the answer waits for its vector', floor: 0.5, hits: waiting, automatic: [0, 1], deliberate: [1, 0] },
    { name: 'it waits, and the next is too low', floor: 0.6, hits: waiting, automatic: [0, 0], deliberate: [1, 0] },
  ])('$name', ({ floor, hits, automatic, deliberate }) => {
    const both = ({ coverage, falseRecall }: { coverage: number; falseRecall: number }) => [coverage, falseRecall]
    expect(both(automaticEffect([query(hits)], floor))).toEqual(automatic)
    expect(both(deliberateEffect([query(hits)], { ...STRONG, deliberateFloor: floor }))).toEqual(deliberate)
  })

  test('coverage is of answerable questions, false recall of all', () => {
    const queries = [near, near, behind, unanswerable].map((hits) => query(hits))
    expect(automaticEffect(queries, 0.62)).toEqual({ coverage: 2 / 3, falseRecall: 0.5 })
    expect(measuredQueries(queries, STRONG).answerable).toBe(3)
  })
})

describe('beside a weak model', () => {
  test('floors are compared with half of the score', () => {
    const one = [query([hit('yes', 0.82)], WEAK)]
    expect(automaticEffect(one, 0.41).coverage).toBe(1)
    expect(automaticEffect(one, 0.42).coverage).toBe(0)
  })

  test.each([
    { score: 0.82, coverage: 1 },
    { score: 0.8, coverage: 1 },
    { score: 0.78, coverage: 0 },
  ])('the cut at a deliberate floor of 0.5 gives way by 0.1: a score of $score', ({ score, coverage }) => {
    const one = [query([hit('no', 1.04), hit('yes', score)], WEAK)]
    expect(deliberateEffect(one, { ...WEAK, deliberateFloor: 0.5 }).coverage).toBe(coverage)
  })
})

test('what was superseded is history in automatic context: current lines come first', () => {
  const old = hitOf(0.9, { id: 'yes', contentHash: 'yes', supersededBy: 'x', supersededAt: '2026-05-02T00:00:00.000Z' })
  const current = ['a', 'b', 'c'].map((id) => hit(id, 0.88))
  expect(automaticEffect([query([old, ...current])], 0.6)).toEqual({ coverage: 0, falseRecall: 1 })
  expect(automaticEffect([query([old, ...current.slice(1)])], 0.6)).toEqual({ coverage: 1, falseRecall: 0 })
})

test('automatic context is counted as it is shown, at any floor', () => {
  const scores = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 6 })
  fc.assert(
    fc.property(scores, fc.integer({ min: 0, max: 100 }), fc.constantFrom(STRONG, WEAK), (list, hundredths, model) => {
      const hits = [...list]
        .sort((a, b) => b - a)
        .map((score, n) => hit(n % 3 === 1 ? `yes-${n}` : `no-${n}`, score / 100))
      const floor = hundredths / 100
      const shown = possiblyRelevant(hits, { ...model, automaticFloor: floor }, NOW)?.lines ?? []
      const hasAnswer = shown.some(({ memoryIds }) => memoryIds.some((id) => id.startsWith('yes')))
      expect(automaticEffect([query(hits, model)], floor)).toEqual({
        coverage: hasAnswer ? 1 : 0,
        falseRecall: shown.length > 0 && !hasAnswer ? 1 : 0,
      })
    }),
  )
})
