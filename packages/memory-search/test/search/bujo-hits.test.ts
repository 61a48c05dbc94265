import { layout, type Bullet, type MemoryLabel } from '@mono-agent/memory-store'
import { describe, expect, test } from 'vitest'
import { openIndexReader, type SearchIndex } from '../../src/index.js'
import { about, BUJO, deltaBytes, entity, graphBytes, put, supersede } from '../support/authority.js'
import { bullet } from '../support/roots.js'
import { DAY, idsOf, newRoot } from '../support/scenario.js'
import { build, DIMENSION, hashProvider, unit } from '../support/vectors.js'

const same = unit([1, ...Array.from({ length: DIMENSION - 1 }, () => 0)])

async function withIndex(
  bullets: readonly Bullet[],
  graph: Parameters<typeof graphBytes>[0],
  use: (index: SearchIndex, root: Awaited<ReturnType<typeof newRoot>>) => void,
): Promise<void> {
  const root = await newRoot()
  root.write(DAY, bullets)
  put(root, layout.graph, graphBytes(graph))
  put(
    root,
    layout.replayDelta,
    deltaBytes([supersede('old', 'new'), supersede('older', 'old', '2026-04-30T09:00:00.000Z')]),
  )
  await build(root, { identity: BUJO, embed: hashProvider(() => same) })
  const index = await root.open(BUJO)
  try {
    await index.catchUp()
    use(index, root)
  } finally {
    index.close()
  }
}

describe('validity and attribution of a hit are those that its labels agree about', () => {
  const fact = (more: object): MemoryLabel => ({
    kind: 'fact',
    entityId: 'person:ana',
    key: 'other:tea',
    value: { type: 'text', text: 'green' },
    attribution: 'user-stated',
    ...more,
  })
  const coarse: MemoryLabel = { kind: 'fact', entityId: 'person:owner', attribution: 'user-stated' }
  const preference: MemoryLabel = { kind: 'preference', scope: 'agent', attribution: 'document' }
  const lesson: MemoryLabel = { kind: 'lesson', scope: 'agent', verified: true }
  const [from, to] = ['2026-05-01', '2026-06-01']

  test.each<{ name: string; labels: MemoryLabel[]; own?: Bullet['attribution']; is: object }>([
    { name: 'none', labels: [], is: {} },
    { name: 'one fact', labels: [fact({ validFrom: from, validTo: to })], is: { attribution: 'user-stated', validFrom: from, validTo: to } }, // prettier-ignore
    { name: 'two that agree', labels: [fact({ validFrom: from }), fact({ key: 'other:cup', validFrom: from })], is: { attribution: 'user-stated', validFrom: from } }, // prettier-ignore
    { name: 'two that end differently', labels: [fact({ validFrom: from }), fact({ key: 'other:cup', validFrom: from, validTo: to })], is: { attribution: 'user-stated', validFrom: from } }, // prettier-ignore
    {
      name: 'a coarse one beside it',
      labels: [coarse, fact({ validTo: to })],
      is: { attribution: 'user-stated', validTo: to },
    },
    { name: 'other sources', labels: [fact({}), preference], is: {} },
    { name: 'a preference', labels: [preference], is: { attribution: 'document' } },
    { name: 'a lesson, which has no source', labels: [lesson], is: {} },
    { name: 'the line says so itself', labels: [preference], own: 'user-stated', is: { attribution: 'user-stated' } },
  ])('$name', async ({ labels, own, is }) => {
    await withIndex(
      [bullet({ id: 'a', sentence: 'Green tea.', labels, ...(own === undefined ? {} : { attribution: own }) })],
      [],
      (index) => {
        const [hit] = index.search({ query: 'tea', limit: 1 })
        const { attribution, validFrom, validTo } = hit ?? {}
        expect(JSON.parse(JSON.stringify({ attribution, validFrom, validTo }))).toEqual(is)
      },
    )
  })
})

test('a chain of successors can be walked both ways, by a reader too', async () => {
  const bullets = ['older', 'old', 'new'].map((id) => bullet({ id, sentence: `Tea ${id}.` }))
  await withIndex(bullets, [], (index, root) => {
    const reader = openIndexReader({ root: root.path, fs: root.fs, identity: BUJO, now: Date.now })
    try {
      for (const each of [index, reader]) {
        expect(each.supersessionOf('older')).toEqual({ by: 'old', at: '2026-04-30T09:00:00.000Z' })
        expect(each.supersessionOf('new')).toBeUndefined()
        expect(each.predecessorsOf('old').map(({ id }) => id)).toEqual(['older'])
        expect(each.predecessorsOf('older')).toEqual([])
        expect(each.nearest(same, { limit: 5, floor: 0.5 }).map(({ memory }) => memory.id)).toEqual(['new'])
        expect(each.aboutEntities(['person:ana'], { factKeys: [], limit: 5 })).toEqual([])
        expect(each.stats()).toMatchObject({ superseded: 2, entities: 0 })
      }
    } finally {
      reader.close()
    }
  })
})

test('a name in the query lifts what is about its bearer, whatever the words of the memory', async () => {
  const bullets = [
    bullet({ id: 'a', sentence: 'Moved to Bonn.' }),
    bullet({ id: 'b', sentence: 'Moved to Kyiv 42.' }),
    bullet({ id: 'c', sentence: 'Moved to Oslo.' }),
  ]
  const graph = [entity('person:zoe', 'Zoë van Dijk'), entity('person:bob', 'Bob'), about('c', 'person:zoe'), about('b', 'person:bob')] // prettier-ignore
  await withIndex(bullets, graph, (index) => {
    const ask = (query: string) => index.search({ query, limit: 3, explain: true, vector: same })
    const anchors = (query: string) => new Map(ask(query).map((hit) => [hit.id, hit.explanation?.anchors]))
    expect(idsOf(ask('Where does zoe live?'))[0]).toBe('c')
    expect(anchors('Where does zoe live?')).toEqual(new Map([['c', 0.08], ['a', 0], ['b', 0]])) // prettier-ignore
    expect(anchors('Did Zoe meet Bob?')).toEqual(new Map([['b', 0.04], ['c', 0.04], ['a', 0]])) // prettier-ignore
    expect(anchors('Did Bob pay 42?').get('b')).toBeCloseTo(0.23, 9)
    expect(anchors('Who moved?')).toEqual(new Map([['a', 0], ['b', 0], ['c', 0]])) // prettier-ignore
    // By words alone names are no anchors: the score is of another kind (SEA-14).
    expect(index.search({ query: 'zoe', limit: 3 })).toEqual([])
  })
})
