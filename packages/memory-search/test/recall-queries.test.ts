import { layout, type Bullet, type GraphLine, type MemoryLabel, type ReplayEntry } from '@mono-agent/memory-store'
import { afterEach, describe, expect, test } from 'vitest'
import { openIndexReader, type IndexReader, type SearchIndex } from '../src/index.js'
import {
  about,
  BUJO,
  buildBujo,
  deltaBytes,
  entity,
  graphBytes,
  put,
  relation,
  supersede,
  terminal,
} from './support/authority.js'
import { bullet, LITE, type TestRoot } from './support/roots.js'
import { DAY, newRoot } from './support/scenario.js'
import { build, JOURNAL } from './support/vectors.js'

const day = (number: number): string => `2026-05-${String(number).padStart(2, '0')}T09:00:00.000Z`
const at = (number: number): number => Date.parse(day(number))

const fact = (entityId: string, text = 'Lund'): MemoryLabel => ({
  kind: 'fact',
  entityId,
  key: 'home_location',
  value: { type: 'text', text },
  attribution: 'user-stated',
})
const coarse = (entityId: string): MemoryLabel => ({ kind: 'fact', entityId, attribution: 'user-stated' })
const preference = (scope: 'agent' | `user:${string}`): MemoryLabel => ({
  kind: 'preference',
  scope,
  attribution: 'user-stated',
})
const lesson = (scope: 'agent' | `user:${string}`): MemoryLabel => ({ kind: 'lesson', scope, verified: true })

interface Told {
  readonly memories?: readonly (Partial<Bullet> & { readonly id: string })[]
  readonly graph?: readonly GraphLine[]
  readonly replay?: readonly ReplayEntry[]
}

const indexes: IndexReader[] = []
afterEach(() => {
  for (const index of indexes.splice(0)) index.close()
})

/** What a reader answers from a bujo index of all this; recorded on 1 May where nothing else is said. */
async function told({ memories = [], graph = [], replay = [] }: Told): Promise<IndexReader> {
  const root = await bujoRoot({ memories, graph, replay })
  const reader = openIndexReader({ root: root.path, fs: root.fs, identity: BUJO, now: () => at(20) })
  indexes.push(reader)
  return reader
}

async function bujoRoot({ memories = [], graph = [], replay = [] }: Told): Promise<TestRoot> {
  const root = await newRoot()
  root.write(
    DAY,
    memories.map((fields) => bullet({ sentence: `Memory ${fields.id}.`, createdAt: day(1), ...fields })),
  )
  put(root, layout.graph, graphBytes(graph))
  put(root, layout.replayDelta, deltaBytes(replay))
  await buildBujo(root)
  return root
}

const idsOf = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id)

describe('entities', () => {
  const ANA = entity('person:ana-lopez', 'Ana López', { summary: 'Drinks tea.' })
  const GRAPH = [
    ANA,
    entity('person:ana-lopez-2', 'ANA LOPEZ'),
    entity('person:ana', 'Ana'),
    entity('person:bob', 'Bob'),
    entity('org:tanaka', '田中'),
    entity('org:marks', '…'),
  ]

  test.each([
    { name: 'a whole name', text: 'What does Bob drink?', found: ['person:bob'] },
    { name: 'all of one name', text: 'Is ana lopez there?', found: ['person:ana-lopez', 'person:ana-lopez-2'] },
    { name: 'the id', text: 'Is person:ana-lopez there?', found: ['person:ana-lopez'] },
    { name: 'the id at the end of a sentence', text: 'Ask person:ana-lopez.', found: ['person:ana-lopez'] },
    { name: 'an id that is the beginning of another one', text: 'Ask person:ana-lopez-2', found: ['person:ana-lopez-2'] }, // prettier-ignore
    { name: 'an id in other letters', text: 'PERSON:BOBBY', found: [] },
    { name: 'words of an unknown id as words', text: 'person:bob-x', found: ['person:bob'] },
    { name: 'the order of the text', text: 'Bob, person:ana and 田中さん', found: ['person:bob', 'person:ana', 'org:tanaka'] }, // prettier-ignore
    { name: 'one that is named twice once', text: 'Bob, person:bob', found: ['person:bob'] },
    { name: 'no name across an id', text: 'Ana person:bob López', found: ['person:ana', 'person:bob'] },
    { name: 'nothing', text: 'What is there to drink? …', found: [] },
    { name: 'of an empty text nothing', text: '', found: [] },
    { name: 'of quotes and NUL nothing', text: `'"\0); drop table entities; --`, found: [] },
  ])('named: $name', async ({ text, found }) => {
    expect(idsOf((await told({ graph: GRAPH })).entitiesNamed(text, 10))).toEqual(found)
  })

  test('named, at most as many as asked', async () => {
    const index = await told({ graph: GRAPH })
    expect(idsOf(index.entitiesNamed('Bob and Ana Lopez', 2))).toEqual(['person:bob', 'person:ana-lopez'])
    for (const limit of [0, -1, 1.5, Number.NaN]) expect(() => index.entitiesNamed('Bob', limit)).toThrow(RangeError)
  })

  test('by id, folded', async () => {
    const index = await told({
      graph: [ANA, { ...ANA, name: 'Ana B.', summary: undefined, createdAt: day(9) } as never],
    })
    expect(index.entity('person:ana-lopez')).toEqual({
      id: 'person:ana-lopez',
      name: 'Ana B.',
      type: 'person',
      createdAt: ANA.createdAt,
    })
    expect(index.entity('person:nobody')).toBeUndefined()
    expect(idsOf(index.entitiesNamed('Ana B', 5))).toEqual(['person:ana-lopez'])
    expect(index.entitiesNamed('Ana López', 5)).toEqual([])
  })

  test('of memories', async () => {
    const index = await told({
      memories: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
      graph: [
        about('a', 'person:bob'),
        about('a', 'person:ana'),
        about('a', 'person:ana', 'document'),
        about('b', 'org:x'),
      ],
    })
    expect(index.entitiesOf(['c', 'b', 'a', 'z'])).toEqual(
      new Map([
        ['b', ['org:x']],
        ['a', ['person:ana', 'person:bob']],
      ]),
    )
    expect(index.entitiesOf([])).toEqual(new Map())
  })
})

describe('facts about entities', () => {
  const MEMORIES = [
    { id: 'old', createdAt: day(1), labels: [fact('person:ana')] },
    { id: 'new', createdAt: day(3), labels: [fact('person:ana')] },
    { id: 'also-new', createdAt: day(3), labels: [fact('person:ana'), fact('person:bob')] },
    { id: 'late-event', createdAt: day(2), occurredAt: day(9), labels: [fact('person:ana')] },
    { id: 'bob', createdAt: day(4), labels: [fact('person:bob')] },
    { id: 'coarse', createdAt: day(5), labels: [coarse('person:ana')] },
    { id: 'dropped', createdAt: day(6), status: 'dropped', labels: [fact('person:ana')] },
    { id: 'invalidated', createdAt: day(7), status: 'invalidated', type: 'task', labels: [fact('person:ana')] },
    { id: 'superseded', createdAt: day(8), labels: [fact('person:ana')] },
    { id: 'unlabelled', createdAt: day(9) },
  ] as const
  const REPLAY = [supersede('superseded', 'new', day(12)), supersede('invalidated', 'bob', day(11)), { ...terminal('dropped'), at: day(10) }] // prettier-ignore

  test.each([
    { of: ['person:ana'], found: ['superseded', 'invalidated', 'also-new', 'new', 'late-event', 'old'] },
    { of: ['person:ana', 'person:bob'], found: ['superseded', 'invalidated', 'bob', 'also-new', 'new', 'late-event', 'old'] }, // prettier-ignore
    { of: ['person:bob', 'person:bob'], found: ['bob', 'also-new'] },
    { of: ['person:ana'], limit: 2, found: ['superseded', 'invalidated'] },
    { of: ['person:nobody'], found: [] },
    { of: [''], found: [] },
    { of: [], found: [] },
    { of: ['person:ana'], asOf: at(3), found: ['also-new', 'new', 'late-event', 'old'] },
    { of: ['person:ana'], asOf: at(3) - 1, found: ['late-event', 'old'] },
    { of: ['person:ana'], asOf: at(9), found: ['superseded', 'invalidated', 'dropped', 'also-new', 'new', 'late-event', 'old'] }, // prettier-ignore
    { of: ['person:ana'], asOf: at(10), found: ['superseded', 'invalidated', 'also-new', 'new', 'late-event', 'old'] },
    { of: ['person:ana'], asOf: -1e17, found: [] },
    { of: ['person:ana'], limit: 1, asOf: 1e17, found: ['superseded'] },
  ])('$of, $asOf, $limit', async ({ of, asOf, limit = 50, found }) => {
    const index = await told({ memories: MEMORIES, replay: REPLAY })
    expect(idsOf(index.factsAbout(of, { limit, ...(asOf === undefined ? {} : { asOf }) }))).toEqual(found)
  })

  test('are in the state of then', async () => {
    const index = await told({ memories: MEMORIES, replay: REPLAY })
    const stateOf = (id: string, asOf?: number) => {
      const found = index.factsAbout(['person:ana'], { limit: 50, ...(asOf === undefined ? {} : { asOf }) })
      const memory = found.find((one) => one.id === id)
      return memory === undefined ? undefined : [memory.status, memory.supersededBy, memory.supersededAt]
    }
    expect(stateOf('superseded')).toEqual(['open', 'new', day(12)])
    expect(stateOf('superseded', at(12))).toEqual(['open', 'new', day(12)])
    expect(stateOf('superseded', at(12) - 1)).toEqual(['open', undefined, undefined])
    expect(stateOf('invalidated')).toEqual(['invalidated', 'bob', day(11)])
    expect(stateOf('invalidated', at(11))).toEqual(['invalidated', 'bob', day(11)])
    expect(stateOf('invalidated', at(11) - 1)).toEqual(['open', undefined, undefined])
    expect(stateOf('dropped', at(10) - 1)).toEqual(['open', undefined, undefined])
    expect(stateOf('dropped', at(10))).toBeUndefined()
    expect(stateOf('dropped')).toBeUndefined()
    expect(() => index.factsAbout(['person:ana'], { limit: 1, asOf: Number.NaN })).toThrow(RangeError)
    expect(() => index.factsAbout(['person:ana'], { limit: 0 })).toThrow(RangeError)
  })

  test('a superseded task that was dropped later was invalidated before', async () => {
    const index = await told({
      memories: [{ id: 't', type: 'task', status: 'dropped', labels: [fact('person:ana')] }],
      replay: [supersede('t', 'x', day(5)), { ...terminal('t'), at: day(8) }],
      graph: [about('t', 'person:ana')],
    })
    const statusAt = (asOf: number) => index.factsAbout(['person:ana'], { limit: 1, asOf })[0]?.status
    expect([statusAt(at(4)), statusAt(at(6)), statusAt(at(9))]).toEqual(['open', 'invalidated', undefined])
    expect(idsOf(index.memoriesOf('person:ana', { limit: 1, asOf: at(4) }))).toEqual(['t'])
    expect(idsOf(index.memoriesOf('person:ana', { limit: 1, asOf: at(6) }))).toEqual([])
  })

  test('what a person dropped or invalidated by hand is told as it is now', async () => {
    const index = await told({
      memories: [
        { id: 'dropped', status: 'dropped', labels: [fact('person:ana')] },
        { id: 'invalidated', type: 'task', status: 'invalidated', labels: [fact('person:ana')] },
      ],
    })
    const found = index.factsAbout(['person:ana'], { limit: 5, asOf: at(2) })
    expect(found.map(({ id, status }) => [id, status])).toEqual([['invalidated', 'invalidated']])
  })

  test('the first copy of an id counts alone', async () => {
    const root = await newRoot()
    root.write(DAY, [bullet({ id: 'a', sentence: 'First.', labels: [fact('person:ana')] })])
    root.write('daily/2026-05-02.md', [bullet({ id: 'a', sentence: 'Copy.', labels: [fact('person:ana')] })])
    put(root, layout.graph, graphBytes([about('a', 'person:ana')]))
    await buildBujo(root)
    const index = await root.open(BUJO)
    const textsOf = (found: readonly { text: string }[]) => found.map(({ text }) => text)
    expect(textsOf(index.factsAbout(['person:ana'], { limit: 5 }))).toEqual(['First.'])
    expect(textsOf(index.factsAbout(['person:ana'], { limit: 5, asOf: at(9) }))).toEqual(['First.'])
    expect(textsOf(index.memoriesOf('person:ana', { limit: 5 }))).toEqual(['First.'])
    expect(textsOf(index.labelled({ kind: 'fact' }, 5))).toEqual(['First.'])
    expect(index.chronology({ from: 0, before: at(30) }, 5)).toHaveLength(1)
    index.close()
  })
})

describe('labelled memories', () => {
  const MEMORIES = [
    { id: 'agent', createdAt: day(1), labels: [preference('agent')] },
    { id: 'user', createdAt: day(2), labels: [preference('user:ana')] },
    { id: 'both', createdAt: day(3), labels: [preference('user:ana'), preference('agent')] },
    { id: 'lesson', createdAt: day(4), labels: [lesson('agent')] },
    { id: 'dropped', createdAt: day(5), status: 'dropped', labels: [preference('agent')] },
    { id: 'superseded', createdAt: day(6), labels: [preference('agent')] },
    { id: 'done', createdAt: day(7), status: 'done', labels: [preference('agent')] },
    { id: 'fact', createdAt: day(8), labels: [fact('person:ana'), fact('person:bob')] },
    { id: 'coarse', createdAt: day(9), labels: [coarse('person:ana'), fact('person:ana')] },
  ] as const

  test.each([
    { asked: { kind: 'preference', scopes: ['agent'] }, found: ['done', 'both', 'agent'] },
    { asked: { kind: 'preference', scopes: ['agent', 'user:ana', 'agent'] }, found: ['done', 'both', 'user', 'agent'] },
    { asked: { kind: 'preference', scopes: ['user:bob'] }, found: [] },
    { asked: { kind: 'preference', scopes: [] }, found: [] },
    { asked: { kind: 'preference' }, found: ['done', 'both', 'user', 'agent'] },
    { asked: { kind: 'preference' }, limit: 2, found: ['done', 'both'] },
    { asked: { kind: 'lesson', scopes: ['agent', 'user:ana'] }, found: ['lesson'] },
    { asked: { kind: 'fact' }, found: ['coarse', 'fact'] },
    { asked: { kind: 'fact', entityId: 'person:bob' }, found: ['fact'] },
    { asked: { kind: 'fact', entityId: 'person:ana' }, found: ['coarse', 'fact'] },
    { asked: { kind: 'fact', entityId: 'person:ana' }, limit: 1, found: ['coarse'] },
    { asked: { kind: 'fact', scopes: ['agent'] }, found: [] },
    { asked: { kind: 'preference', entityId: 'person:ana' }, found: [] },
  ] as const)('$asked, $limit', async ({ asked, found, ...rest }) => {
    const index = await told({ memories: MEMORIES, replay: [supersede('superseded', 'agent')] })
    expect(idsOf(index.labelled(asked, 'limit' in rest ? rest.limit : 20))).toEqual(found)
  })

  test('are those of the limit', async () => {
    const index = await told({})
    expect(() => index.labelled({ kind: 'fact' }, 0)).toThrow(RangeError)
  })
})

describe('related entities', () => {
  const MEMORIES = [{ id: 'm' }, { id: 'gone', status: 'dropped' }, { id: 'late', createdAt: day(10) }] as const
  const link = (src: string, dst: string, more: object = {}) => relation(src, dst, ['m'], more)
  const GRAPH = [
    link('a:x', 'b:old', { createdAt: day(2) }),
    link('b:from', 'a:x', { createdAt: day(3) }),
    link('a:x', 'b:new', { createdAt: day(4) }),
    link('a:x', 'b:new', { createdAt: day(1), relation: 'likes' }),
    link('a:x', 'a:x', { createdAt: day(5) }),
    link('b:old', 'b:new'),
  ]

  test.each([
    { name: 'both directions, the newest first', of: ['a:x'], found: ['b:new', 'b:from', 'b:old'] },
    { name: 'bounded', of: ['a:x'], limit: 2, found: ['b:new', 'b:from'] },
    { name: 'themselves left out', of: ['a:x', 'b:new'], found: ['b:from', 'b:old'] },
    { name: 'of each once', of: ['b:old', 'b:from'], found: ['a:x', 'b:new'] },
    { name: 'recorded by then', of: ['a:x'], asOf: at(3), found: ['b:from', 'b:old', 'b:new'] },
    { name: 'before all', of: ['a:x'], asOf: at(1) - 1, found: [] },
    { name: 'of nothing', of: [], found: [] },
    { name: 'of one that is not known', of: ['z:z'], found: [] },
  ])('$name', async ({ of, limit = 10, asOf, found }) => {
    const index = await told({ memories: MEMORIES, graph: GRAPH })
    expect(idsOf(index.related(of, { limit, ...(asOf === undefined ? {} : { asOf }) }))).toEqual(found)
  })

  test('say to which and how', async () => {
    const index = await told({ memories: MEMORIES, graph: GRAPH })
    expect(index.related(['a:x'], { limit: 1 })).toEqual([{ id: 'b:new', from: 'a:x', relation: 'knows' }])
    expect(index.related(['a:x'], { limit: 1, asOf: at(2) })).toEqual([{ id: 'b:old', from: 'a:x', relation: 'knows' }])
    expect(() => index.related(['a:x'], { limit: 0 })).toThrow(RangeError)
  })

  // Asked on 20 May, 09:00 UTC.
  test.each([
    { name: 'an end to come', more: { validTo: day(21) }, isFollowed: true },
    { name: 'an end at this instant', more: { validTo: day(20) }, isFollowed: true },
    { name: 'an end a moment ago', more: { validTo: '2026-05-20T08:59:59.999Z' }, isFollowed: false },
    { name: 'today as its last day', more: { validTo: '2026-05-20' }, isFollowed: true },
    { name: 'a last day that goes on somewhere', more: { validTo: '2026-05-19' }, isFollowed: true },
    { name: 'a last day that is over everywhere', more: { validTo: '2026-05-18' }, isFollowed: false },
    { name: 'a beginning before', more: { validFrom: day(19) }, isFollowed: true },
    { name: 'a beginning to come', more: { validFrom: day(21) }, isFollowed: false },
    { name: 'a first day to come', more: { validFrom: '2026-05-21' }, isFollowed: false },
    { name: 'today as its first day', more: { validFrom: '2026-05-20' }, isFollowed: true },
  ])('with $name', async ({ more, isFollowed }) => {
    const index = await told({ memories: MEMORIES, graph: [link('a:x', 'b:y', more)] })
    expect(idsOf(index.related(['a:x'], { limit: 5 }))).toEqual(isFollowed ? ['b:y'] : [])
    expect(idsOf(index.related(['a:x'], { limit: 5, asOf: at(20) }))).toEqual(isFollowed ? ['b:y'] : [])
    expect(idsOf(index.related(['b:y'], { limit: 5 }))).toEqual(isFollowed ? ['a:x'] : [])
  })

  test.each([
    { name: 'a memory that was dropped', support: ['gone'], asOf: undefined, isFollowed: false },
    { name: 'a memory that nobody has', support: ['nobody'], asOf: undefined, isFollowed: false },
    { name: 'one that lives', support: ['gone', 'm'], asOf: undefined, isFollowed: true },
    { name: 'one that was not recorded yet', support: ['late'], asOf: at(9), isFollowed: false },
    { name: 'one that was', support: ['late'], asOf: at(10), isFollowed: true },
    { name: 'one that was dropped only later', support: ['gone'], asOf: at(9), isFollowed: true },
  ])('that rest on $name', async ({ support, asOf, isFollowed }) => {
    const index = await told({
      memories: MEMORIES,
      graph: [relation('a:x', 'b:y', support)],
      replay: [{ ...terminal('gone'), at: day(12) }],
    })
    expect(idsOf(index.related(['a:x'], { limit: 5, ...(asOf === undefined ? {} : { asOf }) }))).toEqual(
      isFollowed ? ['b:y'] : [],
    )
  })
})

describe('memories of an entity', () => {
  const told20 = () =>
    told({
      memories: [
        { id: 'a', createdAt: day(1) },
        { id: 'c', createdAt: day(2) },
        { id: 'b', createdAt: day(2) },
        { id: 'other', createdAt: day(3) },
        { id: 'done', createdAt: day(4), status: 'done' },
        { id: 'superseded', createdAt: day(5) },
        { id: 'dropped', createdAt: day(6), status: 'dropped' },
        { id: 'task', createdAt: day(7), type: 'task', status: 'invalidated' },
        { id: 'associated-later', createdAt: day(1) },
      ],
      graph: [
        ...['a', 'b', 'c', 'done', 'superseded', 'dropped', 'task'].map((id) => about(id, 'person:ana')),
        about('a', 'person:ana', 'document'),
        about('other', 'person:bob'),
        { ...about('associated-later', 'person:ana'), createdAt: day(9) },
      ],
      replay: [
        supersede('superseded', 'a', day(8)),
        supersede('task', 'b', day(8)),
        { ...terminal('dropped'), at: day(8) },
      ],
    })

  test.each([
    { found: ['superseded', 'done', 'b', 'c', 'a', 'associated-later'] },
    { limit: 3, found: ['superseded', 'done', 'b'] },
    { of: 'person:bob', found: ['other'] },
    { of: 'person:nobody', found: [] },
    { asOf: at(2), found: ['b', 'c', 'a'] },
    { asOf: at(7), found: ['task', 'dropped', 'superseded', 'done', 'b', 'c', 'a'] },
    { asOf: at(8), found: ['superseded', 'done', 'b', 'c', 'a'] },
    { asOf: at(9), found: ['superseded', 'done', 'b', 'c', 'a', 'associated-later'] },
  ])('$of, $limit, $asOf', async ({ of = 'person:ana', limit = 20, asOf, found }) => {
    const index = await told20()
    expect(idsOf(index.memoriesOf(of, { limit, ...(asOf === undefined ? {} : { asOf }) }))).toEqual(found)
  })

  test('are as they were', async () => {
    const index = await told20()
    const [task, dropped, superseded] = index.memoriesOf('person:ana', { limit: 3, asOf: at(7) })
    expect(task).toMatchObject({ id: 'task', status: 'open' })
    expect(dropped).toMatchObject({ id: 'dropped', status: 'open' })
    expect(superseded).not.toHaveProperty('supersededBy')
    expect(superseded).not.toHaveProperty('supersededAt')
    expect(index.memoriesOf('person:ana', { limit: 1 })[0]).toMatchObject({ supersededBy: 'a', supersededAt: day(8) })
    expect(() => index.memoriesOf('person:ana', { limit: 0 })).toThrow(RangeError)
  })
})

describe('the chronology', () => {
  const MEMORIES = [
    { id: 'b', createdAt: day(2) },
    { id: 'a', createdAt: day(2) },
    { id: 'told-later', createdAt: day(9), occurredAt: day(1) },
    { id: 'done', createdAt: day(3), status: 'done' },
    { id: 'dropped', createdAt: day(3), status: 'dropped' },
    { id: 'invalidated', createdAt: day(4), type: 'task', status: 'invalidated' },
    { id: 'superseded', createdAt: day(5) },
  ] as const

  test.each([
    { from: at(1), before: at(30), found: ['told-later', 'a', 'b', 'done', 'invalidated', 'superseded'] },
    { from: at(2), before: at(4), found: ['a', 'b', 'done'] },
    { from: at(2) + 1, before: at(4) + 1, found: ['done', 'invalidated'] },
    { from: at(4), before: at(4), found: [] },
    { from: at(5), before: at(1), found: [] },
    { from: at(1), before: at(30), limit: 2, found: ['told-later', 'a'] },
    { from: at(1), before: at(4), after: { moment: at(2), id: 'a' }, found: ['b', 'done'] },
    { from: at(1), before: at(4), after: { moment: at(2), id: 'b' }, limit: 1, found: ['done'] },
    { from: at(3), before: at(30), after: { moment: at(1), id: 'zz' }, found: ['done', 'invalidated', 'superseded'] },
    { from: at(1), before: at(3), after: { moment: at(9), id: 'a' }, found: [] },
    { from: -Infinity, before: Infinity, limit: 1, found: ['told-later'] },
  ])('$from..$before, $after, $limit', async ({ limit = 50, found, ...range }) => {
    const index = await told({ memories: MEMORIES, replay: [supersede('superseded', 'a')] })
    expect(index.chronology(range, limit).map(({ memory }) => memory.id)).toEqual(found)
  })

  test('tells the moment, and the state', async () => {
    const index = await told({ memories: MEMORIES, replay: [supersede('superseded', 'a')] })
    const records = index.chronology({ from: at(1), before: at(30) }, 50)
    expect(records[0]).toMatchObject({ moment: at(1), memory: { id: 'told-later', occurredAt: day(1) } })
    expect(records.at(-1)?.memory).toMatchObject({ supersededBy: 'a' })
    expect(() => index.chronology({ from: Number.NaN, before: 1 }, 1)).toThrow(RangeError)
    expect(() => index.chronology({ from: 0, before: 1 }, 0)).toThrow(RangeError)
  })
})

describe('every tier', () => {
  /** Lite and journal have no graph. */
  const answersOf = (index: IndexReader) => [
    index.entitiesNamed('Ana and person:ana', 5),
    index.entity('person:ana'),
    index.related(['person:ana'], { limit: 5 }),
    index.related(['person:ana'], { limit: 5, asOf: at(9) }),
    index.memoriesOf('person:ana', { limit: 5 }),
    index.memoriesOf('person:ana', { limit: 5, asOf: at(9) }),
    [...index.entitiesOf(['m'])],
  ]

  test.each([
    { name: 'lite', identity: LITE },
    { name: 'journal', identity: JOURNAL },
  ])('$name answers with nothing, and with its chronology', async ({ identity }) => {
    const root = await newRoot()
    root.write(DAY, [
      bullet({ id: 'm', sentence: 'Ana drinks tea.', labels: [fact('person:ana'), preference('agent')] }),
    ])
    if (identity !== LITE) await build(root)
    const index = await root.open(identity)
    index.countAccess(['m'])
    const reader = openIndexReader({ root: root.path, fs: root.fs, identity, now: () => at(20) })
    for (const one of [index, reader]) {
      expect(answersOf(one)).toEqual([[], undefined, [], [], [], [], []])
      expect(one.chronology({ from: at(1), before: at(2) }, 5)).toHaveLength(1)
      // What a person wrote in the Markdown is there all the same.
      expect(idsOf(one.factsAbout(['person:ana'], { limit: 5 }))).toEqual(['m'])
      expect(idsOf(one.labelled({ kind: 'preference', scopes: ['agent'] }, 5))).toEqual(['m'])
    }
    reader.close()
    index.close()
  })

  test('a writer answers as a reader does', async () => {
    const told = { memories: [{ id: 'm', labels: [fact('person:ana')] }], graph: [entity('person:ana', 'Ana'), about('m', 'person:ana'), relation('person:ana', 'org:x', ['m'])] } // prettier-ignore
    const root = await bujoRoot(told)
    const writer: SearchIndex = await root.open(BUJO)
    const reader = openIndexReader({ root: root.path, fs: root.fs, identity: BUJO, now: () => at(20) })
    expect(answersOf(writer)).toEqual(answersOf(reader))
    expect(answersOf(writer).flat()).toHaveLength(7)
    reader.close()
    writer.close()
    expect(() => writer.chronology({ from: 0, before: 1 }, 1)).toThrow(
      expect.objectContaining({ code: 'index_closed' }),
    )
    expect(() => writer.countAccess(['m'])).toThrow(expect.objectContaining({ code: 'index_closed' }))
  })
})
