import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  AUTOMATIC_FALSE_RECALL_OF_QUERIES,
  MIN_ANSWERABLE_QUERIES,
  MIN_RANDOM_PAIRS,
  proposeCalibration,
  type CalibrationProposal,
  type FloorEffect,
  type MeasuredQueries,
} from '../../src/calibration/propose-calibration.js'
import { NOMIC_CALIBRATION } from '../../src/calibration/shipped.js'
import { expectOrderly } from './orderly.js'

const even = (low: number, high: number, count = 1_000): number[] =>
  Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1))
const STORE = { random: even(0.2, 0.5), neighbouring: even(0.45, 0.85) }

/** Half of them below 0.35, one in twenty from 0.485 on. */
const BACKGROUND = even(0.2, 0.5, 100)

/** What a question finds, best first: whether it is an answer, and how good it looks. */
type Query = readonly (readonly [what: 'yes' | 'no', score: number])[]
const repeat = (count: number, one: Query): Query[] => Array.from({ length: count }, () => one)

/** The plainest recall: automatic context is the best hit, an answer all that reaches the floor. */
function measured(
  queries: readonly Query[],
  { background = BACKGROUND, answerable = queries.filter((hits) => hits.some(([what]) => what === 'yes')).length } = {},
): MeasuredQueries {
  const effect = (shownOf: (hits: Query) => Query): FloorEffect => {
    const shown = queries.map(shownOf).filter(({ length }) => length > 0)
    const answered = shown.filter((hits) => hits.some(([what]) => what === 'yes')).length
    return {
      coverage: answered / Math.max(1, answerable),
      falseRecall: (shown.length - answered) / Math.max(1, queries.length),
    }
  }
  return {
    answerable,
    background: queries.flatMap(() => background),
    automaticAt: (floor) => effect((hits) => hits.slice(0, 1).filter(([, score]) => score >= floor)),
    deliberateAt: (floor) => effect((hits) => hits.filter(([, score]) => score >= floor)),
  }
}
const propose = (queries: readonly Query[], options = {}) =>
  proposeCalibration({ basis: 'queries', queries: measured(queries, options) }, NOMIC_CALIBRATION)

function proposed(proposal: CalibrationProposal): Extract<CalibrationProposal, { kind: 'proposed' }> {
  if (proposal.kind !== 'proposed') throw new Error(`nothing proposed: ${proposal.what}`)
  return proposal
}

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
    const queries = repeat(MIN_RANDOM_PAIRS - 1, [['yes', 0.7]])
    const expected = { kind: 'too_few', what: 'random_pairs', found: MIN_RANDOM_PAIRS - 1, needed: MIN_RANDOM_PAIRS }
    expect(propose(queries, { background: [0.3] })).toEqual(expected)
  })

  test.each([
    { count: 0, kind: 'too_few' },
    { count: MIN_ANSWERABLE_QUERIES - 1, kind: 'too_few' },
    { count: MIN_ANSWERABLE_QUERIES, kind: 'proposed' },
  ])('$count answerable queries: $kind', ({ count, kind }) => {
    const queries = [...repeat(count, [['yes', 0.7]]), ...repeat(30, [['no', 0.4]])]
    expect(propose(queries).kind).toBe(kind)
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
    const queries = [...repeat(90, [['yes', 0.8]]), ...repeat(10, [['no', 0.57]])]
    const { calibration, basis } = proposed(propose(queries))
    expect(basis).toBe('queries')
    expect(calibration).toMatchObject({ noiseFloor: 0.49, automaticFloor: 0.58, deliberateFloor: 0.58 })
  })

  test.each([
    { name: 'below the stated rate', wrong: 4, automatic: 0.49, deliberate: 0.58 },
    { name: 'at it', wrong: 5, automatic: 0.49, deliberate: 0.58 },
    { name: 'above it', wrong: 6, automatic: 0.58, deliberate: 0.58 },
    { name: 'below that of deliberate recall', wrong: 2, automatic: 0.49, deliberate: 0.49 },
  ])('misleading answers $name', ({ wrong, automatic, deliberate }) => {
    const queries = [...repeat(100 - wrong, [['yes', 0.8]]), ...repeat(wrong, [['no', 0.57]])]
    const { calibration } = proposed(propose(queries))
    expect(calibration).toMatchObject({ automaticFloor: automatic, deliberateFloor: deliberate })
  })

  test('deliberate recall is never made deaf: three answers in four stay', () => {
    const queries = [...repeat(75, [['yes', 0.55]]), ...repeat(3, [['no', 0.9]]), ...repeat(22, [])]
    const { calibration } = proposed(propose(queries))
    expect(calibration).toMatchObject({ automaticFloor: 0.49, deliberateFloor: 0.55 })
  })

  test('the three in four are of the answers that recall finds at all', () => {
    const queries = [...repeat(40, [['yes', 0.55]]), ...repeat(60, []), ...repeat(3, [['no', 0.9]])]
    const { calibration } = proposed(propose(queries, { answerable: 100 }))
    expect(calibration).toMatchObject({ automaticFloor: 0.49, deliberateFloor: 0.55 })
  })

  test('a floor that cuts answers and leaves what misleads is passed over, though a lower one would do', () => {
    const hits: Query = [
      ['no', 0.7],
      ['yes', 0.68],
    ]
    const queries = [...repeat(15, hits), ...repeat(85, [['yes', 0.9]])]
    const { table, calibration } = proposed(propose(queries))
    const deliberateAt = (floor: number) => table.find((row) => row.floor === floor)?.deliberate
    expect(deliberateAt(0.65)).toEqual({ coverage: 1, falseRecall: 0 })
    expect(deliberateAt(0.7)).toEqual({ coverage: 0.85, falseRecall: 0.15 })
    expect(calibration.deliberateFloor).toBe(0.71)
  })

  test('what recall does is asked once for each floor', () => {
    const asked: number[] = []
    const { automaticAt, ...rest } = measured(repeat(20, [['yes', 0.7]]))
    const counting = { ...rest, automaticAt: (floor: number) => (asked.push(floor), automaticAt(floor)) }
    proposed(proposeCalibration({ basis: 'queries', queries: counting }, NOMIC_CALIBRATION))
    expect(asked).toHaveLength(new Set(asked).size)
    expect(asked.length).toBeLessThanOrEqual(101)
  })
})

describe('any store', () => {
  const scores = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 })
  const stores = fc
    .record({ random: scores, neighbouring: scores })
    .map((store) => ({ ...store, random: Array.from({ length: MIN_RANDOM_PAIRS }).flatMap(() => store.random) }))
  const hits = fc
    .array(fc.tuple(fc.constantFrom('yes' as const, 'no' as const), fc.double({ min: -1, max: 1.3, noNaN: true })), {
      maxLength: 6,
    })
    .map((list) => [...list].sort(([, a], [, b]) => b - a))
  const labelled = fc
    .array(hits, { maxLength: 12 })
    .map((lists) => measured([...lists, ...repeat(MIN_ANSWERABLE_QUERIES, [['yes', 0.6]])]))

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
        const { falseRecall } = queries.automaticAt(calibration.automaticFloor)
        expect(falseRecall).toBeLessThanOrEqual(AUTOMATIC_FALSE_RECALL_OF_QUERIES)
      }),
    ))
})
