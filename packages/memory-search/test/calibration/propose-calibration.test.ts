import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { automaticEffect, deliberateEffect, type LabelledQuery } from '../../src/calibration/labelled-queries.js'
import {
  AUTOMATIC_FALSE_RECALL_OF_QUERIES,
  MIN_ANSWERABLE_QUERIES,
  MIN_RANDOM_PAIRS,
  proposeCalibration,
  type CalibrationProposal,
} from '../../src/calibration/propose-calibration.js'
import { NOMIC_CALIBRATION } from '../../src/calibration/shipped.js'
import { expectOrderly } from './orderly.js'

const even = (low: number, high: number, count = 1_000): number[] =>
  Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1))
const STORE = { random: even(0.2, 0.5), neighbouring: even(0.45, 0.85) }

/** Half of them below 0.35, one in twenty from 0.485 on. */
const BACKGROUND = even(0.2, 0.5, 100)

/** A question whose hits are named `yes…` where they answer it. */
function query(...hits: readonly (readonly [id: string, score: number])[]): LabelledQuery {
  const scored = hits.map(([id, score]) => ({ id, score }))
  return {
    relevant: new Set(scored.map(({ id }) => id).filter((id) => id.startsWith('yes'))),
    hits: scored,
    background: BACKGROUND,
  }
}
const repeat = (count: number, one: LabelledQuery): LabelledQuery[] => Array.from({ length: count }, () => one)

function proposed(proposal: CalibrationProposal): Extract<CalibrationProposal, { kind: 'proposed' }> {
  if (proposal.kind !== 'proposed') throw new Error(`nothing proposed: ${proposal.what}`)
  return proposal
}

describe('what a floor does to a question', () => {
  const near = query(['yes', 0.7], ['no', 0.69], ['far', 0.5])
  const behind = query(['no', 0.8], ['yes', 0.72])
  const unanswerable = query(['no', 0.66])
  test.each([
    { name: 'the answer is best', floor: 0.62, asked: near, automatic: [1, 0], deliberate: [1, 0] },
    { name: 'the answer stands at the floor', floor: 0.7, asked: near, automatic: [1, 0], deliberate: [1, 0] },
    { name: 'the answer stands below the floor', floor: 0.71, asked: near, automatic: [0, 0], deliberate: [0, 0] },
    { name: 'the answer is outside the window', floor: 0.62, asked: behind, automatic: [0, 1], deliberate: [1, 0] },
    { name: 'the floor cuts the answer only', floor: 0.75, asked: behind, automatic: [0, 1], deliberate: [0, 1] },
    { name: 'there is no answer', floor: 0.62, asked: unanswerable, automatic: [0, 1], deliberate: [0, 1] },
    {
      name: 'there is no answer and nothing clears',
      floor: 0.67,
      asked: unanswerable,
      automatic: [0, 0],
      deliberate: [0, 0],
    },
    { name: 'nothing was found', floor: 0, asked: query(), automatic: [0, 0], deliberate: [0, 0] },
    {
      name: 'the answer is the fourth line',
      floor: 0.6,
      asked: query(['yes', 0.7], ['a', 0.71], ['b', 0.72], ['c', 0.73]),
      automatic: [0, 1],
      deliberate: [1, 0],
    },
    {
      name: 'the answer is in the tail that is cut',
      floor: 0.3,
      asked: query(['no', 0.8], ['yes', 0.64]),
      automatic: [0, 1],
      deliberate: [0, 1],
    },
  ])('$name', ({ floor, asked, automatic, deliberate }) => {
    const both = ({ coverage, falseRecall }: { coverage: number; falseRecall: number }) => [coverage, falseRecall]
    expect(both(automaticEffect([asked], floor, 0.04))).toEqual(automatic)
    expect(both(deliberateEffect([asked], floor, 0.15))).toEqual(deliberate)
  })

  test('coverage is of answerable questions, false recall of all', () => {
    const queries = [near, near, behind, unanswerable]
    expect(automaticEffect(queries, 0.62, 0.04)).toEqual({ coverage: 2 / 3, falseRecall: 0.5 })
  })
})

describe('too few samples to say anything', () => {
  test.each([
    { count: MIN_RANDOM_PAIRS - 1, kind: 'too_few' },
    { count: MIN_RANDOM_PAIRS, kind: 'proposed' },
    { count: MIN_RANDOM_PAIRS + 1, kind: 'proposed' },
  ])('$count random pairs: $kind', ({ count, kind }) => {
    const store = { random: even(0.2, 0.5, count), neighbouring: even(0.45, 0.85) }
    const proposal = proposeCalibration({ basis: 'pairs', store }, NOMIC_CALIBRATION)
    expect(proposal.kind).toBe(kind)
    if (proposal.kind === 'too_few') {
      expect(proposal).toEqual({ kind, what: 'random_pairs', found: count, needed: MIN_RANDOM_PAIRS })
    }
  })

  test('queries that were compared with too few memories', () => {
    const queries = repeat(MIN_RANDOM_PAIRS - 1, { ...query(['yes', 0.7]), background: [0.3] })
    const expected = { kind: 'too_few', what: 'random_pairs', found: MIN_RANDOM_PAIRS - 1, needed: MIN_RANDOM_PAIRS }
    expect(proposeCalibration({ basis: 'queries', queries }, NOMIC_CALIBRATION)).toEqual(expected)
  })

  test.each([
    { count: 0, kind: 'too_few' },
    { count: MIN_ANSWERABLE_QUERIES - 1, kind: 'too_few' },
    { count: MIN_ANSWERABLE_QUERIES, kind: 'proposed' },
  ])('$count answerable queries: $kind', ({ count, kind }) => {
    const queries = [...repeat(count, query(['yes', 0.7])), ...repeat(30, query(['no', 0.4]))]
    expect(proposeCalibration({ basis: 'queries', queries }, NOMIC_CALIBRATION).kind).toBe(kind)
  })
})

describe('without labels', () => {
  const { calibration, basis, table } = proposed(
    proposeCalibration({ basis: 'pairs', store: STORE }, NOMIC_CALIBRATION),
  )

  test('random pairs set the floors, the rest stays', () => {
    expect(basis).toBe('pairs')
    expect(calibration).toEqual({ ...NOMIC_CALIBRATION, noiseFloor: 0.49, automaticFloor: 0.5, deliberateFloor: 0.5 })
  })

  test('the table says what each floor buys', () => {
    expect(table.find(({ floor }) => floor === 0.65)?.automatic).toEqual({ coverage: 0.5, falseRecall: 0 })
    expect(table.find(({ floor }) => floor === 0.35)?.automatic).toEqual({ coverage: 1, falseRecall: 0.5 })
  })
})

describe('with labelled queries', () => {
  test('the floor stands above what misleads more often than stated', () => {
    const queries = [...repeat(90, query(['yes', 0.8])), ...repeat(10, query(['no', 0.57]))]
    const { calibration, basis } = proposed(proposeCalibration({ basis: 'queries', queries }, NOMIC_CALIBRATION))
    expect(basis).toBe('queries')
    expect(calibration).toMatchObject({ noiseFloor: 0.49, automaticFloor: 0.58, deliberateFloor: 0.58 })
  })

  test.each([
    { name: 'below the stated rate', wrong: 4, automatic: 0.49, deliberate: 0.58 },
    { name: 'at it', wrong: 5, automatic: 0.49, deliberate: 0.58 },
    { name: 'above it', wrong: 6, automatic: 0.58, deliberate: 0.58 },
    { name: 'below that of deliberate recall', wrong: 2, automatic: 0.49, deliberate: 0.49 },
  ])('misleading answers $name', ({ wrong, automatic, deliberate }) => {
    const queries = [...repeat(100 - wrong, query(['yes', 0.8])), ...repeat(wrong, query(['no', 0.57]))]
    const { calibration } = proposed(proposeCalibration({ basis: 'queries', queries }, NOMIC_CALIBRATION))
    expect(calibration).toMatchObject({ automaticFloor: automatic, deliberateFloor: deliberate })
  })

  test('deliberate recall is never made deaf: three answers in four stay', () => {
    const queries = [...repeat(75, query(['yes', 0.55])), ...repeat(3, query(['no', 0.9])), ...repeat(22, query())]
    const { calibration } = proposed(proposeCalibration({ basis: 'queries', queries }, NOMIC_CALIBRATION))
    expect(calibration).toMatchObject({ automaticFloor: 0.49, deliberateFloor: 0.55 })
  })

  test('the three in four are of the answers that recall finds at all', () => {
    const missed: LabelledQuery = { ...query(), relevant: new Set(['yes']) }
    const queries = [...repeat(40, query(['yes', 0.55])), ...repeat(60, missed), ...repeat(3, query(['no', 0.9]))]
    const { calibration } = proposed(proposeCalibration({ basis: 'queries', queries }, NOMIC_CALIBRATION))
    expect(calibration).toMatchObject({ automaticFloor: 0.49, deliberateFloor: 0.55 })
  })

  test('a floor that cuts answers and leaves what misleads is passed over, though a lower one would do', () => {
    const queries = [...repeat(50, query(['no', 0.7], ['yes', 0.68])), ...repeat(50, query(['yes', 0.9]))]
    const { calibration } = proposed(proposeCalibration({ basis: 'queries', queries }, NOMIC_CALIBRATION))
    expect(calibration.automaticFloor).toBe(0.71)
  })
})

describe('any store', () => {
  const scores = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 })
  const stores = fc
    .record({ random: scores, neighbouring: scores })
    .map((store) => ({ ...store, random: Array.from({ length: MIN_RANDOM_PAIRS }).flatMap(() => store.random) }))
  const hits = fc.array(fc.tuple(fc.constantFrom('yes', 'a', 'b', 'c'), fc.double({ min: -1, max: 1, noNaN: true })), {
    maxLength: 6,
  })
  const labelled = fc
    .array(hits, { maxLength: 12 })
    .map((lists) => [...lists.map((list) => query(...list)), ...repeat(MIN_ANSWERABLE_QUERIES, query(['yes', 0.6]))])

  test('gets floors in hundredths, in order, and a rising table that holds them', () =>
    fc.assert(
      fc.property(stores, fc.option(labelled, { nil: undefined }), (store, queries) => {
        const samples =
          queries === undefined ? { basis: 'pairs' as const, store } : { basis: 'queries' as const, queries }
        const { calibration, table } = proposed(proposeCalibration(samples, NOMIC_CALIBRATION))
        expectOrderly(calibration)
        const floors = table.map(({ floor }) => floor)
        expect(floors).toEqual([...new Set(floors)].sort((a, b) => a - b))
        expect(floors).toEqual(
          expect.arrayContaining([0, 0.5, 1, calibration.automaticFloor, calibration.deliberateFloor]),
        )
        for (const { automatic, deliberate } of table) {
          for (const share of [...Object.values(automatic), ...Object.values(deliberate)] as number[]) {
            expect(share).toBeGreaterThanOrEqual(0)
            expect(share).toBeLessThanOrEqual(1)
          }
        }
      }),
    ))

  test('keeps the stated rate of misled questions in automatic context, except where scores reach 1', () =>
    fc.assert(
      fc.property(labelled, (queries) => {
        const { calibration } = proposed(proposeCalibration({ basis: 'queries', queries }, NOMIC_CALIBRATION))
        fc.pre(calibration.automaticFloor < 1)
        const { falseRecall } = automaticEffect(queries, calibration.automaticFloor, calibration.automaticWindow)
        expect(falseRecall).toBeLessThanOrEqual(AUTOMATIC_FALSE_RECALL_OF_QUERIES)
      }),
    ))
})
