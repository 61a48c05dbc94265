import type { IndexedMemory } from '@mono-agent/memory-search'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  HOP_ENTITIES,
  HOP_HITS,
  HOP_MEMORIES,
  HOP_MEMORIES_EACH,
  HOP_SEEDS,
  hopSeeds,
  hopTargets,
  relatedHits,
} from '../../src/recall/one-hop.js'
import { cutTail } from '../../src/recall/tail-cut.js'
import { hitOf, rowOf, STRONG } from './support/rows.js'

const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const pad = (at: number) => String(at).padStart(2, '0')

describe('who reaches out (REC-7)', () => {
  const direct = [hitOf(0.9, { id: 'a' }), hitOf(0.8, { id: 'b' }), hitOf(0.7, { id: 'c' })]

  test('entities of the hits in their order, each once, never the owner', () => {
    const entities = new Map([
      ['b', ['person:ana', 'place:lund']],
      ['a', ['place:lund', 'person:owner', 'person:bo']],
    ])
    expect(hopSeeds(direct, entities)).toEqual(['person:bo', 'place:lund', 'person:ana'])
  })

  test.each([HOP_HITS, HOP_HITS + 1])('of %s hits the first eight', (count) => {
    const hits = many(count, (at) => hitOf(0.9, { id: `m${at}` }))
    expect(hopSeeds(hits, new Map(hits.map(({ memory }) => [memory.id, [`thing:${memory.id}`]])))).toHaveLength(
      HOP_HITS,
    )
  })

  test.each([HOP_SEEDS, HOP_SEEDS + 1])('of %s entities the first sixteen', (count) => {
    expect(hopSeeds(direct, new Map([['a', many(count, (at) => `thing:${pad(at)}`)]]))).toHaveLength(HOP_SEEDS)
  })
})

describe('who is reached', () => {
  test('through the first seed, in the order of seeds, then by id; not the owner, not a seed', () => {
    const relation = 'knows'
    const related = [
      { id: 'person:z', from: 'person:a', relation },
      { id: 'person:y', from: 'person:b', relation },
      { id: 'person:y', from: 'person:a', relation },
      { id: 'person:c', from: 'person:b', relation },
      { id: 'person:owner', from: 'person:a', relation },
      { id: 'person:b', from: 'person:a', relation },
      { id: 'person:x', from: 'person:unknown', relation },
    ]
    const expected = [
      { id: 'person:y', from: 'person:a' },
      { id: 'person:z', from: 'person:a' },
      { id: 'person:c', from: 'person:b' },
    ]
    expect(hopTargets(['person:a', 'person:b'], related)).toEqual(expected)
    expect(hopTargets(['person:a', 'person:b'], related.toReversed())).toEqual(expected)
  })

  test.each([HOP_ENTITIES, HOP_ENTITIES + 1])('of %s entities the first eight', (count) => {
    const related = many(count, (at) => ({ id: `thing:${pad(at)}`, from: 'person:a', relation: 'owns' }))
    expect(hopTargets(['person:a'], related)).toHaveLength(HOP_ENTITIES)
  })
})

describe('what is added', () => {
  const direct = [hitOf(0.8, { id: 'a' }), hitOf(0.7, { id: 'b' })]
  const entitiesOf = new Map([
    ['a', ['person:ana']],
    ['b', ['person:ana', 'person:bo']],
  ])
  const hop = (
    memoriesOf: ReadonlyMap<string, readonly IndexedMemory[]>,
    { room = 10, shown = ['a', 'b'], targets = [{ id: 'place:lund', from: 'person:ana' }] } = {},
  ) => relatedHits({ direct, entitiesOf, targets, memoriesOf, room, shown: new Set(shown) })
  const rows = (...ids: string[]) => ids.map((id) => rowOf({ id }))

  test('has its share of the best hit that is about the seed', () => {
    const [found] = hop(new Map([['place:lund', rows('x')]]))
    expect(found?.score).toBe(0.72)
    expect(found?.parts).toEqual({ lexical: 0, actor: 0, time: 0, question: 0, related: 0.72 })
    const [other] = hop(new Map([['place:oslo', rows('x')]]), { targets: [{ id: 'place:oslo', from: 'person:bo' }] })
    expect(other?.score).toBe(0.63)
  })

  test('nothing that is shown already, nothing twice', () => {
    const targets = [
      { id: 'place:lund', from: 'person:ana' },
      { id: 'place:oslo', from: 'person:bo' },
    ]
    const found = hop(
      new Map([
        ['place:lund', rows('a', 'x')],
        ['place:oslo', rows('x', 'y')],
      ]),
      { targets },
    )
    expect(found.map(({ memory }) => memory.id)).toEqual(['x', 'y'])
  })

  test.each([
    [HOP_MEMORIES_EACH, HOP_MEMORIES_EACH],
    [HOP_MEMORIES_EACH + 1, HOP_MEMORIES_EACH],
  ])('of %s memories of one entity, %s', (given, expected) => {
    expect(hop(new Map([['place:lund', rows(...many(given, (at) => `x${at}`))]]))).toHaveLength(expected)
  })

  test.each([
    [-1, 0],
    [0, 0],
    [1, 1],
    [HOP_MEMORIES, HOP_MEMORIES],
    [HOP_MEMORIES + 1, HOP_MEMORIES],
  ])('with room for %s, %s', (room, expected) => {
    const targets = many(HOP_ENTITIES, (at) => ({ id: `thing:${at}`, from: 'person:ana' }))
    const memories = new Map(targets.map(({ id }) => [id, rows(`${id}1`, `${id}2`)]))
    expect(hop(memories, { room, targets })).toHaveLength(expected)
  })

  test.each([
    [0.723, true],
    [0.722, false],
  ])('the last cut beside a hit of %s: %s', (score, stays) => {
    const hit = hitOf(score, { id: 'a' })
    const added = relatedHits({
      direct: [hit],
      entitiesOf,
      targets: [{ id: 'place:lund', from: 'person:ana' }],
      memoriesOf: new Map([['place:lund', rows('x')]]),
      room: 9,
      shown: new Set(['a']),
    })
    expect(cutTail([hit, ...added], STRONG)).toHaveLength(stays ? 2 : 1)
  })
})

test('never more than its bounds, whatever the graph, and the order of the relations says nothing', () => {
  const id = fc.integer({ min: 0, max: 40 }).map((at) => `thing:${at}`)
  return fc.assert(
    fc.property(
      fc.array(fc.array(id, { maxLength: 8 }), { maxLength: 12 }),
      fc.array(fc.record({ id, from: id, relation: fc.constant('r') }), { maxLength: 60 }),
      fc.nat(12),
      (entities, related, room) => {
        const direct = entities.map((_, at) => hitOf(0.9 - at / 100, { id: `m${at}` }))
        const entitiesOf = new Map(entities.map((ids, at) => [`m${at}`, ids]))
        const seeds = hopSeeds(direct, entitiesOf)
        const targets = hopTargets(seeds, related)
        expect(hopTargets(seeds, related.toReversed())).toEqual(targets)
        const memoriesOf = new Map(targets.map((target) => [target.id, [rowOf({ id: target.id })]]))
        const added = relatedHits({ direct, entitiesOf, targets, memoriesOf, room, shown: new Set() })
        expect(added.length).toBeLessThanOrEqual(Math.min(room, HOP_MEMORIES))
        expect(new Set(added.map(({ memory }) => memory.id)).size).toBe(added.length)
        for (const { score } of added) expect(score).toBeLessThanOrEqual(0.81)
      },
    ),
  )
})
