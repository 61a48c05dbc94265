import type { RankedMemory } from '@mono-agent/memory-search'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evidenceOf, scoreAsEvidence } from '../../src/recall/evidence.js'
import { cutTail, WEAK_MODEL_SLACK } from '../../src/recall/tail-cut.js'
import { hitOf, STRONG, WEAK } from './support/rows.js'

const scores = (hits: readonly RankedMemory[]) => hits.map(({ score }) => score)

describe('tail cut with the shipped calibration (REC-3)', () => {
  test.each<[string, number[], number[]]>([
    ['exactly 0.15 below the best stays', [0.6, 0.45], [0.6, 0.45]],
    ['a little less than 0.15 below stays', [0.6, 0.4500001], [0.6, 0.4500001]],
    ['a little more than 0.15 below goes', [0.6, 0.4499999], [0.6]],
    ['0.15 that is not 0.15 in binary stays', [0.64, 0.49], [0.64, 0.49]],
    ['best at the floor: exactly the floor stays', [0.65, 0.65], [0.65, 0.65]],
    ['best at the floor: below it goes', [0.65, 0.6499999], [0.65]],
    ['best below the floor: no floor', [0.6499999, 0.64, 0.5], [0.6499999, 0.64, 0.5]],
    ['best above the floor: at the floor stays, below goes', [0.79, 0.65, 0.6499999], [0.79, 0.65]],
    ['the tail is stricter than the floor', [0.9, 0.75, 0.7499999], [0.9, 0.75]],
    ['floor and tail meet', [0.8, 0.65, 0.64], [0.8, 0.65]],
    ['the best stays, whatever it is', [0.01], [0.01]],
    ['nothing', [], []],
  ])('%s', (_name, given, left) => {
    expect(
      scores(
        cutTail(
          given.map((score) => hitOf(score)),
          STRONG,
        ),
      ),
    ).toEqual(left)
  })

  test('what holds all anchors stays, however far', () => {
    const exact = hitOf(0.1, {}, { holdsAllAnchors: true })
    expect(scores(cutTail([hitOf(0.9), hitOf(0.2), exact], STRONG))).toEqual([0.9, 0.1])
  })

  test('what waits for its vector stays and is not the best of others', () => {
    const waiting = hitOf(0.99, {}, { waits: true })
    expect(scores(cutTail([waiting, hitOf(0.5), hitOf(0.4), hitOf(0.3)], STRONG))).toEqual([0.99, 0.5, 0.4])
    expect(cutTail([waiting, hitOf(0.01, {}, { waits: true })], STRONG)).toHaveLength(2)
  })

  test('the best is the best wherever it stands', () => {
    expect(scores(cutTail([hitOf(0.5), hitOf(0.9), hitOf(0.8)], STRONG))).toEqual([0.9, 0.8])
  })
})

describe('beside a weak model', () => {
  const score = (evidence: number) => evidence * 2
  test.each<[string, number[], number[]]>([
    ['the tail gives way: at', [0.5, 0.15], [0.5, 0.15]],
    ['the tail gives way: beyond', [0.5, 0.1499999], [0.5]],
    ['the floor gives way: at', [0.55, 0.45], [0.55, 0.45]],
    ['the floor gives way: below', [0.55, 0.4499999], [0.55]],
    ['the best has to clear the floor as it is', [0.5499999, 0.4], [0.5499999, 0.4]],
  ])('%s', (_name, given, left) => {
    expect(WEAK_MODEL_SLACK).toBe(0.1)
    const hits = given.map((evidence) => hitOf(score(evidence)))
    expect(scores(cutTail(hits, WEAK))).toEqual(left.map(score))
  })
})

describe('evidence', () => {
  test.each([
    [0, 0.7, 0.7],
    [0.25, 0.7, 0.56],
    [1, 1.3, 0.65],
  ])('with lexical weight %s a score of %s is %s', (lexicalWeight, score, evidence) => {
    expect(scoreAsEvidence(score, { ...STRONG, lexicalWeight })).toBe(evidence)
    expect(evidenceOf(hitOf(score), { ...STRONG, lexicalWeight })).toBe(evidence)
  })
  test('is unknown of what waits for its vector', () => {
    expect(evidenceOf(hitOf(0.9, {}, { waits: true }), STRONG)).toBeUndefined()
  })
})

const rankings = fc.array(
  fc.record({
    score: fc.double({ min: 0, max: 1.2, noNaN: true }),
    waits: fc.boolean(),
    holdsAllAnchors: fc.boolean(),
  }),
  { maxLength: 12 },
)

test('a cut keeps the order, takes no more when done twice, and keeps the best', () =>
  fc.assert(
    fc.property(rankings, fc.constantFrom(STRONG, WEAK), (given, calibration) => {
      const hits = given.map(({ score, ...judged }) => hitOf(Math.round(score * 1e9) / 1e9, {}, judged))
      const left = cutTail(hits, calibration)
      expect(hits.filter((hit) => left.includes(hit))).toEqual(left)
      expect(cutTail(left, calibration)).toEqual(left)
      const judged = hits.filter(({ parts }) => parts.semantic !== undefined)
      const best = Math.max(...scores(judged))
      for (const hit of judged) if (hit.score === best) expect(left).toContain(hit)
      for (const hit of hits) if (hit.holdsAllAnchors || hit.parts.semantic === undefined) expect(left).toContain(hit)
    }),
  ))
