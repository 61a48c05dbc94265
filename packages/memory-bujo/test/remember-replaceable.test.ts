import { describe, expect, test } from 'vitest'
import type { MemoryLabel } from '@mono-agent/memory-store'
import type { IndexedMemory } from '@mono-agent/memory-search'
import { protectionOf } from '../src/remember/replaceable.js'
import { requireTarget } from '../src/remember/target.js'

const CAPTURED = `r-${'5f'.repeat(16)}-2`
const REMEMBERED = 'm-01JTXYZ'

const row = (more: Partial<IndexedMemory> = {}): IndexedMemory => ({
  id: CAPTURED,
  file: 'daily/2026-05-01.md',
  position: 0,
  text: 'Ana lives in Porto.',
  type: 'note',
  status: 'open',
  salience: 0.7,
  isInsight: false,
  createdAt: '2026-05-01T09:00:00.000Z',
  contentHash: 'x',
  attribution: 'user-stated',
  ...more,
})
/** Without the fields that are undefined here. */
const bare = (more: { [Key in keyof IndexedMemory]?: IndexedMemory[Key] | undefined }): IndexedMemory =>
  Object.fromEntries(
    Object.entries({ ...row(), ...more }).filter(([, value]) => value !== undefined),
  ) as unknown as IndexedMemory

const fact = (attribution: 'user-stated' | 'document' | 'assistant-inferred', more = {}): MemoryLabel => ({
  kind: 'fact',
  entityId: 'person:ana',
  key: 'home_location',
  value: { type: 'text', text: 'Porto' },
  attribution,
  ...more,
})

describe('what Remember may replace (REC-27)', () => {
  test.each([
    { name: 'a captured note', memory: row() },
    { name: 'a captured event', memory: row({ type: 'event' }) },
    { name: 'one that was written beside a person’s edit', memory: row({ id: `${CAPTURED}s` }) },
    { name: 'one that the assistant inferred', memory: row({ attribution: 'assistant-inferred' }) },
    { name: 'one of which nobody knows who said it', memory: row({ attribution: 'unknown' }) },
    { name: 'a fact from a document', memory: row({ labels: [fact('document')] }) },
    { name: 'a fact that the assistant inferred', memory: row({ labels: [fact('assistant-inferred')] }) },
    { name: 'a line remembered with detail', memory: row({ id: REMEMBERED, attribution: 'assistant-inferred' }) },
    { name: 'a line that says it may', memory: bare({ id: 'x-1', attribution: undefined, replaceable: true }) },
  ])('$name', ({ memory }) => {
    expect(protectionOf(memory)).toBeUndefined()
  })

  test.each([
    { name: 'a task', memory: row({ type: 'task' }), protection: 'task' },
    { name: 'a task that says it may', memory: row({ type: 'task', replaceable: true }), protection: 'task' },
    { name: 'a fact that a user stated', memory: row({ labels: [fact('user-stated')] }), protection: 'stated_fact' },
    {
      name: 'a coarse fact of the owner',
      memory: row({ labels: [{ kind: 'fact', entityId: 'person:owner', attribution: 'user-stated' }] }),
      protection: 'stated_fact',
    },
    {
      name: 'a fact that a user stated, behind another',
      memory: row({ labels: [fact('document'), fact('user-stated')] }),
      protection: 'stated_fact',
    },
    {
      name: 'a preference, whoever said it',
      memory: row({ labels: [{ kind: 'preference', scope: 'agent', attribution: 'assistant-inferred' }] }),
      protection: 'preference',
    },
    {
      name: 'a lesson',
      memory: row({ labels: [{ kind: 'lesson', scope: 'agent', verified: true }] }),
      protection: 'lesson',
    },
    {
      name: 'a labelled line that says it may',
      memory: row({ replaceable: true, labels: [fact('user-stated')] }),
      protection: 'stated_fact',
    },
    { name: 'plain text of Remember', memory: bare({ id: REMEMBERED, attribution: undefined }), protection: 'plain' },
    { name: 'an observation of another tier', memory: bare({ attribution: undefined }), protection: 'plain' },
    {
      name: 'a line that a person wrote',
      memory: bare({ id: 'x-1', attribution: 'assistant-inferred' }),
      protection: 'plain',
    },
    { name: 'a line that says it may not', memory: row({ replaceable: false }), protection: 'plain' },
  ])('not $name', ({ memory, protection }) => {
    expect(protectionOf(memory)).toBe(protection)
  })
})

const NOON = { at: Date.parse('2026-05-02T12:00:00Z'), timeZone: 'UTC', intentExpiry: false }
const of = (memory: IndexedMemory) => ({ get: (id: string) => (id === memory.id ? memory : undefined) })

describe('the memory that is meant', () => {
  test.each([
    { name: 'a current one', memory: row() },
    { name: 'one that is done', memory: row({ status: 'done' }) },
    { name: 'an event of today', memory: row({ type: 'event', dueAt: '2026-05-02' }) },
  ])('$name', ({ memory }) => {
    expect(requireTarget(of(memory), memory.id, NOON)).toBe(memory)
  })

  test.each([
    { name: 'none of this id', memory: row({ id: 'x' }), code: 'target_unknown', said: 'no memory of the id' },
    { name: 'superseded', memory: row({ supersededBy: 'm-2' }), code: 'target_not_current', said: 'is superseded' },
    { name: 'invalidated', memory: row({ status: 'invalidated' }), code: 'target_not_current', said: 'is superseded' },
    { name: 'dropped', memory: row({ status: 'dropped' }), code: 'target_not_current', said: 'is forgotten' },
    {
      name: 'an event of yesterday',
      memory: row({ type: 'event', dueAt: '2026-05-01' }),
      code: 'target_not_current',
      said: 'is ended',
    },
    { name: 'a protected one', memory: row({ type: 'task' }), code: 'not_replaceable', said: 'is a task' },
  ])('$name: $code', ({ memory, code, said }) => {
    const ask = () => requireTarget(of(memory), CAPTURED, NOON)
    expect(ask).toThrow(expect.objectContaining({ code }))
    expect(ask).toThrow(said)
    expect(ask).not.toThrow(/Porto/)
  })
})
