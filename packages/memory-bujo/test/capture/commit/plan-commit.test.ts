import { describe, expect, test } from 'vitest'
import {
  bulletDigest,
  foldGraph,
  formatBullet,
  ReplayState,
  type DayChange,
  type FactLabel,
  type MemoryLabel,
} from '@mono-agent/memory-store'
import { planCommit, writesSomething } from '../../../src/capture/commit/plan-commit.js'
import type { CommitPlan } from '../../../src/capture/commit/plan-types.js'
import {
  add,
  decided,
  ground,
  idOf,
  indexed,
  memory,
  noop,
  oldBullet,
  revOf,
  spareOf,
  supersede,
  TODAY,
  update,
  YESTERDAY,
} from './support/captures.js'

const preference = (scope: `user:${string}` | 'agent' = 'agent'): MemoryLabel => ({
  kind: 'preference',
  scope,
  attribution: 'user-stated',
})
const authority = { kind: 'capture', digest: 'a'.repeat(64) } as const
const AT = '2026-05-02T09:00:00.000Z'

const changesIn = (plan: CommitPlan, file: string): readonly DayChange[] =>
  plan.days.find((day) => day.file === file)?.changes ?? []
const addedIn = (plan: CommitPlan, file = TODAY) =>
  changesIn(plan, file).flatMap((change) => (change.kind === 'add' ? change.bullets : []))
const setsIn = (plan: CommitPlan, file = YESTERDAY) => changesIn(plan, file).filter((change) => change.kind === 'set')

describe('ADD', () => {
  test('one change with all new lines, in the day of the turn, stamped with where they come from (CAP-20)', () => {
    const actions = [
      add(memory(0, 'Morgan likes tea.', { labels: [preference()] })),
      add(memory(2, 'It rained.', { type: 'event', dueAt: '2026-06-01' })),
    ]
    const plan = planCommit(
      decided(actions, {}, { occurredAt: '2026-05-01T23:59:00.000Z', speaker: 'Morgan' }),
      ground(),
    )
    expect(plan.days).toHaveLength(1)
    expect(changesIn(plan, YESTERDAY)).toHaveLength(1)
    expect(addedIn(plan, YESTERDAY).flatMap(formatBullet)).toEqual([
      '- – Morgan likes tea.',
      `  <!--mem id=${idOf(1)} type=note status=open salience=0.6 isInsight=0 created=${AT} refs= occurred=2026-05-01T23:59:00.000Z speaker=Morgan attribution=user-stated source_session=web%3A2-->`,
      '  <!--label {"attribution":"user-stated","kind":"preference","scope":"agent","v":1}-->',
      '- ◦ It rained.',
      `  <!--mem id=${idOf(3)} type=event status=open salience=0.6 isInsight=0 created=${AT} refs= due=2026-06-01 occurred=2026-05-01T23:59:00.000Z speaker=Morgan attribution=user-stated source_session=web%3A2-->`,
    ])
    expect(plan.memoryIds).toEqual([idOf(1), idOf(3)])
    expect(plan.createdAt).toBe(AT)
  })

  test.each([
    { name: 'a speaker of 128 bytes', turn: { speaker: 'a'.repeat(128) }, field: 'speaker', expected: 'a'.repeat(128) },
    { name: 'a speaker of 129 bytes', turn: { speaker: 'a'.repeat(129) }, field: 'speaker', expected: undefined },
    { name: 'a speaker of several lines', turn: { speaker: 'Ana\nB' }, field: 'speaker', expected: 'Ana B' },
    {
      name: 'a conversation of 512 bytes',
      turn: { conversationId: 'c'.repeat(512) },
      field: 'conversationId',
      expected: 'c'.repeat(512),
    },
    {
      name: 'a conversation of 513 bytes',
      turn: { conversationId: 'c'.repeat(513) },
      field: 'conversationId',
      expected: undefined,
    },
  ] as const)('$name', ({ turn, field, expected }) => {
    const plan = planCommit(decided([add(memory(0, 'One.'))], {}, turn), ground())
    expect(addedIn(plan)[0]?.[field]).toBe(expected)
  })

  test('threads to what it carries on, with what has to hold of it', () => {
    const [a, b] = [oldBullet('m-a', 'Alpha.'), oldBullet('m-b', 'Beta.')]
    const plan = planCommit(decided([add(memory(0, 'More.'), indexed(a), indexed(b), indexed(a))]), ground([a, b]))
    expect(plan.replay.edges).toEqual([
      { kind: 'thread', from: idOf(1), to: 'm-a', weight: 1, at: AT },
      { kind: 'thread', from: idOf(1), to: 'm-b', weight: 1, at: AT },
    ])
    expect(plan.targets).toEqual([
      { id: 'm-a', file: YESTERDAY, digest: bulletDigest(a) },
      { id: 'm-b', file: YESTERDAY, digest: bulletDigest(b) },
    ])
  })

  test.each([4, 5, 6])('of %i threads at most five out of one memory', (count) => {
    const bullets = Array.from({ length: count }, (_, n) => oldBullet(`m-${n}`, `Line ${n}.`))
    const plan = planCommit(decided([add(memory(0, 'More.'), ...bullets.map((one) => indexed(one)))]), ground(bullets))
    expect(plan.replay.edges).toHaveLength(Math.min(count, 5))
    expect(plan.dropped).toEqual(count > 5 ? { edge_limit: count - 5 } : {})
  })

  test('from 90 % of the bound on no threads, but lifecycle', () => {
    const state = new ReplayState({ maxEntries: 10, maxBytes: 1_000_000 })
    for (let n = 0; n < 9; n++) state.add({ kind: 'terminal', id: `m-x${n}`, at: AT, authority })
    const [a, b] = [oldBullet('m-a', 'Alpha.'), oldBullet('m-b', 'Beta.')]
    const actions = [add(memory(0, 'More.'), indexed(a)), supersede(memory(1, 'Other.'), indexed(b))]
    const plan = planCommit(decided(actions), ground([a, b], { replay: { base: ground().replay.base, state } }))
    expect(plan.replay.edges.map(({ kind }) => kind)).toEqual(['supersede'])
    expect(plan.targets.map(({ id }) => id)).toEqual(['m-b'])
    expect(plan.dropped).toEqual({ replay_full: 1 })
  })
})

describe('UPDATE', () => {
  const target = oldBullet('m-a', 'Morgan likes tea.', { labels: [preference()], speaker: 'Morgan' })

  test('new words in the same line, of this conversation, labels of both', () => {
    const actions = [
      update(
        memory(1, 'Morgan likes green tea.', { labels: [preference(), preference('user:u-1')] }),
        indexed(target),
        'Morgan likes green tea.',
      ),
    ]
    const plan = planCommit(decided(actions), ground([target]))
    const [set] = setsIn(plan)
    expect(set).toMatchObject({ id: 'm-a', baseDigest: bulletDigest(target), spareId: spareOf(2) })
    expect(formatBullet((set as Extract<DayChange, { kind: 'set' }>).bullet)).toEqual([
      '- – Morgan likes green tea.',
      `  <!--mem id=m-a type=note status=open salience=0.5 isInsight=0 created=2026-05-01T09:00:00.000Z refs= speaker=Morgan rev=${revOf(2)} source_session=web%3A2-->`,
      '  <!--label {"attribution":"user-stated","kind":"preference","scope":"agent","v":1}-->',
      '  <!--label {"attribution":"user-stated","kind":"preference","scope":"user:u-1","v":1}-->',
    ])
    expect(addedIn(plan)).toEqual([])
    expect(plan.memoryIds).toEqual(['m-a'])
  })

  test('that changes no word leaves the conversation as it is (CAP-20)', () => {
    const actions = [update(memory(0, 'x', { labels: [preference('user:u-1')] }), indexed(target), target.sentence)]
    const [set] = setsIn(planCommit(decided(actions), ground([target])))
    expect((set as Extract<DayChange, { kind: 'set' }>).bullet).toMatchObject({
      conversationId: 'web:1',
      rev: revOf(1),
    })
  })

  test('that says nothing new writes nothing', () => {
    const plan = planCommit(
      decided([update(memory(0, 'x', { labels: [preference()] }), indexed(target), target.sentence)]),
      ground([target]),
    )
    expect(plan.memoryIds).toEqual([])
    expect(writesSomething(plan)).toBe(false)
  })

  test.each([7, 8])('a line with %i labels gets no ninth', (count) => {
    const old = Array.from({ length: count }, (_, n) => preference(`user:u-${n}`))
    const full = oldBullet('m-a', 'Tea.', { labels: old })
    const actions = [
      update(memory(0, 'Green tea.', { labels: [preference(), preference('user:new')] }), indexed(full), 'Green tea.'),
    ]
    const [set] = setsIn(planCommit(decided(actions), ground([full])))
    expect((set as Extract<DayChange, { kind: 'set' }>).bullet.labels).toEqual([...old, preference()].slice(0, 8))
  })
})

describe('SUPERSEDE', () => {
  test('of a note: the old line is not touched, the edge says it', () => {
    const old = oldBullet('m-a', 'Ana lives in Porto.')
    const plan = planCommit(decided([supersede(memory(0, 'x'), indexed(old), 'Ana lives in Lisbon.')]), ground([old]))
    expect(plan.days.map(({ file }) => file)).toEqual([TODAY])
    expect(addedIn(plan)[0]?.sentence).toBe('Ana lives in Lisbon.')
    expect(plan.replay.edges).toEqual([{ kind: 'supersede', id: 'm-a', by: idOf(1), at: AT }])
    expect(plan.targets).toEqual([{ id: 'm-a', file: YESTERDAY, digest: bulletDigest(old) }])
  })

  test.each([
    { name: 'older than the turn', createdAt: '2026-05-02T08:59:59.999Z', at: AT },
    { name: 'as old as the turn', createdAt: AT, at: AT },
    {
      name: 'recorded before the turn was curated',
      createdAt: '2026-05-02T11:00:00.000Z',
      at: '2026-05-02T11:00:00.000Z',
    },
  ])('of a line $name: not before it was recorded (REC-9)', ({ createdAt, at }) => {
    const old = oldBullet('m-a', 'Ana lives in Porto.', { createdAt })
    const plan = planCommit(decided([supersede(memory(0, 'x'), indexed(old), 'Ana lives in Lisbon.')]), ground([old]))
    expect(plan.replay.edges).toEqual([{ kind: 'supersede', id: 'm-a', by: idOf(1), at }])
  })

  test('of a task: it is invalidated as well, in its own words and conversation (CAP-18)', () => {
    const task = oldBullet('m-a', 'Call Ana.', { type: 'task' })
    const plan = planCommit(decided([supersede(memory(0, 'Ana was called.'), indexed(task))]), ground([task]))
    const [set] = setsIn(plan)
    expect((set as Extract<DayChange, { kind: 'set' }>).bullet).toMatchObject({
      sentence: 'Call Ana.',
      type: 'task',
      status: 'invalidated',
      conversationId: 'web:1',
      rev: revOf(1),
    })
    expect(plan.targets[0]).toMatchObject({ id: 'm-a', digest: bulletDigest(task), rev: revOf(1) })
    expect(plan.days.map(({ file }) => file)).toEqual([YESTERDAY, TODAY])
    expect(plan.memoryIds).toEqual([idOf(1)])
  })
})

describe('a target that is not what was judged', () => {
  const old = oldBullet('m-a', 'Alpha.')
  const state = new ReplayState()
  state.add({ kind: 'supersede', id: 'm-a', by: 'm-z', at: AT, authority })
  const cases = [
    { name: 'is gone', known: ground([]) },
    { name: 'was reworded', known: ground([oldBullet('m-a', 'Alpha, says a person.')]) },
    { name: 'was ticked off', known: ground([oldBullet('m-a', 'Alpha.', { status: 'done' })]) },
    { name: 'was superseded', known: ground([old], { replay: { base: ground().replay.base, state } }) },
  ]
  const actions = [
    { kind: 'update', action: update(memory(0, 'x'), indexed(old), 'New words.') },
    { kind: 'supersede', action: supersede(memory(0, 'x'), indexed(old), 'New words.') },
    { kind: 'add', action: add(memory(0, 'New words.'), indexed(old)) },
    { kind: 'noop', action: noop(memory(0, 'New words.'), indexed(old)) },
  ]
  test.each(cases.flatMap((one) => actions.map((two) => ({ ...one, ...two }))))(
    'that $name: $kind adds the memory, leaves the edge out, counts it',
    ({ known, action }) => {
      const plan = planCommit(decided([action], { dropped: { edge_target_gone: 1, echo: 2 } }), known)
      expect(addedIn(plan).map(({ id, sentence }) => [id, sentence])).toEqual([[idOf(1), 'New words.']])
      expect(plan.days).toHaveLength(1)
      expect({ edges: plan.replay.edges, targets: plan.targets }).toEqual({ edges: [], targets: [] })
      expect(plan.dropped).toEqual({ edge_target_gone: 2, echo: 2 })
    },
  )
})

describe('the graph', () => {
  const ana = { id: 'person:ana', name: 'Ana', type: 'person' }
  const porto = { id: 'place:porto', name: 'Porto', type: 'place', summary: 'A city.' }
  const livesIn = { src: 'person:ana', relation: 'lives in', dst: 'place:porto' }

  test('entities, relations with their support, associations with who said it; the owner without being declared', () => {
    const actions = [
      add(memory(0, 'Ana lives in Porto.', { entities: ['person:ana', 'place:porto'] })),
      add(
        memory(1, 'The owner knows Ana.', {
          entities: ['person:owner', 'person:ana'],
          attribution: 'assistant-inferred',
        }),
      ),
    ]
    const plan = planCommit(
      decided(actions, { entities: [ana, porto], relations: [{ ...livesIn, memories: [1, 0] }] }),
      ground(),
    )
    expect(plan.graph.lines).toEqual([
      { kind: 'entity', id: 'person:owner', name: 'Owner', type: 'person', createdAt: AT },
      { kind: 'entity', ...ana, createdAt: AT },
      { kind: 'entity', ...porto, createdAt: AT },
      { kind: 'relation', ...livesIn, createdAt: AT, support: [idOf(1), idOf(2)] },
      { kind: 'association', memoryId: idOf(1), entityId: 'person:ana', provenance: 'user-stated', createdAt: AT },
      { kind: 'association', memoryId: idOf(1), entityId: 'place:porto', provenance: 'user-stated', createdAt: AT },
      {
        kind: 'association',
        memoryId: idOf(2),
        entityId: 'person:owner',
        provenance: 'assistant-inferred',
        createdAt: AT,
      },
      {
        kind: 'association',
        memoryId: idOf(2),
        entityId: 'person:ana',
        provenance: 'assistant-inferred',
        createdAt: AT,
      },
    ])
  })

  const known = { kind: 'entity', ...porto, createdAt: '2026-04-01T00:00:00.000Z' } as const
  test.each([
    { name: 'the same', given: porto, line: undefined },
    { name: 'the same without a summary', given: { id: porto.id, name: 'Porto', type: 'place' }, line: undefined },
    {
      name: 'another name',
      given: { id: porto.id, name: 'Oporto', type: 'place' },
      line: { name: 'Oporto', summary: 'A city.' },
    },
    { name: 'another summary', given: { ...porto, summary: 'Two bridges.' }, line: { summary: 'Two bridges.' } },
    { name: 'another type', given: { ...porto, type: 'city' }, line: { type: 'city' } },
  ])('an entity that the log knows, said as $name', ({ given, line }) => {
    const state = ground([], {
      graph: { base: ground().graph.base, graph: foldGraph([known]) },
    })
    const plan = planCommit(decided([add(memory(0, 'One.', { entities: [porto.id] }))], { entities: [given] }), state)
    const entities = plan.graph.lines.filter(({ kind }) => kind === 'entity')
    expect(entities).toEqual(line === undefined ? [] : [{ ...known, ...line, createdAt: AT }])
  })

  test('an update supports with the id of its line; a repetition and what only it named bring nothing', () => {
    const old = oldBullet('m-a', 'Ana.')
    const actions = [
      update(memory(0, 'Ana lives in Porto.', { entities: ['person:ana'] }), indexed(old), 'Ana lives in Porto.'),
      noop(memory(1, 'x', { entities: ['place:porto'] }), indexed(old)),
    ]
    const relations = [
      { src: 'person:ana', relation: 'is', dst: 'person:ana', memories: [0, 1] },
      { ...livesIn, memories: [1] },
    ]
    const plan = planCommit(decided(actions, { entities: [ana, porto], relations }), ground([old]))
    expect(plan.graph.lines).toEqual([
      { kind: 'entity', ...ana, createdAt: AT },
      { kind: 'relation', src: 'person:ana', relation: 'is', dst: 'person:ana', createdAt: AT, support: ['m-a'] },
      { kind: 'association', memoryId: 'm-a', entityId: 'person:ana', provenance: 'user-stated', createdAt: AT },
    ])
  })
})

test('repetitions alone write nothing', () => {
  const old = oldBullet('m-a', 'Ana.')
  const plan = planCommit(decided([noop(memory(0, 'x'), indexed(old)), noop(memory(1, 'y'))]), ground([old]))
  expect(writesSomething(plan)).toBe(false)
  expect(plan.memoryIds).toEqual([])
})

test('a coarse owner fact is a label like any other', () => {
  const coarse: FactLabel = { kind: 'fact', entityId: 'person:owner', attribution: 'user-stated' }
  const plan = planCommit(decided([add(memory(0, 'One.', { labels: [coarse] }))]), ground())
  expect(addedIn(plan)[0]?.labels).toEqual([coarse])
})
