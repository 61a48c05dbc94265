import { describe, expect, test } from 'vitest'
import { boundSource, type PlannedMemory } from '../../../src/capture/policy/attribution.js'
import { judgeIntention } from '../../../src/capture/policy/intentions.js'
import { spokenTexts } from '../../../src/capture/policy/quotation.js'
import type { CaptureTurn } from '../../../src/capture/types.js'
import { GUEST_TURN, OWNER_TURN, planned, RECOVERED, TRIGGER_TURN, UNKNOWN_TURN } from './support.js'

const judge = (memory: PlannedMemory, turn: CaptureTurn = OWNER_TURN, isHonoured = true) =>
  judgeIntention(memory, boundSource(memory, turn, spokenTexts(turn)), turn, isHonoured)

describe('intentions (CAP-24)', () => {
  test.each([
    ['planned', 'scheduled'],
    ['pending', 'open'],
    ['done', 'done'],
    ['abandoned', 'dropped'],
  ] as const)('%s becomes a %s note', (state, status) => {
    expect(judge(planned({ intentState: state }))).toEqual({ kind: 'accepted', state, status })
  })

  test.each<[string, Partial<PlannedMemory>, CaptureTurn]>([
    ['by another human', {}, GUEST_TURN],
    ['where nobody vouches', {}, UNKNOWN_TURN],
    ['by a trigger', {}, TRIGGER_TURN],
    ['by the assistant', { source: 'assistant', quote: 'Noted' }, OWNER_TURN],
    ['by a document', { source: 'document', quote: 'Ana works at Volvo' }, OWNER_TURN],
    ['by a tool', { source: 'tool', quote: 'The build failed' }, { ...OWNER_TURN, toolOutcomes: RECOVERED }],
    ['in words that the owner did not say', { quote: 'Ana works at Volvo' }, OWNER_TURN],
    ['in words that the owner said, told by the assistant', { source: 'assistant' }, OWNER_TURN],
  ])('refused: %s', (_name, given, turn) => {
    expect(judge(planned({ intentState: 'planned', ...given }), turn)).toEqual({
      kind: 'refused',
      isEndUncertain: false,
    })
  })

  test('none was proposed', () => {
    expect(judge(planned({ validTo: '2026-10-01' }))).toEqual({ kind: 'none' })
  })

  test.each(['planned', 'pending', 'done', 'abandoned'] as const)(
    'off: %s is as if it did not exist',
    (intentState) => {
      expect(judge(planned({ intentState, validTo: 'whenever' }), OWNER_TURN, false)).toEqual({ kind: 'none' })
    },
  )
})

describe('the end of an intention', () => {
  const endOf = (given: Partial<PlannedMemory>) => {
    const judged = judge(planned({ intentState: 'planned', ...given }))
    return judged.kind === 'accepted' ? judged.dueAt : judged
  }
  test.each([
    ['a day', { validTo: '2026-10-01' }, '2026-10-01'],
    ['the end of a day in UTC', { validTo: '2026-10-01T23:59:59.999Z' }, '2026-10-01T23:59:59.999Z'],
    ['the end of a day in a zone', { validTo: '2026-10-01T23:59:59.999+02:00' }, '2026-10-01T23:59:59.999+02:00'],
    ['west of Greenwich', { validTo: '2026-10-01T23:59:59.999-07:00' }, '2026-10-01T23:59:59.999-07:00'],
    ['in a zone of quarters', { validTo: '2026-10-01T23:59:59.999+05:45' }, '2026-10-01T23:59:59.999+05:45'],
    ['at zero', { validTo: '2026-10-01T23:59:59.999+00:00' }, '2026-10-01T23:59:59.999+00:00'],
    ['as far as zones go', { validTo: '2026-10-01T23:59:59.999+14:00' }, '2026-10-01T23:59:59.999+14:00'],
    ['the end before the due date', { validTo: '2026-10-01', due: '2026-09-20' }, '2026-10-01'],
    ['the due date where there is no end', { due: '2026-09-20' }, '2026-09-20'],
    ['none', {}, undefined],
  ])('%s', (_name, given, expected) => {
    expect(endOf(given)).toBe(expected)
  })

  test.each([
    ['an offset that is not known', '2026-10-01T23:59:59.999-00:00'],
    ['beyond any zone', '2026-10-01T23:59:59.999+14:15'],
    ['of no zone', '2026-10-01T23:59:59.999+02:10'],
    ['an hour of a day', '2026-10-01T18:00:00Z'],
    ['a second before the end', '2026-10-01T23:59:59Z'],
    ['no offset', '2026-10-01T23:59:59.999'],
    ['a day that does not exist', '2026-02-30T23:59:59.999Z'],
    ['words', 'next spring'],
  ])('an uncertain one drops the proposal: %s', (_name, validTo) => {
    expect(endOf({ validTo })).toEqual({ kind: 'refused', isEndUncertain: true })
  })
})
