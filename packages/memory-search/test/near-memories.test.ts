import { layout, type Bullet, type MemoryLabel } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cosine } from '../src/ranking/cosine.js'
import { openIndexReader, openWritableIndex, type IndexReader, type SearchIndex } from '../src/index.js'
import { databaseOf } from './support/dump.js'
import { about, BUJO, deltaBytes, entity, graphBytes, put, supersede } from './support/authority.js'
import { bullet } from './support/roots.js'
import { DAY, newRoot } from './support/scenario.js'
import { build, coarseVector, DIMENSION, hashProvider, hashVector } from './support/vectors.js'

const asked = hashVector('asked')

async function withIndex(
  bullets: readonly Bullet[],
  vectorOf: (text: string) => Float32Array,
  use: (index: SearchIndex, reader: IndexReader) => Promise<void> | void,
  graph: Parameters<typeof graphBytes>[0] = [],
): Promise<void> {
  const root = await newRoot()
  root.write(DAY, bullets)
  root.write('daily/2026-05-09.md', [bullet({ id: 'live', sentence: 'A later copy of the same id.' })])
  put(root, layout.graph, graphBytes(graph))
  put(root, layout.replayDelta, deltaBytes([supersede('old', 'live')]))
  await build(root, { identity: BUJO, embed: hashProvider(vectorOf) })
  const index = await root.open(BUJO)
  const reader = openIndexReader({ root: root.path, fs: root.fs, identity: BUJO, now: Date.now })
  try {
    await index.catchUp()
    await use(index, reader)
  } finally {
    reader.close()
    index.close()
  }
}

/** One of each kind; only `live` and `done` are to be offered. */
const KINDS: readonly Bullet[] = [
  bullet({ id: 'live', sentence: 'Live.' }),
  bullet({ id: 'done', sentence: 'Done.', type: 'task', status: 'done' }),
  bullet({ id: 'old', sentence: 'Superseded.' }),
  bullet({ id: 'dropped', sentence: 'Dropped.', status: 'dropped' }),
  bullet({ id: 'invalidated', sentence: 'Invalidated.', type: 'task', status: 'invalidated' }),
]

const idsOf = (found: ReturnType<SearchIndex['nearest']>): string[] => found.map(({ memory }) => memory.id)

describe('nearest', () => {
  test('offers what is live and has no successor, each once', () =>
    withIndex(
      KINDS,
      () => asked,
      (index) => {
        const found = index.nearest(asked, { limit: 50, floor: -1 })
        expect(idsOf(found)).toEqual(['done', 'live'])
        expect(found[1]?.memory.text).toBe('Live.')
        for (const { similarity } of found) expect(similarity).toBeCloseTo(1, 6)
      },
    ))

  test('is what a look at every vector finds, whatever limit and floor, ties by id', async () => {
    const bullets = Array.from({ length: 120 }, (_, at) =>
      bullet({ id: `m-${String((at * 37) % 120).padStart(3, '0')}`, sentence: `Sentence ${at % 90}.` }),
    )
    for (const vectorOf of [hashVector, coarseVector]) {
      await withIndex(bullets, vectorOf, (index, reader) =>
        fc.assert(
          fc.property(
            fc.string(),
            fc.integer({ min: 1, max: 50 }),
            fc.integer({ min: -10, max: 10 }),
            (text, limit, tenths) => {
              const [query, floor] = [vectorOf(text), tenths / 10]
              const expected = [...bullets, bullet({ id: 'live', sentence: 'A later copy of the same id.' })]
                .map(({ id, sentence }) => ({ id, near: Math.round(cosine(vectorOf(sentence), query) * 1e9) / 1e9 }))
                .filter(({ near }) => near >= floor)
                .sort((one, other) => other.near - one.near || (one.id < other.id ? -1 : 1))
                .slice(0, limit)
              const found = index.nearest(query, { limit, floor })
              expect(reader.nearest(query, { limit, floor })).toEqual(found) // by a scan of the database
              expect(found.map(({ memory, similarity }) => ({ id: memory.id, near: similarity }))).toEqual(expected)
            },
          ),
          { numRuns: 60 },
        ),
      )
    }
  })

  test('follows what is written, dropped, reworded and superseded', async () => {
    const root = await newRoot()
    const write = (...bullets: Bullet[]) => root.write(DAY, bullets)
    const [one, two] = [bullet({ id: 'one', sentence: 'One.' }), bullet({ id: 'two', sentence: 'Two.' })]
    write(one)
    await build(root, { identity: BUJO })
    const index = await root.open(BUJO)
    const near = (text: string) => idsOf(index.nearest(hashVector(text), { limit: 50, floor: 0.9 }))
    const served = () =>
      index.writeVectors(index.missingVectors(0, 50).map(({ contentHash, text }) => ({ contentHash, vector: hashVector(text) }))) // prettier-ignore
    try {
      await index.catchUp()
      expect([near('One.'), near('Two.')]).toEqual([['one'], []])
      write(one, two)
      await index.catchUp()
      expect(near('Two.')).toEqual([]) // it waits for its vector
      served()
      expect([near('One.'), near('Two.')]).toEqual([['one'], ['two']])
      write(bullet({ id: 'one', sentence: 'Two.' }), two)
      await index.catchUp()
      expect([near('One.'), near('Two.')]).toEqual([[], ['one', 'two']])
      put(root, layout.replayDelta, deltaBytes([supersede('one', 'two')]))
      await index.catchUp()
      expect(near('Two.')).toEqual(['two'])
      write(bullet({ id: 'one', sentence: 'Two.' }), bullet({ id: 'two', sentence: 'Two.', status: 'dropped' }))
      await index.catchUp()
      expect(near('Two.')).toEqual([])
    } finally {
      index.close()
    }
  })

  test('follows what another connection wrote, and what is written while it reads', async () => {
    const root = await newRoot()
    const texts = Array.from({ length: 450 }, (_, at) => `Sentence ${at}.`)
    root.write(
      DAY,
      texts.map((sentence, at) => bullet({ id: `m-${at}`, sentence })),
    )
    await build(root, { identity: BUJO })
    const index = await openWritableIndex({
      root: root.path,
      fs: root.fs,
      lease: root.lease,
      identity: BUJO,
      now: Date.now,
      yieldTurn: async () => {
        if (!texts.includes('Late.')) root.write(DAY, [bullet({ id: 'late', sentence: 'Late.' })])
        texts.push('Late.')
        await Promise.resolve()
      },
    })
    const near = (text: string) => idsOf(index.nearest(hashVector(text), { limit: 5, floor: 0.9 }))
    try {
      await index.warmNearest()
      expect(near('Sentence 3.')).toEqual(['m-3'])
      await index.catchUp() // the day file holds one memory now
      expect(near('Sentence 3.')).toEqual([])
      index.writeVectors(
        index.missingVectors(0, 5).map(({ contentHash }) => ({ contentHash, vector: hashVector('Late.') })),
      )
      expect(near('Late.')).toEqual(['late'])
      const other = new Database(databaseOf(root.path))
      other.prepare('update memory_vectors set vector = ?').run(Buffer.from(hashVector('Other.').buffer))
      other.close()
      expect([near('Late.'), near('Other.')]).toEqual([[], ['late']])
    } finally {
      index.close()
    }
  })

  test.each([
    ['a limit of 0', asked, { limit: 0, floor: 0 }],
    ['a limit of 51', asked, { limit: 51, floor: 0 }],
    ['a floor above 1', asked, { limit: 1, floor: 1.1 }],
    ['a floor that is no number', asked, { limit: 1, floor: NaN }],
    ['a vector of another dimension', hashVector('x', DIMENSION + 1), { limit: 1, floor: 0 }],
    ['a vector of another length', new Float32Array(DIMENSION), { limit: 1, floor: 0 }],
  ])('refuses %s', async (_, vector, options) => {
    await withIndex(KINDS, hashVector, (index) => {
      expect(() => index.nearest(vector, options)).toThrow(RangeError)
    })
  })
})

describe('aboutEntities', () => {
  const home: MemoryLabel = {
    kind: 'fact',
    entityId: 'person:ana',
    key: 'home_location',
    value: { type: 'text', text: 'Bonn' },
    attribution: 'user-stated',
  }
  const coarse: MemoryLabel = { kind: 'fact', entityId: 'person:ana', attribution: 'user-stated' }
  const at = (day: number) => ({ createdAt: `2026-05-0${day}T09:00:00.000Z` })
  const bullets = [
    ...KINDS,
    bullet({ id: 'old-home', sentence: 'Ana lives in Bonn.', labels: [home], ...at(1) }),
    bullet({ id: 'coarse', sentence: 'Ana likes Bonn.', labels: [coarse], ...at(4) }),
    bullet({ id: 'new', sentence: 'Ana drinks tea.', ...at(3) }),
    bullet({ id: 'newer', sentence: 'Ana drinks milk.', ...at(5) }),
    bullet({ id: 'bob', sentence: 'Bob runs.', ...at(6) }),
  ]
  const graph = [
    entity('person:ana', 'Ana'),
    entity('person:bob', 'Bob'),
    ...bullets
      .filter(({ id }) => id !== 'bob' && id !== 'live' && id !== 'done')
      .map(({ id }) => about(id, 'person:ana')),
    about('new', 'person:ana', 'document'),
    about('new', 'person:bob'),
    about('bob', 'person:bob'),
    about('gone', 'person:bob'),
  ]

  test('is the same of an entity that most memories are about', async () => {
    const many = Array.from({ length: 500 }, (_, at) =>
      bullet({
        id: `m-${String((at * 7) % 500).padStart(3, '0')}`,
        sentence: `Owner ${at}.`,
        createdAt: `2026-05-0${1 + (at % 9)}T09:00:00.000Z`,
        labels: at % 100 === 0 ? [{ ...home, entityId: 'person:owner' }] : [coarse],
        status: at % 11 === 0 ? 'dropped' : 'open',
      }),
    )
    const live = many
      .filter(({ status }) => status === 'open')
      .sort((a, b) => (a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1))
    const homes = live.filter(({ labels }) => labels.some((label) => label.kind === 'fact' && label.key !== undefined))
    expect(homes.length).toBeGreaterThan(2)
    await withIndex(
      many,
      hashVector,
      (index) => {
        for (const limit of [1, 2, 3, 10, 50]) {
          const ask = (factKeys: string[]) =>
            index.aboutEntities(['person:owner'], { factKeys, limit }).map(({ id }) => id)
          expect(ask([])).toEqual(live.map(({ id }) => id).slice(0, limit))
          const sharing = [...new Set([...homes, ...live].map(({ id }) => id))].slice(0, limit)
          expect(ask(['person:owner home_location', 'person:ana birth_date'])).toEqual(sharing)
        }
      },
      [entity('person:owner', 'Owner'), ...many.map(({ id }) => about(id, 'person:owner'))],
    )
  })

  test.each([
    { entities: ['person:ana'], factKeys: [], limit: 50, expected: ['newer', 'coarse', 'new', 'old-home'] },
    { entities: ['person:ana'], factKeys: ['person:ana home_location'], limit: 50, expected: ['old-home', 'newer', 'coarse', 'new'] }, // prettier-ignore
    { entities: ['person:ana'], factKeys: ['person:bob home_location'], limit: 2, expected: ['newer', 'coarse'] },
    { entities: ['person:ana'], factKeys: ['person:ana home_location'], limit: 1, expected: ['old-home'] },
    { entities: ['person:bob', 'person:ana'], factKeys: [], limit: 3, expected: ['bob', 'newer', 'coarse'] },
    { entities: ['person:nobody'], factKeys: [], limit: 3, expected: [] },
    { entities: [], factKeys: ['person:ana home_location'], limit: 3, expected: [] },
  ])('$entities sharing $factKeys, $limit of them', async ({ entities, factKeys, limit, expected }) => {
    await withIndex(
      bullets,
      hashVector,
      (index) => {
        const found = index.aboutEntities(entities, { factKeys, limit })
        expect(found.map(({ id }) => id)).toEqual(expected)
        const labelled = found.find(({ id }) => id === 'old-home')
        if (labelled !== undefined) expect(labelled.labels).toEqual([home])
        expect(() => index.aboutEntities(entities, { factKeys, limit: 51 })).toThrow(RangeError)
      },
      graph,
    )
  })
})
