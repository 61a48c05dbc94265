import { formatBullet, newBullet, type MemoryLabel } from '@mono-agent/memory-store'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitsFormat } from '../../../src/capture/policy/label-format.js'
import type { CaptureTurn, ExtractedLabel, ExtractedScope, MemorySourceKind } from '../../../src/capture/types.js'
import { admit, QUOTES } from './admit-labels.js'
import { COARSE, GUEST_TURN, OWNER_TURN, RECOVERED, TRIGGER_TURN, UNKNOWN_TURN } from './support.js'

const fact = (given: Partial<Extract<ExtractedLabel, { kind: 'fact' }>>): ExtractedLabel => ({
  kind: 'fact',
  entity: 'person:ana',
  key: 'home_location',
  value: { type: 'entity', entityId: 'place:lund' },
  quote: 'Ana lives in Lund',
  ...given,
})
const ofOwner = fact({
  entity: 'person:owner',
  key: 'other:drink',
  value: { type: 'text', text: 'green tea' },
  quote: 'I prefer green tea',
})

describe('facts (CAP-8, CAP-9)', () => {
  test.each<[string, ExtractedLabel, Parameters<typeof admit>[1], MemoryLabel]>([
    [
      'what the user said of Ana',
      fact({}),
      {},
      {
        kind: 'fact',
        entityId: 'person:ana',
        key: 'home_location',
        value: { type: 'entity', entityId: 'place:lund' },
        attribution: 'user-stated',
      },
    ],
    [
      'what the owner said of the owner',
      ofOwner,
      {},
      {
        kind: 'fact',
        entityId: 'person:owner',
        key: 'other:drink',
        value: { type: 'text', text: 'green tea' },
        attribution: 'user-stated',
      },
    ],
    [
      'what a document says of Ana',
      fact({ key: 'work_location', value: { type: 'entity', entityId: 'org:volvo' }, quote: 'Ana works at Volvo' }),
      { source: 'document' },
      {
        kind: 'fact',
        entityId: 'person:ana',
        key: 'work_location',
        value: { type: 'entity', entityId: 'org:volvo' },
        attribution: 'document',
      },
    ],
    [
      'what was said where nobody vouches',
      fact({}),
      { turn: UNKNOWN_TURN },
      {
        kind: 'fact',
        entityId: 'person:ana',
        key: 'home_location',
        value: { type: 'entity', entityId: 'place:lund' },
        attribution: 'assistant-inferred',
      },
    ],
    [
      'a value that only the sentence says',
      fact({ key: 'other:since', value: { type: 'date', date: '2026-05-01' } }),
      { text: 'Ana lives in Lund since 2026-05-01.' },
      {
        kind: 'fact',
        entityId: 'person:ana',
        key: 'other:since',
        value: { type: 'date', date: '2026-05-01' },
        attribution: 'user-stated',
      },
    ],
    [
      'with its own validity',
      fact({ validFrom: '2026-05-01', validTo: '2027-05-01' }),
      {},
      {
        kind: 'fact',
        entityId: 'person:ana',
        key: 'home_location',
        value: { type: 'entity', entityId: 'place:lund' },
        attribution: 'user-stated',
        validFrom: '2026-05-01',
        validTo: '2027-05-01',
      },
    ],
  ])('accepted: %s', (_name, label, given, expected) => {
    const { labels, dropped } = admit([label], given)
    expect(labels.filter((one) => !(one.kind === 'fact' && one.key === undefined))).toEqual([expected])
    expect(dropped).toEqual([])
  })

  test.each<[string, ExtractedLabel, Parameters<typeof admit>[1], string]>([
    ['a quote that nobody said', fact({ quote: 'Ana lives in Oslo' }), {}, 'label_unsupported'],
    [
      'a quote that nobody said, though the sentence says it',
      fact({ quote: 'Ana lived in Lund' }),
      { text: 'Ana lives in Lund.' },
      'label_unsupported',
    ],
    [
      'a quote that the user did not say',
      fact({ quote: 'Ana works at Volvo' }),
      { text: 'Ana lives in Lund.' },
      'label_unsupported',
    ],
    [
      'a preference that nobody said',
      { kind: 'preference', scope: 'agent', quote: 'I prefer coffee' },
      {},
      'label_unsupported',
    ],
    [
      'a lesson that the user did not say',
      { kind: 'lesson', scope: 'agent', tool: 'build', quote: 'it went through with --force' },
      {},
      'label_unsupported',
    ],
    ['a value that nothing says', fact({ value: { type: 'text', text: 'Oslo' } }), {}, 'label_unsupported'],
    ['an entity without a declaration', fact({ entity: 'person:eva' }), {}, 'label_unsupported'],
    ['a key that is none', fact({ key: 'shoe_size', value: { type: 'text', text: 'Lund' } }), {}, 'label_unsupported'],
    [
      'a value of a type its key does not take',
      fact({ key: 'birth_date', value: { type: 'text', text: 'Lund' } }),
      {},
      'label_unsupported',
    ],
    ['the owner, by another human', ofOwner, { turn: GUEST_TURN }, 'label_not_allowed'],
    ['the owner, where nobody vouches', ofOwner, { turn: UNKNOWN_TURN }, 'label_not_allowed'],
    ['the owner, by a trigger', ofOwner, { turn: TRIGGER_TURN }, 'label_not_allowed'],
    ['the owner, by a document on an owner turn', ofOwner, { source: 'document' }, 'label_not_allowed'],
    ['the owner, by the assistant on an owner turn', ofOwner, { source: 'assistant' }, 'label_not_allowed'],
    [
      'the owner as a value, by a document',
      fact({ key: 'other:boss', value: { type: 'entity', entityId: 'person:owner' } }),
      { source: 'document' },
      'label_not_allowed',
    ],
    [
      'the owner as a relation, by a document',
      fact({
        key: 'relationship',
        value: { type: 'relationship', role: 'sister', target: 'person:owner' },
        quote: 'My sister Ana',
      }),
      { source: 'document' },
      'label_not_allowed',
    ],
  ])('dropped: %s', (_name, label, given, reason) => {
    const { labels, dropped } = admit([label], given)
    expect(labels.filter((one) => !(one.kind === 'fact' && one.key === undefined))).toEqual([])
    expect(dropped).toEqual([reason])
  })
})

describe('the coarse owner fact (CAP-9)', () => {
  test.each([
    ['an owner’s line', {}, true],
    ['an owner’s task', { isTask: true }, false],
    ['another human’s line', { turn: GUEST_TURN }, false],
    ['a line nobody vouches for', { turn: UNKNOWN_TURN }, false],
    ['a trigger’s line', { turn: TRIGGER_TURN }, false],
    ['the assistant’s line on an owner turn', { source: 'assistant' as const }, false],
    ['a document on an owner turn', { source: 'document' as const }, false],
    ['a tool on an owner turn', { source: 'tool' as const, turn: { ...OWNER_TURN, toolOutcomes: RECOVERED } }, false],
  ])('%s: %s %s', (_name, given, has) => {
    expect(admit([], given).labels).toEqual(has ? [COARSE] : [])
  })

  test('stands beside what else the line carries', () => {
    expect(admit([ofOwner]).labels).toHaveLength(2)
  })
})

describe('scopes of preferences (CAP-9)', () => {
  const named: CaptureTurn = {
    ...OWNER_TURN,
    userText: 'I prefer green tea. In Mono Agent use tabs.',
    text: 'I prefer green tea. In Mono Agent use tabs. Ana works at Volvo',
  }
  const without = <Key extends keyof CaptureTurn>(turn: CaptureTurn, key: Key) =>
    Object.fromEntries(Object.entries(turn).filter(([name]) => name !== key)) as unknown as CaptureTurn
  test.each<[string, ExtractedScope, CaptureTurn, MemorySourceKind, string | undefined]>([
    ['agent on an owner turn', 'agent', OWNER_TURN, 'user', 'agent'],
    ['agent by another human', 'agent', GUEST_TURN, 'user', 'user:guest'],
    ['agent by a human without a token', 'agent', without(GUEST_TURN, 'senderToken'), 'user', 'conversation:web:1'],
    [
      'agent by a token that a label cannot hold',
      'agent',
      { ...GUEST_TURN, senderToken: 'a b' },
      'user',
      'conversation:web:1',
    ],
    ['agent where nobody vouches', 'agent', UNKNOWN_TURN, 'user', 'conversation:web:1'],
    [
      'agent where nobody vouches but a token',
      'agent',
      { ...UNKNOWN_TURN, senderToken: 'tok1' },
      'user',
      'conversation:web:1',
    ],
    ['agent by a trigger', 'agent', TRIGGER_TURN, 'assistant', 'conversation:web:1'],
    ['agent by a document on an owner turn', 'agent', OWNER_TURN, 'document', 'conversation:web:1'],
    ['agent by the assistant on an owner turn', 'agent', OWNER_TURN, 'assistant', 'conversation:web:1'],
    ['sender on an owner turn', 'sender', OWNER_TURN, 'user', 'user:tok1'],
    ['sender by a document', 'sender', OWNER_TURN, 'document', 'conversation:web:1'],
    ['sender without a token', 'sender', without(OWNER_TURN, 'senderToken'), 'user', 'conversation:web:1'],
    ['conversation on an owner turn', 'conversation', OWNER_TURN, 'user', 'conversation:web:1'],
    ['conversation where there is none', 'conversation', without(OWNER_TURN, 'conversationId'), 'user', undefined],
    [
      'conversation that a label cannot hold',
      'conversation',
      { ...OWNER_TURN, conversationId: 'x'.repeat(512) + '\n' },
      'user',
      undefined,
    ],
    ['a project that the user named', 'project:mono-agent', named, 'user', 'project:mono-agent'],
    ['a project that the user did not name', 'project:mono-agent', OWNER_TURN, 'user', undefined],
    [
      'a part of a project’s name',
      'project:mono',
      { ...named, userText: 'I prefer green tea, monotone' },
      'user',
      undefined,
    ],
    ['a project that only a document names', 'project:volvo', OWNER_TURN, 'document', undefined],
    [
      'a project where nobody vouches',
      'project:mono-agent',
      { ...UNKNOWN_TURN, text: 'mono-agent, I prefer green tea' },
      'user',
      undefined,
    ],
    [
      'a project named between signs of another script',
      'project:tea-app',
      { ...OWNER_TURN, userText: 'I prefer green tea 在tea_app项目里' },
      'user',
      'project:tea-app',
    ],
  ])('%s', (_name, scope, turn, source, expected) => {
    const { labels, dropped } = admit([{ kind: 'preference', scope, quote: QUOTES[source] }], { turn, source })
    expect(labels.flatMap((label) => (label.kind === 'preference' ? [label.scope] : []))).toEqual(
      expected === undefined ? [] : [expected],
    )
    expect(dropped).toEqual(expected === undefined ? ['label_not_allowed'] : [])
  })

  test('a preference says who said so', () => {
    const preference: ExtractedLabel = { kind: 'preference', scope: 'agent', quote: 'Ana works at Volvo' }
    expect(admit([preference], { source: 'document' }).labels).toEqual([
      { kind: 'preference', scope: 'conversation:web:1', attribution: 'document' },
    ])
  })
})

describe('bounds', () => {
  const facts = Array.from({ length: 9 }, (_, n) => fact({ key: `other:k${n}` }))
  test.each([
    [6, 7, 0],
    [7, 8, 0],
    [8, 8, 1],
    [9, 8, 2],
  ])('of %i facts and the coarse one, %i labels, %i dropped', (count, kept, dropped) => {
    const admitted = admit(facts.slice(0, count))
    expect(admitted.labels).toHaveLength(kept)
    expect(admitted.labels).toContainEqual(COARSE)
    expect(admitted.dropped).toEqual(Array(dropped).fill('label_unsupported'))
  })

  test('each once', () => {
    expect(admit([ofOwner, ofOwner]).labels).toHaveLength(2)
  })

  test('a label fits exactly if a bullet can hold it', () =>
    fc.assert(
      fc.property(fc.constantFrom('猫', 'a', 'é'), fc.integer({ min: 240, max: 800 }), (character, length) => {
        const label: MemoryLabel = {
          kind: 'preference',
          scope: `conversation:${character.repeat(length)}`,
          attribution: 'user-stated',
        }
        const write = () =>
          formatBullet(
            newBullet({
              id: 'a',
              sentence: 'Tea.',
              type: 'note',
              status: 'open',
              salience: 0.5,
              isInsight: false,
              createdAt: '2026-05-01T09:00:00.000Z',
              refs: [],
              labels: [label],
            }),
          )
        if (fitsFormat(label)) expect(write).not.toThrow()
        else expect(write).toThrow(RangeError)
      }),
    ))
})
