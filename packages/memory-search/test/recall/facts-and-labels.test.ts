import { layout } from '@mono-agent/memory-store'
import { describe, expect, test } from 'vitest'
import { about, BUJO, buildBujo, graphBytes, put, supersede, terminal } from '../support/authority.js'
import { bullet } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'
import { at, coarse, day, fact, idsOf, lesson, preference, told } from '../support/told.js'

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

  test.each([
    { name: 'what stands', more: { isStanding: true }, found: ['also-new', 'new', 'late-event', 'old'] },
    { name: 'the limit counts what stands alone', more: { isStanding: true, limit: 2 }, found: ['also-new', 'new'] },
    {
      name: 'what stood then',
      more: { isStanding: true, asOf: at(11) - 1 },
      found: ['superseded', 'invalidated', 'also-new', 'new', 'late-event', 'old'],
    },
    {
      name: 'what stood once the first was replaced',
      more: { isStanding: true, asOf: at(11) },
      found: ['superseded', 'also-new', 'new', 'late-event', 'old'],
    },
    { name: 'one conversation', more: { conversationId: 'web:2', limit: 1 }, found: ['old'] },
    { name: 'one conversation, then', more: { conversationId: 'web:2', asOf: at(1) }, found: ['old'] },
    { name: 'a conversation that there is not', more: { conversationId: 'web:3' }, found: [] },
  ])('$name', async ({ more, found }) => {
    const memories = MEMORIES.map((one) => (one.id === 'old' ? { ...one, conversationId: 'web:2' } : one))
    const index = await told({ memories, replay: REPLAY })
    expect(idsOf(index.factsAbout(['person:ana'], { limit: 50, ...more }))).toEqual(found)
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
