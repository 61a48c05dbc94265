import type { IndexedMemory } from '@mono-agent/memory-search'
import { contentHash, type MemoryLabel } from '@mono-agent/memory-store'
import { describe, expect, test } from 'vitest'
import { planActions } from '../../../src/capture/policy/reconcile-rules.js'
import type { AdmittedMemory, CaptureAction, CaptureTurn, ReconcileDecision } from '../../../src/capture/types.js'
import { admitted, COARSE, GUEST_TURN, OWNER_TURN, stored, TRIGGER_TURN, UNKNOWN_TURN } from './support.js'

type Planned = 'add' | 'beside' | 'noop' | 'update' | 'supersede'
type Choice = Exclude<ReconcileDecision['action'], 'ADD'>

const REPLACEMENT = 'The owner lives in Lund.'

function planOne(
  action: Choice,
  target: IndexedMemory,
  memory: AdmittedMemory,
  turn: CaptureTurn,
  text = REPLACEMENT,
): CaptureAction {
  const decision: ReconcileDecision =
    action === 'NOOP' ? { index: 0, action, target: 'm1' } : { index: 0, action, target: 'm1', text }
  return planActions([{ memory, candidates: [{ alias: 'm1', memory: target }] }], [decision], turn)[0] as CaptureAction
}

function expectAction(
  action: CaptureAction,
  planned: Planned,
  memory: AdmittedMemory,
  target: IndexedMemory,
  text = REPLACEMENT,
): void {
  if (planned === 'add') expect(action).toEqual({ kind: 'add', memory, threadTo: [] })
  else if (planned === 'beside') expect(action).toEqual({ kind: 'add', memory, threadTo: [target] })
  else if (planned === 'noop') expect(action).toEqual({ kind: 'noop', memory, target })
  else expect(action).toEqual({ kind: planned, memory, target, text })
}

const user = admitted()
const assistant = admitted({ source: 'assistant', attribution: 'assistant-inferred' })
const document = admitted({ source: 'document', attribution: 'document' })
const tool = admitted({ source: 'tool', attribution: 'assistant-inferred' })

const labelled = (...labels: MemoryLabel[]): IndexedMemory => stored({ labels })
const preferring = (
  scope: 'agent' | `user:${string}` | `project:${string}` | `conversation:${string}`,
): IndexedMemory => labelled({ kind: 'preference', scope, attribution: 'user-stated' })
const lesson = labelled({ kind: 'lesson', scope: 'agent', verified: true })
const ana = { kind: 'fact', entityId: 'person:ana', key: 'full_name', value: { type: 'text', text: 'Ana' } } as const

describe('ordinary notes and events that nobody stated (CAP-15)', () => {
  test.each<[Choice, IndexedMemory['type'], Planned]>([
    ['NOOP', 'note', 'noop'],
    ['UPDATE', 'note', 'update'],
    ['SUPERSEDE', 'note', 'supersede'],
    ['NOOP', 'event', 'noop'],
    ['UPDATE', 'event', 'update'],
    ['SUPERSEDE', 'event', 'supersede'],
  ])('%s of a %s: %s, whoever says so', (choice, type, planned) => {
    const target = stored({ type, attribution: 'assistant-inferred' })
    for (const memory of [user, assistant, document, tool]) {
      for (const turn of [OWNER_TURN, GUEST_TURN, UNKNOWN_TURN, TRIGGER_TURN]) {
        expectAction(planOne(choice, target, memory, turn), planned, memory, target)
      }
    }
  })

  const worded = (text: string, more: Partial<IndexedMemory> = {}): IndexedMemory =>
    stored({ text, contentHash: contentHash(text), ...more })

  test.each<[string, Choice, IndexedMemory, Planned]>([
    ['a note', 'SUPERSEDE', worded(REPLACEMENT), 'noop'],
    ['a note, other white space aside', 'SUPERSEDE', worded(REPLACEMENT.replaceAll(' ', '  ')), 'noop'],
    ['a preference', 'UPDATE', worded(REPLACEMENT, { labels: preferring('agent').labels ?? [] }), 'noop'],
    ['a task, which is invalidated', 'SUPERSEDE', worded(REPLACEMENT, { type: 'task' }), 'supersede'],
    ['a note, which may get labels', 'UPDATE', worded(REPLACEMENT), 'update'],
  ])('the very words of %s take its place nowhere (CAP-13)', (_name, choice, target, planned) => {
    expectAction(planOne(choice, target, user, OWNER_TURN), planned, user, target)
  })

  test('ADD adds', () => {
    const entries = [{ memory: user, candidates: [{ alias: 'm1', memory: stored() }] }]
    expect(planActions(entries, [{ index: 0, action: 'ADD' }], OWNER_TURN)).toEqual([
      { kind: 'add', memory: user, threadTo: [] },
    ])
  })

  test('an entry without a decision is added (CAP-23)', () => {
    const entries = [0, 1, 2].map((index) => ({
      memory: admitted({ index }),
      candidates: [{ alias: `m${index}`, memory: stored() }],
    }))
    const actions = planActions(entries, [{ index: 1, action: 'NOOP', target: 'm1' }], OWNER_TURN)
    expect(actions.map(({ kind, memory }) => [kind, memory.index])).toEqual([
      ['add', 0],
      ['noop', 1],
      ['add', 2],
    ])
  })

  test('decisions are by place, not by index of the memory', () => {
    const entries = [{ memory: admitted({ index: 4 }), candidates: [{ alias: 'm1', memory: stored() }] }]
    expect(planActions(entries, [{ index: 0, action: 'NOOP', target: 'm1' }], OWNER_TURN)[0]?.kind).toBe('noop')
  })

  test('a target that was offered for another memory is refused', () => {
    const entries = [1, 2].map((n) => ({ memory: user, candidates: [{ alias: `m${n}`, memory: stored() }] }))
    expect(() => planActions(entries, [{ index: 0, action: 'NOOP', target: 'm2' }], OWNER_TURN)).toThrow(RangeError)
  })
})

describe('dated rewording becomes a supersession (CAP-17)', () => {
  test.each<[string, string, string, Planned]>([
    ['a date, none before', 'In Lund since 2026-05-01.', 'In Oslo.', 'supersede'],
    ['a later date', 'In Lund since 2026-05-01.', 'In Oslo since 2025-01-01.', 'supersede'],
    ['the same date', 'In Lund since 2026-05-01.', 'In Lundt since 2026-05-01.', 'update'],
    ['an earlier date', 'In Lund since 2025-01-01.', 'In Oslo since 2026-05-01.', 'update'],
    ['no date', 'In Lund.', 'In Oslo since 2026-05-01.', 'update'],
  ])('%s', (_name, text, old, planned) => {
    const target = stored({ text: old })
    expectAction(planOne('UPDATE', target, user, OWNER_TURN, text), planned, user, target, text)
  })
})

describe('tasks (CAP-18)', () => {
  const task = stored({ type: 'task' })
  test.each<[Choice, Planned]>([
    ['NOOP', 'noop'],
    ['UPDATE', 'beside'],
    ['SUPERSEDE', 'supersede'],
  ])('%s by a user: %s', (choice, planned) => {
    expectAction(planOne(choice, task, user, OWNER_TURN), planned, user, task)
  })

  test('that a person wrote, nobody else invalidates', () => {
    for (const memory of [assistant, document, tool])
      expectAction(planOne('SUPERSEDE', task, memory, OWNER_TURN), 'beside', memory, task)
  })

  test('a dated UPDATE of a task is still its own note', () => {
    expectAction(planOne('UPDATE', task, user, OWNER_TURN, 'Done on 2026-09-01.'), 'beside', user, task)
  })
})

describe('preferences and lessons (CAP-16)', () => {
  test.each<[string, IndexedMemory, AdmittedMemory, CaptureTurn, Planned]>([
    ['the owner’s, by the owner', preferring('agent'), user, OWNER_TURN, 'supersede'],
    ['the owner’s token, by the owner', preferring('user:tok1'), user, OWNER_TURN, 'supersede'],
    ['another token, by the owner', preferring('user:guest'), user, OWNER_TURN, 'beside'],
    ['a project’s, by the owner', preferring('project:tea'), user, OWNER_TURN, 'beside'],
    ['a conversation’s, by the owner', preferring('conversation:web:1'), user, OWNER_TURN, 'beside'],
    [
      'own and a project’s on one line',
      labelled(
        { kind: 'preference', scope: 'agent', attribution: 'user-stated' },
        { kind: 'preference', scope: 'project:tea', attribution: 'user-stated' },
      ),
      user,
      OWNER_TURN,
      'beside',
    ],
    ['the owner’s, by the assistant', preferring('agent'), assistant, OWNER_TURN, 'beside'],
    ['the owner’s, by a document', preferring('agent'), document, OWNER_TURN, 'beside'],
    ['the owner’s, by a tool', preferring('agent'), tool, OWNER_TURN, 'beside'],
    ['the owner’s, by another human', preferring('agent'), user, GUEST_TURN, 'beside'],
    ['another human’s own token', preferring('user:guest'), user, GUEST_TURN, 'beside'],
    ['the owner’s, where nobody vouches', preferring('agent'), user, UNKNOWN_TURN, 'beside'],
    ['the owner’s, by a trigger', preferring('agent'), user, TRIGGER_TURN, 'beside'],
    ['a lesson, by the owner', lesson, user, OWNER_TURN, 'beside'],
    ['a lesson, by a tool', lesson, tool, OWNER_TURN, 'beside'],
    [
      'a lesson beside an own preference',
      labelled(
        { kind: 'preference', scope: 'agent', attribution: 'user-stated' },
        { kind: 'lesson', scope: 'agent', verified: false },
      ),
      user,
      OWNER_TURN,
      'beside',
    ],
  ])('%s', (_name, target, memory, turn, planned) => {
    for (const choice of ['UPDATE', 'SUPERSEDE'] as const) {
      expectAction(planOne(choice, target, memory, turn), planned, memory, target)
    }
    expectAction(planOne('NOOP', target, memory, turn), 'noop', memory, target)
  })

  test('a token that nobody has is nobody’s own', () => {
    const { senderToken: _senderToken, ...turn } = OWNER_TURN
    expectAction(
      planOne('SUPERSEDE', preferring('user:undefined'), user, turn),
      'beside',
      user,
      preferring('user:undefined'),
    )
  })
})

describe('the user’s word wins (CAP-16)', () => {
  const ofOwner = labelled(COARSE)
  const ofOther = labelled({ ...ana, attribution: 'user-stated' })
  const inferred = labelled({ ...ana, attribution: 'assistant-inferred' })
  test.each<[string, IndexedMemory, AdmittedMemory, CaptureTurn, Planned]>([
    ['the owner over the owner', ofOwner, user, OWNER_TURN, 'supersede'],
    ['another human over the owner', ofOwner, user, GUEST_TURN, 'beside'],
    ['a document over the owner', ofOwner, document, OWNER_TURN, 'beside'],
    ['the assistant over the owner', ofOwner, assistant, OWNER_TURN, 'beside'],
    ['a trigger over the owner', ofOwner, assistant, TRIGGER_TURN, 'beside'],
    ['a user over a user', ofOther, user, GUEST_TURN, 'supersede'],
    ['a document over a user', ofOther, document, OWNER_TURN, 'beside'],
    ['a tool over a user', ofOther, tool, OWNER_TURN, 'beside'],
    ['a user over an attribution of the line', stored({ attribution: 'user-stated' }), user, GUEST_TURN, 'supersede'],
    [
      'a document over an attribution of the line',
      stored({ attribution: 'user-stated' }),
      document,
      OWNER_TURN,
      'beside',
    ],
    ['a user over a line that a person wrote, or had remembered', stored(), user, GUEST_TURN, 'supersede'],
    ['a document over such a line', stored(), document, OWNER_TURN, 'beside'],
    ['the assistant over such a line', stored(), assistant, TRIGGER_TURN, 'beside'],
    ['a tool over a line of unknown origin', stored({ attribution: 'unknown' }), tool, OWNER_TURN, 'beside'],
    ['the owner over an inference', inferred, user, OWNER_TURN, 'supersede'],
    ['a document over an inference', inferred, document, OWNER_TURN, 'supersede'],
    ['a document over a document', labelled({ ...ana, attribution: 'document' }), document, UNKNOWN_TURN, 'supersede'],
  ])('%s', (_name, target, memory, turn, planned) => {
    expectAction(planOne('SUPERSEDE', target, memory, turn), planned, memory, target)
    expectAction(planOne('UPDATE', target, memory, turn), planned === 'supersede' ? 'update' : planned, memory, target)
  })
})

describe('intentions (CAP-24)', () => {
  const trip = (given: Partial<IndexedMemory> = {}) => stored({ status: 'scheduled', labels: [COARSE], ...given })
  const intends = (intentState: AdmittedMemory['intentState'], status: AdmittedMemory['status'], dueAt?: string) =>
    admitted({
      status,
      ...(intentState === undefined ? {} : { intentState }),
      ...(dueAt === undefined ? {} : { dueAt }),
    })
  const planned = intends('planned', 'scheduled')
  const done = intends('done', 'done')

  test.each<[string, Choice, IndexedMemory, AdmittedMemory, Planned]>([
    ['the same state told again', 'NOOP', trip(), planned, 'noop'],
    [
      'the same state and end',
      'NOOP',
      trip({ dueAt: '2026-10-01' }),
      intends('planned', 'scheduled', '2026-10-01'),
      'noop',
    ],
    [
      'the same end, spelled otherwise',
      'NOOP',
      trip({ dueAt: '2026-10-01T21:59:59.999Z' }),
      intends('planned', 'scheduled', '2026-10-01T23:59:59.999+02:00'),
      'noop',
    ],
    ['the same state without its end', 'NOOP', trip({ dueAt: '2026-10-01' }), planned, 'noop'],
    ['a task told as an intention', 'NOOP', stored({ type: 'task' }), planned, 'noop'],
    ['an event told as an intention', 'NOOP', stored({ type: 'event' }), planned, 'noop'],
    ['an ordinary line told again', 'NOOP', trip(), user, 'noop'],
    ['reworded', 'UPDATE', trip(), planned, 'supersede'],
    ['an open note reworded as an intention', 'UPDATE', stored({ labels: [COARSE] }), planned, 'supersede'],
    ['reworded by an ordinary line of the owner', 'UPDATE', trip(), user, 'supersede'],
    ['replaced', 'SUPERSEDE', trip(), done, 'supersede'],
    ['replaced by an ordinary line of the owner', 'SUPERSEDE', trip(), user, 'supersede'],
    ['reworded by a document', 'UPDATE', trip(), document, 'beside'],
    ['replaced by a document', 'SUPERSEDE', trip(), document, 'beside'],
    ['replaced by the assistant, though nobody stated it', 'SUPERSEDE', trip({ labels: [] }), assistant, 'beside'],
    ['a task reworded', 'UPDATE', stored({ type: 'task' }), planned, 'beside'],
  ])('%s', (_name, choice, target, memory, expected) => {
    expectAction(planOne(choice, target, memory, OWNER_TURN), expected, memory, target)
  })

  test.each<[string, IndexedMemory, AdmittedMemory]>([
    ['another state', trip(), done],
    ['given up', trip(), intends('abandoned', 'dropped')],
    ['an end where there was none', trip(), intends('planned', 'scheduled', '2026-10-01')],
    ['another end', trip({ dueAt: '2026-10-01' }), intends('planned', 'scheduled', '2026-11-01')],
  ])('a NOOP that changes it supersedes, in its own words: %s', (_name, target, memory) => {
    expectAction(planOne('NOOP', target, memory, OWNER_TURN), 'supersede', memory, target, memory.text)
  })

  test('a NOOP that changes it is added where nothing may be replaced', () => {
    const target = { ...lesson }
    expectAction(planOne('NOOP', target, planned, OWNER_TURN), 'beside', planned, target)
  })

  test.each<[string, Choice, AdmittedMemory, string | undefined]>([
    ['a change without an end', 'NOOP', done, '2026-10-01'],
    ['a rewording without one', 'UPDATE', planned, '2026-10-01'],
    ['a replacement without one', 'SUPERSEDE', done, '2026-10-01'],
    ['a replacement with its own', 'SUPERSEDE', intends('planned', 'scheduled', '2026-12-01'), '2026-12-01'],
    ['an ordinary line', 'SUPERSEDE', user, undefined],
  ])('%s ends as it says, else as before', (_name, choice, memory, dueAt) => {
    const action = planOne(choice, trip({ dueAt: '2026-10-01' }), memory, OWNER_TURN)
    expect(action.kind).toBe('supersede')
    expect(action.memory.dueAt).toBe(dueAt)
  })

  test('the due date of a task is not the end of an intention', () => {
    const action = planOne('SUPERSEDE', stored({ type: 'task', dueAt: '2026-10-01' }), planned, OWNER_TURN)
    expectAction(action, 'supersede', planned, stored({ type: 'task', dueAt: '2026-10-01' }))
  })
})
