import { describe, expect, test } from 'vitest'
import { about, supersede, terminal } from '../support/authority.js'
import { at, day, idsOf, told } from '../support/told.js'

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
