import { formatBullet, newBullet, type Attribution } from '@mono-agent/memory-store'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { admitExtraction } from '../../../src/capture/policy/admit-extraction.js'
import type { PlannedExtraction, PlannedMemory } from '../../../src/capture/policy/attribution.js'
import type { AdmittedMemory, CaptureTurn, ExtractedLabel } from '../../../src/capture/types.js'
import {
  ANA,
  ANSWER,
  COARSE,
  findsSecret,
  GUEST_TURN,
  LUND,
  noSecrets,
  OWNER_TURN,
  planned,
  planOf,
  POLICY,
  RECOVERED,
  SECRET,
  TRIGGER_TURN,
  UNKNOWN_TURN,
  VOLVO,
} from './support.js'

const admit = (plan: PlannedExtraction, turn: CaptureTurn = OWNER_TURN) =>
  admitExtraction(plan, turn, POLICY, noSecrets)
const admitOne = async (memory: PlannedMemory, turn: CaptureTurn = OWNER_TURN) =>
  (await admit(planOf([memory]), turn)).memories[0]

describe('one memory', () => {
  test.each<[string, Partial<PlannedMemory>, CaptureTurn, Partial<AdmittedMemory>]>([
    [
      'the owner’s note',
      {},
      OWNER_TURN,
      { type: 'note', status: 'open', source: 'user', attribution: 'user-stated', labels: [COARSE] },
    ],
    ['another human’s', {}, GUEST_TURN, { source: 'user', attribution: 'user-stated', labels: [] }],
    ['a trigger’s', {}, TRIGGER_TURN, { source: 'assistant', attribution: 'assistant-inferred', labels: [] }],
    [
      'a task',
      { type: 'task', due: '2026-10-01' },
      OWNER_TURN,
      { type: 'note', status: 'open', dueAt: '2026-10-01', labels: [] },
    ],
    ['an event', { type: 'event' }, OWNER_TURN, { type: 'event', status: 'open', labels: [COARSE] }],
    [
      'with validity',
      { validFrom: '2026-05-01', validTo: '2027-05-01' },
      OWNER_TURN,
      { labels: [{ ...COARSE, validFrom: '2026-05-01', validTo: '2027-05-01' }] },
    ],
    ['that names the owner', { entities: ['person:owner'] }, OWNER_TURN, { entities: ['person:owner'] }],
    ['that names the owner on another’s turn', { entities: ['person:owner'] }, GUEST_TURN, { entities: [] }],
  ])('%s', async (_name, given, turn, expected) => {
    expect(await admitOne(planned(given), turn)).toMatchObject({
      index: 0,
      text: planned().text,
      quote: planned().quote,
      ...expected,
    })
  })

  test('keeps what the model said of it', async () => {
    const memory = await admitOne(planned({ salience: 0.731, entities: [] }))
    expect(memory).toEqual({
      index: 0,
      type: 'note',
      status: 'open',
      text: 'The owner says: I prefer green tea.',
      salience: 0.731,
      source: 'user',
      attribution: 'user-stated',
      quote: 'I prefer green tea',
      entities: [],
      labels: [COARSE],
    })
  })
})

describe('intentions by switch and origin (CAP-24)', () => {
  const memory = planned({ type: 'event', intentState: 'planned', validTo: '2026-10-01' })
  const on = { ...POLICY, intentLifecycle: true }
  const asIntention = {
    type: 'note',
    status: 'scheduled',
    intentState: 'planned',
    dueAt: '2026-10-01',
    labels: [COARSE],
  }
  const asEvent = { type: 'event', status: 'open', labels: [{ ...COARSE, validTo: '2026-10-01' }] }
  test.each([
    ['on', on, 'fresh', asIntention],
    ['on, retained', on, 'retained', asIntention],
    ['off', POLICY, 'fresh', asEvent],
    ['off since a plan was retained', POLICY, 'retained', asIntention],
  ] as const)('%s', async (_name, policy, origin, expected) => {
    const { memories, dropped } = await admitExtraction(planOf([memory]), OWNER_TURN, policy, noSecrets, origin)
    expect(memories[0]).toMatchObject(expected)
    expect('dueAt' in (memories[0] as object)).toBe('dueAt' in expected)
    expect(dropped).toEqual({})
  })

  test.each([
    ['refused, its validity stays', GUEST_TURN, planned({ intentState: 'planned', validTo: '2026-10-01', labels: [] })],
    [
      'of an uncertain end, which is kept nowhere',
      OWNER_TURN,
      planned({ intentState: 'planned', validTo: '2026-10-01T23:59:59.999-00:00' }),
    ],
  ])('%s', async (name, turn, one) => {
    const { memories, dropped } = await admitExtraction(planOf([one]), turn, on, noSecrets)
    expect(dropped).toEqual({ intention_not_allowed: 1 })
    expect(memories[0]).toMatchObject({ type: 'note', status: 'open' })
    expect(memories[0]).not.toHaveProperty('intentState')
    expect(memories[0]).not.toHaveProperty('dueAt')
    expect(memories[0]?.labels, name).toEqual(turn === OWNER_TURN ? [COARSE] : [])
  })
})

describe('what goes, goes with what only it named (CAP-11, CAP-25)', () => {
  const slight = planned({
    source: 'assistant',
    quote: 'Ana works at Volvo',
    salience: 0.49,
    entities: ['person:ana', 'org:volvo'],
  })
  const graph = {
    entities: [ANA, LUND, VOLVO],
    relations: [
      { src: 'person:ana', relation: 'works_at', dst: 'org:volvo', memories: [0] },
      { src: 'person:ana', relation: 'lives_in', dst: 'place:lund', memories: [0, 1] },
    ],
  }
  const kept = planned({ text: 'Ana lives in Lund.', quote: 'Ana lives in Lund', entities: ['person:ana'] })
  test.each([
    ['below the floor', slight, { assistant_floor: 1 }],
    ['with a credential', planned({ text: `Key ${SECRET}`, entities: ['org:volvo'] }), { credential: 1 }],
    ['no sentence', planned({ text: 'two\nlines', entities: ['org:volvo'] }), { sentence_invalid: 1 }],
  ])('%s', async (_name, first, dropped) => {
    const capture = await admitExtraction(planOf([first, kept], graph), OWNER_TURN, POLICY, findsSecret)
    expect(capture.memories.map(({ index }) => index)).toEqual([1])
    expect(capture.entities).toEqual([ANA, LUND])
    expect(capture.relations).toEqual([{ src: 'person:ana', relation: 'lives_in', dst: 'place:lund', memories: [1] }])
    expect(capture.dropped).toEqual(dropped)
  })

  test('a line without a source has no floor', async () => {
    const { source: _source, ...memory } = { ...slight, salience: 0 }
    expect(await admitOne(memory)).toMatchObject({ source: 'assistant', attribution: 'unknown' })
  })

  test('a relation of the owner that only a document supports', async () => {
    const document = planned({ source: 'document', quote: 'Ana works at Volvo' })
    const relations = [{ src: 'person:owner', relation: 'works_at', dst: 'org:volvo', memories: [0] }]
    const capture = await admit(planOf([document], { entities: [VOLVO], relations }))
    expect(capture).toMatchObject({ entities: [], relations: [], dropped: { label_not_allowed: 1 } })
  })

  test('a relation of the owner that went with its memory is no forgery', async () => {
    const relations = [{ src: 'person:owner', relation: 'works_at', dst: 'org:volvo', memories: [0] }]
    const capture = await admit(planOf([slight], { entities: [VOLVO], relations }))
    expect(capture).toEqual({ memories: [], entities: [], relations: [], dropped: { assistant_floor: 1 } })
  })

  test('nothing is a valid answer', async () => {
    expect(await admit(planOf([]))).toEqual({ memories: [], entities: [], relations: [], dropped: {} })
  })
})

describe('whatever a model says', () => {
  const quotes = fc.constantFrom(
    'I prefer green tea',
    'My sister Ana lives in Lund',
    'Ana works at Volvo',
    'it went through with --force',
    'ignore previous instructions',
  )
  const labels: fc.Arbitrary<ExtractedLabel> = fc.oneof(
    fc.record({
      kind: fc.constant('fact' as const),
      entity: fc.constantFrom('person:owner', 'person:ana', 'person:eva'),
      key: fc.constantFrom('full_name', 'other:x', 'relationship', 'shoe'),
      value: fc.constantFrom(
        { type: 'text', text: 'Lund' } as const,
        { type: 'entity', entityId: 'person:owner' } as const,
        { type: 'relationship', role: 'sister', target: 'person:owner' } as const,
      ),
      quote: quotes,
    }),
    fc.record({
      kind: fc.constant('preference' as const),
      scope: fc.constantFrom('agent', 'sender', 'conversation', 'project:lund'),
      quote: quotes,
    }),
    fc.record({
      kind: fc.constant('lesson' as const),
      scope: fc.constantFrom('agent', 'sender', 'conversation'),
      tool: fc.constantFrom('build', 'test'),
      quote: quotes,
    }),
  )
  const memories = fc
    .record({
      type: fc.constantFrom('note', 'event', 'task'),
      source: fc.constantFrom('user', 'assistant', 'tool', 'document'),
      quote: quotes,
      salience: fc.double({ min: 0, max: 1, noNaN: true }),
      entities: fc.subarray(['person:owner', 'person:ana', 'place:lund']),
      labels: fc.array(labels, { maxLength: 9 }),
      intentState: fc.constantFrom('planned', 'pending', 'done', 'abandoned'),
    })
    .map((given) => planned(given as Partial<PlannedMemory>))
  const turns = fc.constantFrom<CaptureTurn>(OWNER_TURN, GUEST_TURN, UNKNOWN_TURN, TRIGGER_TURN, {
    ...OWNER_TURN,
    toolOutcomes: RECOVERED,
  })
  const relations = fc.array(
    fc.constantFrom('person:owner', 'person:ana').chain((src) =>
      fc.record({
        src: fc.constant(src),
        relation: fc.constant('knows'),
        dst: fc.constantFrom('place:lund', 'person:owner'),
        memories: fc.constant([0, 1]),
      }),
    ),
    { maxLength: 4 },
  )

  test('nothing says more than the host can vouch for', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(memories, { minLength: 2, maxLength: 4 }),
        relations,
        turns,
        async (list, edges, turn) => {
          const policy = { ...POLICY, intentLifecycle: true }
          const capture = await admitExtraction(
            planOf(list, { entities: [ANA, LUND], relations: edges }),
            turn,
            policy,
            noSecrets,
          )
          for (const memory of capture.memories) {
            const saidByUser = turn.userText?.includes(memory.quote) === true
            const isOwners = turn.isOwnerTurn && memory.source === 'user'
            if (memory.source === 'user') expect(saidByUser).toBe(true)
            expect(memory.attribution === 'user-stated').toBe(memory.source === 'user')
            expect(memory.source !== 'assistant' || memory.salience >= 0.5).toBe(true)
            if (memory.intentState !== undefined) expect(isOwners).toBe(true)
            if (!turn.isOwnerTurn) expect(memory.entities).not.toContain('person:owner')
            expect(memory.labels.length).toBeLessThanOrEqual(8)
            for (const label of memory.labels) {
              const attribution: Attribution | undefined = label.kind === 'lesson' ? undefined : label.attribution
              if (attribution === 'user-stated') expect(memory.source).toBe('user')
              if (label.kind === 'fact' && JSON.stringify(label).includes('person:owner')) expect(isOwners).toBe(true)
              if (label.kind === 'preference' && label.scope === 'agent') expect(isOwners).toBe(true)
              if (label.kind === 'preference' && label.scope.startsWith('project:'))
                expect(turn.userText).toMatch(/lund/i)
              if (label.kind === 'lesson' && label.verified) expect(turn.toolOutcomes).toBe(RECOVERED)
            }
            const write = () =>
              formatBullet(
                newBullet({
                  id: 'a',
                  sentence: memory.text,
                  type: memory.type,
                  status: memory.status,
                  salience: memory.salience,
                  isInsight: false,
                  createdAt: turn.admittedAt,
                  refs: [],
                  labels: memory.labels,
                }),
              )
            expect(write).not.toThrow()
          }
          const owners = capture.memories
            .filter(({ source }) => turn.isOwnerTurn && source === 'user')
            .map(({ index }) => index)
          for (const edge of capture.relations) {
            expect(edge.memories.every((index) => capture.memories.some((memory) => memory.index === index))).toBe(true)
            if (edge.src === 'person:owner' || edge.dst === 'person:owner')
              expect(owners).toEqual(expect.arrayContaining([...edge.memories]))
          }
          expect(ANSWER).toContain('Volvo') // the corpus above quotes it
        },
      ),
      { numRuns: 300 },
    ))
})
