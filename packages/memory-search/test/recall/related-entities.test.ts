import { describe, expect, test } from 'vitest'
import { relation, terminal } from '../support/authority.js'
import { at, day, idsOf, told } from '../support/told.js'

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
