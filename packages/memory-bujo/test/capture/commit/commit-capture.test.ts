import { existsSync, readdirSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contentHash, layout, type ReplayEntry } from '@mono-agent/memory-store'
import { hashVector } from '../../../../memory-search/test/support/vectors.js'
import { countingFileSystem } from '../../../../../test/support/counting-file-system.js'
import { faultyFileSystem } from '../../../../../test/support/faulty-file-system.js'
import { carryOut } from '../../../src/capture/commit/carry-out.js'
import { planCommit } from '../../../src/capture/commit/plan-commit.js'
import type { RetainedPlan } from '../../../src/capture/commit/plan-types.js'
import { add, decided, ground, idOf, indexed, memory, noop, TODAY, TURN_ID, YESTERDAY } from './support/captures.js'
import { makeCommitRoot, type CommitRoot } from './support/commit-root.js'
import { capture, said, seed } from './support/full-capture.js'

const simple = decided([add(memory(0, 'Ana paints boats.', { entities: ['person:owner'] }))])

const retained = (id: string): RetainedPlan => ({
  v: 1,
  stage: 'retained',
  id,
  retainedAt: '2026-05-02T09:00:00.000Z',
  extraction: { memories: [], entities: [], relations: [] },
})

describe('the order of a commit (CAP-19)', () => {
  test('plan, days by date, graph, delta, index, receipt, plan gone; each durable before the next', async () => {
    const root = await makeCommitRoot(seed)
    const told: string[] = []
    const counted = countingFileSystem()
    const opened = await root.open(counted.fs, (name) => void told.push(`${counted.calls.length} ${name}`))
    await opened.recover()
    counted.reset()
    told.length = 0
    await opened.capture(() => capture)
    const flushed = counted.calls.map(({ operation, path }, at) => {
      const name = path
        .slice(root.root.length + 1)
        .replace(TURN_ID, 'turn')
        .replace(/(^|\/)\.([^/]*)\.tmp-\d+-\d+$/, '$1$2')
      return { at, done: `${operation} ${name}` }
    })
    const steps = told.map((line) => ({ at: Number(line.split(' ')[0]) - 0.5, done: line.split(' ')[1] ?? '' }))
    const ofNote = /^(file\.(sync|dataSync)|syncDirectory|rename|remove|record|settle)/
    const seen = [...flushed, ...steps].sort((a, b) => a.at - b.at).map(({ done }) => done)
    expect(seen.filter((done) => ofNote.test(done))).toEqual([
      'file.sync .capture-outbox/turn.json',
      'rename .capture-outbox/turn.json',
      'syncDirectory .capture-outbox',
      'file.sync daily/2026-04-01.md',
      'file.sync daily/2026-05-01.md',
      'file.sync daily/2026-05-02.md',
      'rename daily/2026-04-01.md',
      'rename daily/2026-05-01.md',
      'rename daily/2026-05-02.md',
      'syncDirectory daily',
      'file.dataSync graph.jsonl',
      'file.dataSync .replay-projection-v1.delta.jsonl',
      'record',
      'recorded',
      'settle',
      'settled',
      'remove .capture-outbox/turn.json',
    ])
  })

  test('independent of the size of the store: what is read is what it changes', async () => {
    const bytesRead = async (more: number): Promise<string[]> => {
      const days = Object.fromEntries(Array.from({ length: more }, (_, n) => [`daily/2025-01-${10 + n}.md`, [said]]))
      const root = await makeCommitRoot({ ...seed, days: { ...seed.days, ...days } })
      const counted = countingFileSystem()
      const opened = await root.open(counted.fs)
      await opened.recover()
      counted.reset()
      await opened.capture(() => simple)
      opened.close()
      return counted.calls.map(({ operation }) => operation)
    }
    expect(await bytesRead(20)).toEqual(await bytesRead(0))
  })
})

describe('carried out more than once', () => {
  test('in one process and in the next: the same bytes and rows', async () => {
    const root = await makeCommitRoot(seed)
    const opened = await root.open()
    await opened.recover()
    const { graph, replay } = opened.parts
    const plan = planCommit(simple, { ...ground(), graph: await graph.look(), replay: await replay.look() })
    const first = await carryOut(opened.parts, plan)
    const after = root.state()
    expect(await carryOut(opened.parts, plan)).toEqual(first)
    expect(root.state()).toEqual(after)
    opened.close()
    const next = await root.open()
    await next.recover()
    expect(await carryOut(next.parts, plan)).toEqual(first)
    next.close()
    expect(root.state()).toEqual(after)
  })

  test('each capture builds on the one before', async () => {
    const root = await makeCommitRoot({})
    const opened = await root.open()
    await opened.recover()
    for (const turn of ['1', '2', '3']) {
      const id = turn.repeat(64)
      const one = memory(0, `Sentence ${turn}.`, { entities: ['person:owner'] })
      await opened.capture(() => decided([add(one)], {}, { id }))
    }
    opened.close()
    expect(root.text(layout.graph).match(/"kind":"entity"/g)).toHaveLength(1) // known from the first on
    expect(root.text(layout.graph).match(/"kind":"association"/g)).toHaveLength(3)
    const { kept, rebuilt } = await root.indexes()
    expect(kept).toEqual(rebuilt)
  })
})

describe('a capture that writes nothing', () => {
  test('is settled without a plan; an extraction that was kept for it goes', async () => {
    const root = await makeCommitRoot(seed)
    const counted = countingFileSystem()
    const opened = await root.open(counted.fs)
    await opened.recover()
    await opened.parts.outbox.publish(retained(TURN_ID))
    const before = root.state() as { canonical: object }
    counted.reset()
    const done = await opened.capture(() => decided([noop(memory(0, 'x'), indexed(said))], { dropped: { echo: 2 } }))
    opened.close()
    expect(done).toEqual({ memoryIds: [], dropped: { echo: 2 } })
    expect(root.turns.get(TURN_ID)).toEqual({ id: TURN_ID, memoryIds: [], outcome: 'curated' })
    expect(counted.flushes()).toBe(0)
    expect(root.state()).toMatchObject({ canonical: before.canonical, outbox: [] })
  })
})

test('vectors that are known come with the rows: nothing is embedded twice', async () => {
  const root = await makeCommitRoot(seed)
  const opened = await root.open()
  await opened.recover()
  const text = 'Ana paints boats.'
  await opened.capture(() => simple, [{ contentHash: contentHash(text), vector: hashVector(text) }])
  expect(opened.index.countMissingVectors()).toBe(0)
  expect(opened.index.nearest(hashVector(text), { limit: 1, floor: 0.9 })[0]?.memory.id).toBe(idOf(1))
  opened.close()
})

test('a delta that outgrew its snapshot is folded in, once the plan is gone', async () => {
  const authority = { kind: 'capture', digest: 'a'.repeat(64) } as const
  const delta = Array.from({ length: 400 }, (_, n): ReplayEntry => ({
    kind: 'terminal',
    id: `m-gone-${n}`,
    at: '2026-05-01T09:00:00.000Z',
    authority,
  }))
  const root = await makeCommitRoot({ ...seed, delta })
  expect(statSync(root.at(layout.replayDelta)).size).toBeGreaterThan(64 * 1024)
  const opened = await root.open()
  await opened.recover()
  await opened.capture(() => capture)
  expect(root.text(layout.replayDelta)).toBe('')
  expect(root.text(layout.replaySnapshot)).toContain(`"id":"m-fact"`)
  await opened.capture(() => decided([add(memory(0, 'One more.'))], {}, { id: 'e'.repeat(64) }))
  opened.close()
  const { kept, rebuilt } = await root.indexes()
  expect(kept).toEqual(rebuilt)
})

describe('a disk that fails', () => {
  const outcome = async (
    root: CommitRoot,
    operation: 'file.write' | 'file.sync' | 'file.dataSync' | 'rename',
    path: RegExp,
  ) => {
    const faulty = faultyFileSystem()
    const opened = await root.open(faulty.fs)
    await opened.recover()
    faulty.inject({ operation, path, errno: 'ENOSPC' })
    await opened
      .capture(() => capture)
      .catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'storage_failed' })
      })
    expect(faulty.played()).toBe(1)
    faulty.clear()
    return opened
  }

  test.each([
    { name: 'the plan', operation: 'file.write', path: /outbox/, isPlanned: false },
    { name: 'a day file', operation: 'file.write', path: /daily/, isPlanned: true },
    { name: 'the name of a day file', operation: 'rename', path: /daily/, isPlanned: true },
    { name: 'the graph', operation: 'file.write', path: /graph/, isPlanned: true },
    { name: 'the delta', operation: 'file.write', path: /delta/, isPlanned: true },
  ] as const)('at $name: the same process goes on where it was', async ({ operation, path, isPlanned }) => {
    const untouched = await makeCommitRoot(seed)
    const plain = await untouched.open()
    await plain.recover()
    await plain.capture(() => capture)
    plain.close()
    const root = await makeCommitRoot(seed)
    const opened = await outcome(root, operation, path)
    expect(root.turns.get(TURN_ID)).toBeUndefined()
    expect(readdirSync(root.at(layout.outbox))).toEqual(isPlanned ? [`${TURN_ID}.json`] : [])
    const { carriedOut } = await opened.recover()
    expect(carriedOut !== undefined).toBe(isPlanned)
    if (!isPlanned) await opened.capture(() => capture)
    opened.close()
    expect(root.state()).toEqual(untouched.state())
  })

  test.each([
    { name: 'the graph', path: /graph/ },
    { name: 'the delta', path: /delta/ },
  ])('half way through an append to $name that it does not even cut back: goes on all the same', async ({ path }) => {
    const root = await makeCommitRoot(seed)
    const faulty = faultyFileSystem()
    const opened = await root.open(faulty.fs)
    await opened.recover()
    faulty.inject({ operation: 'file.write', path, errno: 'ENOSPC', takes: 30 })
    faulty.inject({ operation: 'file.truncate', path, errno: 'EIO' })
    await expect(opened.capture(() => capture)).rejects.toMatchObject({ code: 'storage_failed' })
    expect(faulty.played()).toBe(2)
    expect((await opened.goOn()).carriedOut?.memoryIds).toHaveLength(4)
    opened.close()
    const { kept, rebuilt } = await root.indexes()
    expect(kept).toEqual(rebuilt)
  })
})

describe('recovery', () => {
  const open = async (root: CommitRoot) => root.open()

  test('of an empty outbox, and of none at all, does nothing', async () => {
    const opened = await open(await makeCommitRoot(seed))
    expect(await opened.recover()).toEqual({ removed: 0 })
  })

  test('removes the plan of a settled turn without carrying it out', async () => {
    const root = await makeCommitRoot(seed)
    const opened = await open(root)
    await opened.recover()
    await opened.parts.outbox.publish(planCommit(simple, ground()))
    root.turns.set(TURN_ID, { id: TURN_ID, memoryIds: [] })
    expect(await opened.recover()).toEqual({ removed: 1 })
    expect(opened.parts.outbox.list()).toEqual([])
    expect(existsSync(root.at(TODAY))).toBe(false)
  })

  test('leaves what is retained for its turn', async () => {
    const root = await makeCommitRoot(seed)
    root.turns.set('c'.repeat(64), undefined)
    const opened = await open(root)
    await opened.parts.outbox.publish(retained(TURN_ID))
    await opened.parts.outbox.publish(retained('c'.repeat(64)))
    expect(await opened.recover()).toEqual({ removed: 0 })
    expect(opened.parts.outbox.list()).toHaveLength(2)
  })

  test('touches nothing while a plan belongs to no turn', async () => {
    const root = await makeCommitRoot(seed)
    const opened = await open(root)
    await opened.parts.outbox.publish(planCommit(simple, ground()))
    await opened.parts.outbox.publish(retained('d'.repeat(64)))
    await expect(opened.recover()).rejects.toMatchObject({ code: 'outbox_invalid' })
    expect(opened.parts.outbox.list()).toHaveLength(2)
    expect(existsSync(root.at(TODAY))).toBe(false)
  })

  test('a plan without an edge or a graph line leaves both logs alone, whatever became of them', async () => {
    const root = await makeCommitRoot({ days: seed.days ?? {} })
    const opened = await open(root)
    await opened.recover()
    await opened.capture(() => decided([add(memory(0, 'One.'))]))
    expect(existsSync(root.at(layout.graph))).toBe(false)
    expect(existsSync(root.at(layout.replayDelta))).toBe(false)
    expect(root.text(YESTERDAY)).toContain('Morgan likes tea.')
  })
})
