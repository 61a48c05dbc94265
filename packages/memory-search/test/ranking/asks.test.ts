import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Candidate } from '../../src/ranking/candidate.js'
import { asks, QUESTION_LOSS } from '../../src/ranking/asks.js'
import { rankHybrid } from '../../src/ranking/rank-hybrid.js'
import { rankLexical } from '../../src/ranking/rank-lexical.js'
import { STRONG, WEAK } from '../support/vectors.js'

describe('a record that ends with a question', () => {
  test.each([
    'Did Ana keep the bees?',
    'Did Ana keep the bees? ',
    'Did Ana keep the bees?!',
    '“Did Ana keep the bees?”',
    '(Did Ana keep the bees?)',
    'Did Ana keep the bees? 🐝',
    'Did Ana keep the bees? 👩🏽‍🌾',
    'アナは蜂を飼っていますか？',
    'هل تربي آنا النحل؟',
    'Η Άννα έχει μέλισσες;',
  ])('%s asks', (sentence) => expect(asks(sentence)).toBe(true))

  test.each([
    'Ana keeps bees.',
    'Did Ana keep the bees? She did.',
    'Ana asked "why?" and left.',
    'See https://example.org/?q=bees',
    'First; then the bees;',
    '',
    '?no',
  ])('%s tells', (sentence) => expect(asks(sentence)).toBe(false))

  test('is what one look at the whole sentence would find', () => {
    const whole = /(?:[?？؟⁇⁈⸮︖﹖꘏]|\p{Script=Greek}\s*[;\u037E])[\p{P}\p{S}\p{M}\u200D\s]*$/u
    const piece = fc.constantFrom('a', '?', '？', ';', 'ς', '΄', ' ', '.', '🐝', '👩', '\u200D', '\u0301', '𝒂', '\uD83D', '\uDC1D') // prettier-ignore
    const sentence = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(sentence, (text) => asks(text) === whole.test(text)),
      { numRuns: 1_000 },
    )
  })

  test('is linear in the length', () => {
    expect(asks(`${'?!'.repeat(100_000)}x`)).toBe(false)
    expect(asks(`x${'-'.repeat(100_000)}`)).toBe(false)
  })
})

describe('what it loses', () => {
  const tells: Candidate = { id: 'tells', bm25: 5, isExact: false, namedWords: 0, timeFit: 1, isQuestion: false }
  const questioned: Candidate = { ...tells, id: 'asks', isQuestion: true }
  const hybrid = { cosine: 0.6, anchors: 0, salience: 0, isInsight: false }

  test('is a tenth of its score by words', () => {
    const [first, second] = rankLexical([questioned, tells], 10)
    expect([first?.candidate.id, second?.candidate.id]).toEqual(['tells', 'asks'])
    expect(second?.score).toBeCloseTo((first?.score ?? 0) * (1 - QUESTION_LOSS), 8)
  })

  test('is nothing if it is what was asked for', () => {
    const [first] = rankLexical([{ ...questioned, isExact: true }], 10)
    expect(first?.parts.question).toBe(0)
  })

  test.each([
    { name: 'a strong model', model: STRONG, share: 0 },
    { name: 'a weak model', model: WEAK, share: QUESTION_LOSS },
    { name: 'one between', model: { ...WEAK, lexicalWeight: 0.5 }, share: QUESTION_LOSS / 2 },
  ])('goes with the weight of words: $name', ({ model, share }) => {
    const both = [
      { ...tells, ...hybrid },
      { ...questioned, ...hybrid },
    ]
    const scores = new Map(rankHybrid(both, 10, model).map(({ candidate, score }) => [candidate.id, score]))
    expect(scores.get('asks')).toBeCloseTo((scores.get('tells') ?? 0) * (1 - share), 8)
  })
})
