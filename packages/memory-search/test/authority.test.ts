import { layout, type GraphLine, type ReplayEntry } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { buildIndex, openIndexReader, openWritableIndex, type AuthorityCover, type SearchIndex } from '../src/index.js'
import { validateDatabase } from '../src/generation/validate.js'
import {
  about,
  append,
  BUJO,
  buildBujo,
  deltaBytes,
  entity,
  graphBytes,
  put,
  relation,
  snapshotBytes,
  supersede,
  terminal,
  thread,
} from './support/authority.js'
import { databaseOf, dump } from './support/dump.js'
import { codeOf, inDatabase } from './support/kept-indexes.js'
import { bullet, LITE, type TestRoot } from './support/roots.js'
import { DAY, idsOf, newRoot } from './support/scenario.js'
import { build, hashVector, JOURNAL } from './support/vectors.js'

const MEMORIES = ['a', 'b', 'c'].map((id) => bullet({ id, sentence: `Tea of ${id}.` }))
const GRAPH: readonly GraphLine[] = [
  entity('person:ana', 'Ana'),
  entity('org:tea', 'Tea House'),
  relation('person:ana', 'org:tea', ['a', 'b']),
  about('a', 'person:ana'),
  about('b', 'org:tea'),
]
const REPLAY: readonly ReplayEntry[] = [supersede('a', 'b'), thread('a', 'c'), terminal('c')]

const opened: SearchIndex[] = []
afterEach(() => {
  for (const index of opened.splice(0)) index.close()
})

async function openIn(root: TestRoot, authorityCover?: AuthorityCover): Promise<SearchIndex> {
  const { path, fs, lease } = root
  const index = await openWritableIndex({
    root: path,
    fs,
    lease,
    identity: BUJO,
    now: Date.now,
    ...(authorityCover === undefined ? {} : { authorityCover }),
  })
  opened.push(index)
  return index
}

/** A closed bujo index of three memories, with a graph and a replay authority in snapshot and delta. */
async function filled(): Promise<TestRoot> {
  const root = await newRoot()
  root.write(DAY, MEMORIES)
  put(root, layout.graph, graphBytes(GRAPH))
  put(root, layout.replaySnapshot, snapshotBytes(REPLAY.slice(0, 1)))
  put(root, layout.replayDelta, deltaBytes(REPLAY.slice(1)))
  await buildBujo(root)
  return root
}

describe('a captured turn', () => {
  test('is recorded with its day files in one transaction', async () => {
    const root = await newRoot()
    root.write(DAY, MEMORIES)
    await buildBujo(root)
    const index = await openIn(root)
    await index.catchUp()
    index.record([], append(root, GRAPH, REPLAY))
    expect(index.stats()).toMatchObject({ entities: 2, relations: 1, associations: 2, threads: 1, superseded: 1 })
    expect(index.supersessionOf('a')).toEqual({ by: 'b', at: REPLAY[0]?.at })
    expect(index.predecessorsOf('b')).toEqual([{ id: 'a', at: REPLAY[0]?.at }])
    expect(index.supersessionOf('b')).toBeUndefined()
    expect(index.get('a')?.supersededBy).toBe('b')
    expect(index.get('b')).not.toHaveProperty('supersededBy')
    expect(index.isStale()).toBe(false)
    expect(await index.catchUp()).toMatchObject({ filesRead: 0 })
  })

  test('of which a step fails is not recorded at all', async () => {
    const root = await filled()
    const index = await openIn(root)
    await index.catchUp()
    const before = dump(root.path)
    const bad = { ...about('b', 'person:ana'), createdAt: undefined as unknown as string }
    const written = append(root, [entity('person:bob', 'Bob')])
    expect(() => index.record([], { ...written, graph: [...written.graph, bad] })).toThrow(/NOT NULL/)
    expect(dump(root.path)).toEqual(before)
    await index.catchUp()
    expect(index.stats().entities).toBe(3)
  })

  test('is recorded after an edit by a person that nobody had seen yet', async () => {
    const root = await filled()
    const index = await openIn(root)
    await index.catchUp()
    put(root, layout.graph, graphBytes(GRAPH.slice(1))) // Ana is gone, says a person
    index.record([], append(root, [entity('person:bob', 'Bob')]))
    expect(index.stats().entities).toBe(2)
    index.close()
    const followed = dump(root.path)
    await buildBujo(root)
    expect(followed).toEqual(dump(root.path))
  })

  test('has nothing of graph or replay in another tier', async () => {
    const root = await newRoot()
    root.write(DAY, MEMORIES)
    await build(root)
    const index = await root.open(JOURNAL)
    expect(() => index.record([], append(root, GRAPH))).toThrow(TypeError)
    index.close()
  })
})

describe('catching up', () => {
  test.each([
    {
      name: 'a line more',
      file: layout.graph,
      bytes: graphBytes([...GRAPH, entity('person:bob')]),
      counts: { entities: 3 },
    },
    { name: 'a line less', file: layout.graph, bytes: graphBytes(GRAPH.slice(0, -1)), counts: { associations: 1 } },
    { name: 'an empty graph', file: layout.graph, bytes: '', counts: { entities: 0, relations: 0, associations: 0 } },
    { name: 'an empty delta', file: layout.replayDelta, bytes: '', counts: { threads: 0, superseded: 1 } },
    { name: 'another snapshot', file: layout.replaySnapshot, bytes: snapshotBytes([]), counts: { superseded: 0, threads: 1 } }, // prettier-ignore
  ])('reads $name of a person', async ({ file, bytes, counts }) => {
    const root = await filled()
    put(root, file, bytes)
    const reader = openIndexReader({ root: root.path, fs: root.fs, identity: BUJO, now: Date.now })
    expect(reader.isStale()).toBe(true)
    reader.close()
    const index = await openIn(root)
    expect(index.isStale()).toBe(true)
    await index.catchUp()
    expect(index.stats()).toMatchObject(counts)
    expect(index.isStale()).toBe(false)
  })

  test.each([
    { name: 'a graph that is gone', change: (root: TestRoot) => rmSync(join(root.path, layout.graph)), code: 'canonical_mismatch' }, // prettier-ignore
    { name: 'a snapshot that is gone', change: (root: TestRoot) => rmSync(join(root.path, layout.replaySnapshot)), code: 'canonical_mismatch' }, // prettier-ignore
    { name: 'a delta that is gone', change: (root: TestRoot) => rmSync(join(root.path, layout.replayDelta)), code: 'canonical_mismatch' }, // prettier-ignore
    {
      name: 'an edge that only the index has',
      change: (root: TestRoot) => inDatabase(root, `insert into supersessions values ('b', 'c', 'x', 'capture', 'x')`),
      code: 'canonical_mismatch',
    },
    {
      name: 'an edge that the index lacks',
      change: (root: TestRoot) => inDatabase(root, `delete from thread_edges`),
      code: 'canonical_mismatch',
    },
    { name: 'a torn end', change: (root: TestRoot) => put(root, layout.graph, Buffer.concat([graphBytes(GRAPH), Buffer.from('{"createdAt')])), code: 'canonical_invalid' }, // prettier-ignore
    { name: 'zeroes in the delta', change: (root: TestRoot) => put(root, layout.replayDelta, Buffer.alloc(64)), code: 'canonical_invalid' }, // prettier-ignore
    { name: 'a snapshot that is none', change: (root: TestRoot) => put(root, layout.replaySnapshot, '{}'), code: 'canonical_invalid' }, // prettier-ignore
    { name: 'a cycle', change: (root: TestRoot) => put(root, layout.replayDelta, deltaBytes([supersede('b', 'a')])), code: 'canonical_invalid' }, // prettier-ignore
  ])('refuses $name, and drops nothing', async ({ change, code }) => {
    const root = await filled()
    change(root)
    const before = dump(root.path)
    const index = await openIn(root)
    expect(await codeOf(() => index.catchUp())).toBe(code)
    index.close()
    expect(dump(root.path)).toEqual(before)
  })

  test.each([
    { name: 'the graph', change: (root: TestRoot) => rmSync(join(root.path, layout.graph)), isLoss: true },
    { name: 'the snapshot', change: (root: TestRoot) => rmSync(join(root.path, layout.replaySnapshot)), isLoss: true },
    { name: 'the delta', change: (root: TestRoot) => rmSync(join(root.path, layout.replayDelta)), isLoss: true },
    { name: 'nothing', change: () => undefined, isLoss: false },
    { name: 'a line', change: (root: TestRoot) => put(root, layout.graph, graphBytes(GRAPH.slice(1))), isLoss: false },
    { name: 'all words', change: (root: TestRoot) => put(root, layout.graph, ''), isLoss: false },
  ])('a running writer that lost $name begins no file anew', async ({ change, isLoss }) => {
    const root = await filled()
    const index = await openIn(root)
    await index.catchUp()
    change(root)
    const look = expect(() => index.assertAuthorityInPlace())
    if (isLoss) look.toThrow(expect.objectContaining({ code: 'canonical_mismatch' }))
    else look.not.toThrow()
  })

  test('an empty file that is gone is no loss', async () => {
    const root = await newRoot()
    root.write(DAY, MEMORIES)
    put(root, layout.graph, '')
    await buildBujo(root)
    rmSync(join(root.path, layout.graph))
    const index = await openIn(root)
    expect(() => index.assertAuthorityInPlace()).not.toThrow()
    await index.catchUp()
    expect(index.isStale()).toBe(false)
  })
})

describe('an end that a commit plan covers', () => {
  const cover: AuthorityCover = { graph: graphBytes(GRAPH).length, replayDelta: deltaBytes(REPLAY.slice(1)).length }
  const added = { graph: [entity('person:bob', 'Bob')], replay: [thread('b', 'c')] }
  const whole = {
    graph: graphBytes([...GRAPH, ...added.graph]),
    delta: deltaBytes([...REPLAY.slice(1), ...added.replay]),
  }

  test.each([0, 1, 20, whole.graph.length])(
    'does not count, and is recorded when the plan was carried out: cut at %i',
    async (cut) => {
      const root = await filled()
      put(root, layout.graph, whole.graph.subarray(0, (cover.graph ?? 0) + cut))
      put(root, layout.replayDelta, whole.delta.subarray(0, (cover.replayDelta ?? 0) + cut))
      const index = await openIn(root, cover)
      await index.catchUp()
      expect(index.stats()).toMatchObject({ entities: 2, threads: 1 })
      // The plan is carried out: cut back, appended again.
      put(root, layout.graph, graphBytes(GRAPH))
      put(root, layout.replayDelta, deltaBytes(REPLAY.slice(1)))
      index.record([], append(root, added.graph, added.replay))
      expect(index.stats()).toMatchObject({ entities: 3, threads: 2 })
      index.close()
      const followed = dump(root.path)
      await buildBujo(root)
      expect(followed).toEqual(dump(root.path))
    },
  )

  test('ends with the plan: what a person adds after it was carried out counts', async () => {
    const root = await filled()
    const index = await openIn(root, cover)
    await index.catchUp()
    index.record([], append(root, added.graph, added.replay))
    put(root, layout.graph, graphBytes([...GRAPH, ...added.graph, entity('person:eve', 'Eve')]))
    await index.catchUp()
    expect(index.stats()).toMatchObject({ entities: 4, threads: 2 })
  })

  test('counts when the plan is gone', async () => {
    const root = await filled()
    put(root, layout.graph, whole.graph)
    const covered = await openIn(root, cover)
    await covered.catchUp()
    covered.close()
    const index = await openIn(root)
    await index.catchUp()
    expect(index.stats().entities).toBe(3)
  })

  test('counts where the index holds it already: the plan was all but retired', async () => {
    const root = await filled()
    put(root, layout.graph, whole.graph)
    put(root, layout.replayDelta, whole.delta)
    await buildBujo(root)
    const index = await openIn(root, cover)
    await index.catchUp()
    expect(index.stats()).toMatchObject({ entities: 3, threads: 2 })
  })

  test('does not count in a build', async () => {
    const root = await filled()
    put(root, layout.graph, whole.graph.subarray(0, -3))
    const options = { root: root.path, fs: root.fs, lease: root.lease, identity: BUJO, now: Date.now }
    expect(await codeOf(() => buildIndex(options))).toBe('canonical_invalid')
    await buildIndex({ ...options, authorityCover: cover })
    expect((await openIn(root, cover)).stats().entities).toBe(2)
  })
})

describe('lite and journal', () => {
  test.each([
    ['lite', LITE],
    ['journal', JOURNAL],
  ] as const)('%s leaves the files alone, and refuses an index that holds anything of them', async (_, identity) => {
    const root = await filled()
    await (identity === LITE ? buildIndex({ root: root.path, fs: root.fs, lease: root.lease, identity, now: Date.now }) : build(root)) // prettier-ignore
    const index = await root.open(identity)
    await index.catchUp()
    expect(index.stats()).toMatchObject({ entities: 0, relations: 0, associations: 0, threads: 0, superseded: 0 })
    put(root, layout.graph, 'no graph')
    expect(index.isStale()).toBe(false)
    expect(index.search({ query: 'tea', limit: 1 })[0]).not.toHaveProperty('currentness')
    index.close()
    inDatabase(root, `insert into supersessions values ('a', 'b', 'x', 'capture', 'x')`)
    expect(await codeOf(() => root.open(identity))).toBe('lifecycle_unexpected')
    expect(await codeOf(() => openIndexReader({ root: root.path, fs: root.fs, identity, now: Date.now }))).toBe(
      'lifecycle_unexpected',
    )
  })
})

describe('validation of a bujo index finds', () => {
  test.each([
    [`update entities set name = 'Bob' where id = 'person:ana'`, 'canonical_mismatch'],
    [`delete from entities where id = 'person:ana'`, 'canonical_mismatch'],
    [`update entities set name_key = '' where id = 'person:ana'`, 'canonical_mismatch'],
    [`delete from entity_memories where entity_id = 'person:ana'`, 'canonical_mismatch'],
    [`update entity_memories set recorded_at = 'x'`, 'canonical_mismatch'],
    [`insert into entity_memories values ('person:ana', 99, 'x', 'x')`, 'canonical_mismatch'],
    [`insert into memory_labels values (1, 'fact', '', 'person:ana', 1, 'x', 'a')`, 'canonical_mismatch'],
    [`update relations set created_at = 'x'`, 'canonical_mismatch'],
    [
      `insert into relation_support select src, relation, dst, valid_from, valid_to, 'c' from relations`,
      'canonical_mismatch',
    ],
    [`update associations set provenance = 'document'`, 'canonical_mismatch'],
    [`update thread_edges set weight = 0.6`, 'canonical_mismatch'],
    [`update supersessions set by_id = 'c'`, 'canonical_mismatch'],
    [`delete from terminals`, 'canonical_mismatch'],
    [`update authority_files set digest = 'x'`, 'source_changed'],
    [
      `insert into authority_files select 'gone', dev, ino, size, mtime_ns, ctime_ns, digest, 0 from authority_files limit 1`,
      'source_changed',
    ],
  ])('%s', async (sql, code) => {
    const root = await filled()
    const db = new Database(databaseOf(root.path))
    const place = { root: root.path, fs: root.fs }
    const validate = () => validateDatabase(db, { ...place, yieldTurn: () => Promise.resolve(), place })
    try {
      await expect(validate()).resolves.toBeUndefined()
      db.exec(sql)
      await expect(validate()).rejects.toMatchObject({ code })
    } finally {
      db.close()
    }
  })

  test('graph and lifecycle in an index of another tier', async () => {
    const root = await filled()
    const db = new Database(databaseOf(root.path))
    const validate = validateDatabase(db, { root: root.path, fs: root.fs, yieldTurn: () => Promise.resolve() })
    await expect(validate).rejects.toMatchObject({ code: 'canonical_mismatch' })
    db.close()
  })
})

test('a superseded memory stays findable as history', async () => {
  const root = await filled()
  const index = await openIn(root)
  await index.catchUp()
  const currentness = (hits: ReturnType<SearchIndex['search']>) => new Map(hits.map((hit) => [hit.id, hit.currentness]))
  const expected = new Map([['a', 'superseded'], ['b', 'current'], ['c', 'current']]) // prettier-ignore
  expect(currentness(index.search({ query: 'tea', limit: 10 }))).toEqual(expected)
  const hybrid = index.search({ query: 'tea', limit: 10, vector: hashVector('tea') })
  expect(currentness(hybrid)).toEqual(expected)
  expect(idsOf(hybrid)).toContain('a')
})
