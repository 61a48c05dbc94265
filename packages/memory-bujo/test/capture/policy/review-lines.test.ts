import { describe, expect, test } from 'vitest'
import { parseReview } from '../../../src/capture/contract/parse-review.js'
import { applyReview, reviewLines } from '../../../src/capture/policy/review-lines.js'
import type { AdmittedCapture, AdmittedMemory, CaptureTurn, ReviewDecision } from '../../../src/capture/types.js'
import { admitted, ANA, COARSE, GUEST_TURN, OWNER_TURN, TRIGGER_TURN, UNKNOWN_TURN } from './support.js'

const preference = { kind: 'preference', scope: 'agent', attribution: 'user-stated' } as const
const assistant = (given: Partial<AdmittedMemory> = {}) =>
  admitted({ source: 'assistant', attribution: 'assistant-inferred', quote: 'Noted', ...given })
const captureOf = (memories: AdmittedMemory[], graph: Partial<AdmittedCapture> = {}): AdmittedCapture => ({
  memories,
  entities: [],
  relations: [],
  dropped: {},
  ...graph,
})

describe('which lines are reviewed (CAP-12)', () => {
  test.each<[string, AdmittedMemory, CaptureTurn, 'user' | 'assistant' | undefined]>([
    ['the assistant’s on an owner turn', assistant(), OWNER_TURN, 'assistant'],
    ['the assistant’s on a trigger turn', assistant(), TRIGGER_TURN, 'assistant'],
    ['the assistant’s with a label', assistant({ labels: [preference] }), OWNER_TURN, 'assistant'],
    ['the owner’s without a preference', admitted({ labels: [COARSE] }), OWNER_TURN, 'user'],
    ['the owner’s without any label', admitted(), OWNER_TURN, 'user'],
    ['the owner’s with a preference', admitted({ labels: [COARSE, preference] }), OWNER_TURN, undefined],
    ['another human’s', admitted(), GUEST_TURN, undefined],
    ['a tool’s', admitted({ source: 'tool', attribution: 'assistant-inferred' }), OWNER_TURN, undefined],
    ['a document’s', admitted({ source: 'document', attribution: 'document' }), OWNER_TURN, undefined],
    ['one retained without a source', assistant({ attribution: 'unknown' }), OWNER_TURN, undefined],
  ])('%s: as %s', (_name, memory, turn, source) => {
    const { index, text, quote } = memory
    expect(reviewLines(captureOf([memory]), turn)).toEqual(source === undefined ? [] : [{ index, source, text, quote }])
  })

  test('of several, in order, by their place in the extraction', () => {
    const capture = captureOf([
      admitted({ index: 1 }),
      admitted({ index: 3, source: 'document' }),
      assistant({ index: 6 }),
    ])
    expect(reviewLines(capture, OWNER_TURN).map(({ index }) => index)).toEqual([1, 6])
  })

  test('nothing to review, nothing listed', () => {
    expect(reviewLines(captureOf([admitted({ source: 'tool' })]), UNKNOWN_TURN)).toEqual([])
  })
})

describe('what a review does', () => {
  const decide = (action: ReviewDecision['action'], index = 0): ReviewDecision[] => [{ index, action }]

  test('an owner’s line gets a preference of its own quote, and is otherwise the same', () => {
    const memory = admitted({ labels: [COARSE], entities: ['person:ana'] })
    const capture = captureOf([memory], { entities: [ANA] })
    expect(applyReview(capture, decide('preference'), OWNER_TURN)).toEqual({
      ...capture,
      memories: [{ ...memory, labels: [COARSE, preference] }],
    })
  })

  test('an assistant’s line goes, with what only it named', () => {
    const relation = { src: 'person:ana', relation: 'knows', dst: 'person:ana', memories: [0] }
    const capture = captureOf([assistant({ entities: ['person:ana'] }), admitted({ index: 1 })], {
      entities: [ANA],
      relations: [relation],
      dropped: { review: 1, credential: 2 },
    })
    expect(applyReview(capture, decide('drop'), OWNER_TURN)).toEqual({
      memories: [admitted({ index: 1 })],
      entities: [],
      relations: [],
      dropped: { review: 2, credential: 2 },
    })
  })

  test.each<[string, AdmittedMemory, ReviewDecision[], CaptureTurn]>([
    ['keep', assistant(), decide('keep'), OWNER_TURN],
    ['no decision', assistant(), [], OWNER_TURN],
    ['a decision of another line', assistant(), decide('drop', 4), OWNER_TURN],
    ['drop of the owner’s line', admitted(), decide('drop'), OWNER_TURN],
    ['drop of a tool’s line', admitted({ source: 'tool' }), decide('drop'), OWNER_TURN],
    ['drop of a document’s line', admitted({ source: 'document' }), decide('drop'), OWNER_TURN],
    ['drop of another human’s line', admitted(), decide('drop'), GUEST_TURN],
    ['preference of the assistant’s line', assistant(), decide('preference'), OWNER_TURN],
    ['preference of another human’s line', admitted(), decide('preference'), GUEST_TURN],
    ['preference where there is one', admitted({ labels: [preference] }), decide('preference'), OWNER_TURN],
    ['a retained decision on a turn without a human', admitted(), decide('preference'), UNKNOWN_TURN],
  ])('everything stays: %s', (_name, memory, decisions, turn) => {
    const capture = captureOf([memory])
    expect(applyReview(capture, decisions, turn)).toEqual(capture)
  })

  test.each([
    ['a quote that the user did not say', admitted({ quote: 'Ana works at Volvo' })],
    ['no room for one more', admitted({ labels: Array.from({ length: 8 }, () => COARSE) })],
  ])('the gates of any preference: %s', (_name, memory) => {
    const capture = captureOf([memory])
    expect(applyReview(capture, decide('preference'), OWNER_TURN)).toEqual({
      ...capture,
      dropped: { label_not_allowed: 1 },
    })
  })

  test('the contract allows what the host carries out', () => {
    const capture = captureOf([admitted({ index: 2 }), assistant({ index: 5 })])
    const answer = JSON.stringify({
      decisions: [
        { index: 2, action: 'preference' },
        { index: 5, action: 'drop' },
      ],
    })
    const decisions = parseReview(answer, reviewLines(capture, OWNER_TURN))
    expect(applyReview(capture, decisions, OWNER_TURN).memories).toEqual([admitted({ index: 2, labels: [preference] })])
  })
})
