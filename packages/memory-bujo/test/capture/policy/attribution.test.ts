import { describe, expect, test } from 'vitest'
import { boundSource, isOwnersWord, type PlannedMemory } from '../../../src/capture/policy/attribution.js'
import { ASSISTANT_FLOOR, isBelowFloor } from '../../../src/capture/policy/floor.js'
import { spokenTexts } from '../../../src/capture/policy/quotation.js'
import type { CaptureTurn, MemorySourceKind } from '../../../src/capture/types.js'
import { GUEST_TURN, OWNER_TURN, planned, RECOVERED, TRIGGER_TURN, UNKNOWN_TURN } from './support.js'

const bound = (memory: PlannedMemory, turn: CaptureTurn) => boundSource(memory, turn, spokenTexts(turn))

describe('what the host can vouch for (CAP-9, CAP-11)', () => {
  const user = 'I prefer green tea'
  const answer = 'Ana works at Volvo'
  const withTools = { ...OWNER_TURN, toolOutcomes: RECOVERED }
  test.each<[string, CaptureTurn, MemorySourceKind, string, MemorySourceKind, string]>([
    ['the owner’s words', OWNER_TURN, 'user', user, 'user', 'user-stated'],
    ['another human’s words', GUEST_TURN, 'user', user, 'user', 'user-stated'],
    ['words the user did not say', OWNER_TURN, 'user', answer, 'assistant', 'assistant-inferred'],
    ['user words on an unknown turn', UNKNOWN_TURN, 'user', user, 'assistant', 'assistant-inferred'],
    ['user words on a trigger turn', TRIGGER_TURN, 'user', user, 'assistant', 'assistant-inferred'],
    [
      'user words where the host gives a text but no human',
      { ...OWNER_TURN, speakerKind: 'unknown' },
      'user',
      user,
      'assistant',
      'assistant-inferred',
    ],
    ['a document', OWNER_TURN, 'document', answer, 'document', 'document'],
    ['a document on an unknown turn', UNKNOWN_TURN, 'document', answer, 'document', 'document'],
    ['the assistant', OWNER_TURN, 'assistant', answer, 'assistant', 'assistant-inferred'],
    ['the assistant quoting the user', OWNER_TURN, 'assistant', user, 'assistant', 'assistant-inferred'],
    ['a tool that ran', withTools, 'tool', answer, 'tool', 'assistant-inferred'],
    ['a tool nobody saw', OWNER_TURN, 'tool', answer, 'assistant', 'assistant-inferred'],
  ])('%s', (_name, turn, source, quote, boundTo, attribution) => {
    expect(bound(planned({ source, quote }), turn)).toEqual({ source: boundTo, attribution })
  })

  test.each<[string, string, MemorySourceKind]>([
    ['only the answer said', 'Ana works at Volvo.', 'assistant'],
    ['only the answer said, without its stop', 'Ana works at Volvo', 'assistant'],
    ['the user said too', 'I prefer green tea.', 'user'],
    ['nobody said in these words', 'The owner prefers green tea.', 'user'],
  ])('a sentence under the user’s quote that %s', (_name, text, source) => {
    expect(bound(planned({ text }), OWNER_TURN).source).toBe(source)
  })

  test('a plan retained without sources is nobody’s', () => {
    const { source: _source, ...memory } = planned()
    expect(bound(memory, OWNER_TURN)).toEqual({ source: 'assistant', attribution: 'unknown' })
  })

  test.each([
    ['an owner turn', OWNER_TURN, 'user', true],
    ['another human', GUEST_TURN, 'user', false],
    ['no human', UNKNOWN_TURN, 'user', false],
    ['an owner turn that is no human one', { ...OWNER_TURN, speakerKind: 'trigger' }, 'user', false],
    ['the assistant', OWNER_TURN, 'assistant', false],
    ['a document', OWNER_TURN, 'document', false],
    ['a tool', OWNER_TURN, 'tool', false],
  ] as const)('the owner’s word: %s → %s %s', (_name, turn, source, is) => {
    expect(isOwnersWord({ source }, turn)).toBe(is)
  })
})

describe('the assistant’s floor (CAP-11)', () => {
  const salience = [0, 0.4999, ASSISTANT_FLOOR, 0.5001, 1]
  test.each(salience)('the assistant at %f', (given) => {
    const isBelow = isBelowFloor(given, { source: 'assistant', attribution: 'assistant-inferred' })
    expect(isBelow).toBe(given < 0.5)
  })

  test.each([
    { source: 'user', attribution: 'user-stated' },
    { source: 'tool', attribution: 'assistant-inferred' },
    { source: 'document', attribution: 'document' },
    { source: 'assistant', attribution: 'unknown' },
  ] as const)('$source, $attribution: none', (given) => {
    expect(isBelowFloor(0, given)).toBe(false)
  })
})
