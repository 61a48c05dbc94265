import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Calibration } from '../../src/calibration/calibration.js'
import {
  ANCHOR_SHARE,
  evidenceFloor,
  liftShare,
  rankHybrid,
  type HybridCandidate,
} from '../../src/ranking/rank-hybrid.js'
import { rankLexical } from '../../src/ranking/rank-lexical.js'
import { STRONG, WEAK } from '../support/vectors.js'

const FULL = 10
const plain: HybridCandidate = {
  id: 'a',
  bm25: 0,
  isExact: false,
  namedWords: 0,
  timeFit: 0,
  isQuestion: false,
  cosine: 0,
  anchors: 0,
  salience: 0,
  isInsight: false,
}
const fraction = (max = 1) => fc.integer({ min: 0, max: 1_000 }).map((value) => (value * max) / 1_000)

const candidate = fc
  .record({
    id: fc.constant(''),
    bm25: fraction(12),
    isExact: fc.boolean(),
    namedWords: fc.nat(3),
    timeFit: fc.constantFrom(0, 0.5, 1),
    isQuestion: fc.boolean(),
    cosine: fc.option(
      fraction(2).map((value) => value - 1),
      { nil: undefined },
    ),
    contextCosine: fc.option(
      fraction(2).map((value) => value - 1),
      { nil: undefined },
    ),
    anchors: fraction(),
    salience: fraction(),
    isInsight: fc.boolean(),
  })
  .map(({ cosine, contextCosine, ...rest }): HybridCandidate => ({
    ...rest,
    ...(cosine === undefined ? {} : { cosine }),
    ...(contextCosine === undefined ? {} : { contextCosine }),
  }))
const candidates = fc
  .array(candidate, { minLength: 1, maxLength: 30 })
  .map((list) => list.map((one, at) => ({ ...one, id: `m-${String(at).padStart(2, '0')}` })))
const calibration: fc.Arbitrary<Calibration> = fc
  .record({ noiseFloor: fraction(0.9), lexicalWeight: fraction() })
  .map((given) => ({ ...STRONG, ...given }))

const scoreOf = (list: readonly HybridCandidate[], id: string, model: Calibration): number =>
  rankHybrid(list, FULL, model).find((ranked) => ranked.candidate.id === id)?.score ?? NaN

describe('whatever the candidates', () => {
  test('the parts add up to the score, the best come first, ties by id', () => {
    fc.assert(
      fc.property(candidates, calibration, (list, model) => {
        const ranked = rankHybrid(list, FULL, model)
        expect(ranked).toHaveLength(list.length)
        for (const { score, parts } of ranked) {
          expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 8)
        }
        ranked.slice(1).forEach((after, at) => {
          const before = ranked[at]
          if (before === undefined) throw new Error('there is one before')
          expect(after.score).toBeLessThanOrEqual(before.score)
          if (after.score === before.score) expect(before.candidate.id < after.candidate.id).toBe(true)
        })
      }),
    )
  })

  test('their order says nothing', () => {
    const shuffled = candidates.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    )
    fc.assert(
      fc.property(shuffled, calibration, ([list, other], model) => {
        expect(rankHybrid(other, FULL, model)).toEqual(rankHybrid(list, FULL, model))
      }),
    )
  })

  test('more of any signal never lowers the score', () => {
    const more = fc.constantFrom<(one: HybridCandidate) => HybridCandidate>(
      (one) => ({ ...one, bm25: one.bm25 + 1 }),
      (one) => ({ ...one, isExact: true }),
      (one) => ({ ...one, namedWords: one.namedWords + 1 }),
      (one) => ({ ...one, timeFit: 1 }),
      (one) => ({ ...one, anchors: 1 }),
      (one) => ({ ...one, salience: 1 }),
      (one) => ({ ...one, isInsight: true }),
      (one) => (one.cosine === undefined ? one : { ...one, cosine: Math.min(1, one.cosine + 0.1) }),
      (one) =>
        one.contextCosine === undefined ? one : { ...one, contextCosine: Math.min(1, one.contextCosine + 0.1) },
    )
    fc.assert(
      fc.property(candidates, calibration, fc.nat(), more, (list, model, pick, raise) => {
        const at = pick % list.length
        const id = list[at]?.id ?? ''
        const raised = list.map((one, index) => (index === at ? raise(one) : one))
        expect(scoreOf(raised, id, model)).toBeGreaterThanOrEqual(scoreOf(list, id, model))
      }),
    )
  })

  test('a record that waits for its vector is judged as in lite', () => {
    fc.assert(
      fc.property(candidates, calibration, (list, model) => {
        const lite = new Map(rankLexical(list, FULL).map((ranked) => [ranked.candidate.id, ranked]))
        for (const ranked of rankHybrid(list, FULL, model)) {
          if (ranked.candidate.cosine === undefined) expect(ranked).toEqual(lite.get(ranked.candidate.id))
          else expect(ranked.parts).toHaveProperty('semantic')
        }
      }),
    )
  })

  test('bonuses are bounded', () => {
    fc.assert(
      fc.property(candidates, calibration, (list, model) => {
        for (const { candidate: judged, parts } of rankHybrid(list, FULL, model)) {
          if (judged.cosine === undefined) continue
          const { anchors = NaN, actor, time, lexical, context = NaN, order = NaN } = parts
          expect(anchors).toBeLessThanOrEqual(ANCHOR_SHARE)
          expect(actor).toBeLessThanOrEqual(liftShare(model) + 1e-9)
          expect(time).toBeLessThanOrEqual(liftShare(model) + 1e-9)
          expect(lexical).toBeLessThanOrEqual(model.lexicalWeight + 1e-9)
          expect(context).toBeLessThanOrEqual(0.2 * model.lexicalWeight + 1e-9)
          expect(order).toBeLessThanOrEqual(0.1 * (2 / 61) + 0.002 + 1e-9)
          for (const part of [anchors, actor, time, lexical, context, order]) expect(part).toBeGreaterThanOrEqual(0)
        }
      }),
    )
  })
})

const semanticOf = (cosine: number, model: Calibration) =>
  rankHybrid([{ ...plain, cosine }], FULL, model)[0]?.parts.semantic

test.each([
  ['below the noise floor', 0.499, STRONG, 0],
  ['at the noise floor', 0.5, STRONG, 0.5],
  ['above it', 0.501, STRONG, 0.501],
  ['opposite, beside a model without a floor', -0.5, { ...WEAK, noiseFloor: 0 }, 0],
])('a cosine %s is evidence of %d', (_, cosine, model, evidence) => {
  expect(semanticOf(cosine, model)).toBe(evidence)
})

test('the floor sinks as words gain weight', () => {
  expect(evidenceFloor(STRONG)).toBe(0.5)
  expect(evidenceFloor({ ...STRONG, lexicalWeight: 0.5 })).toBe(0.25)
  expect(evidenceFloor({ ...STRONG, lexicalWeight: 1 })).toBe(0)
})

describe('lexical weight', () => {
  const byWords = { ...plain, id: 'words', bm25: FULL, isExact: true, cosine: 0.6, contextCosine: 1 }
  const byMeaning = { ...plain, id: 'meaning', cosine: 0.7 }
  test('0: words and context add nothing, meaning leads', () => {
    const [first, second] = rankHybrid([byWords, byMeaning], FULL, STRONG)
    expect(first?.candidate.id).toBe('meaning')
    expect(second?.parts).toMatchObject({ lexical: 0, context: 0 })
  })
  test('1: full words outweigh any cosine, and what stands before counts a fifth', () => {
    const [first] = rankHybrid([byWords, { ...byMeaning, cosine: 1 }], FULL, WEAK)
    expect(first).toMatchObject({ candidate: { id: 'words' }, parts: { lexical: 1, context: 0.2, semantic: 0.6 } })
  })
})

test('an anchor outweighs all tie-breakers together, salience decides among equals, then the id', () => {
  const held = { ...plain, id: 'z', cosine: 0.6, anchors: 1 / 16 }
  const loved = { ...plain, id: 'y', cosine: 0.6, salience: 1, isInsight: true, bm25: 5 }
  const ids = (list: readonly HybridCandidate[]) => rankHybrid(list, FULL, STRONG).map((one) => one.candidate.id)
  expect(ids([loved, held])).toEqual(['z', 'y'])
  expect(
    ids([
      { ...plain, id: 'b', salience: 0.5 },
      { ...plain, id: 'c', salience: 0.6 },
      { ...plain, id: 'a', salience: 0.5 },
    ]),
  ).toEqual(['c', 'a', 'b'])
})
