import { existsSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openIndexReader, type IndexReader } from '../../src/index.js'
import type { RankAnswer, ThreadData } from '../../src/aside/messages.js'
import { bullet, makeRoot, type TestRoot } from '../support/roots.js'
import { build, hashVector, JOURNAL } from '../support/vectors.js'
import { FakeWorker, rankingOf } from './fake-worker.js'

const started = vi.hoisted((): { worker: FakeWorker; data: ThreadData }[] => [])

vi.mock('node:worker_threads', () => ({
  Worker: function Worker(_entry: URL, { workerData: data }: { workerData: ThreadData }) {
    const worker = new FakeWorker()
    started.push({ worker, data })
    return worker
  },
}))

let root: TestRoot
let reader: IndexReader
beforeEach(async () => {
  started.length = 0
  root = await makeRoot()
  root.write('daily/2026-05-01.md', [bullet({ sentence: 'Ana keeps bees.' })])
  await build(root)
  reader = openIndexReader({ root: root.path, fs: root.fs, identity: JOURNAL, now: Date.now, asideFrom: 1 })
})
afterEach(async () => {
  await reader.stopAside()
  reader.close()
  root.free()
})

const request = { query: 'bees', limit: 10, vector: hashVector('Ana keeps bees.') }
const threadOf = (at: number) => started[at] as { worker: FakeWorker; data: ThreadData }
const GONE: RankAnswer = { failure: { name: 'SearchError', code: 'index_failed', message: 'SQLITE_CANTOPEN' } }

test('a thread that finds its generation removed by rebuilds: the new one is asked', async () => {
  const ranking = reader.rankAside(request)
  for (let n = 0; n < 3; n++) await build(root) // two of them may be kept: one to go back to
  expect(existsSync(threadOf(0).data.path)).toBe(false)
  threadOf(0).worker.answer(GONE)
  await vi.waitFor(() => expect(started).toHaveLength(2))
  expect(threadOf(1).data.path).not.toBe(threadOf(0).data.path)
  threadOf(1).worker.answer()
  expect(await ranking).toEqual(rankingOf('bees'))
  expect(threadOf(0).worker.hasEnded).toBe(true)
})

test('what a former generation still ranks is answered; its thread then ends', async () => {
  const former = reader.rankAside(request)
  await build(root)
  const present = reader.rankAside({ ...request, query: 'the bees' })
  expect(started).toHaveLength(2)
  expect(threadOf(0).worker.hasEnded).toBe(false)
  threadOf(0).worker.answer()
  expect(await former).toEqual(rankingOf('bees'))
  expect(threadOf(0).worker.hasEnded).toBe(true)
  threadOf(1).worker.answer()
  expect(await present).toEqual(rankingOf('the bees'))
})

test('a reader that closes ends the threads of former generations as well', async () => {
  const refused = [expect(reader.rankAside(request)).rejects.toMatchObject({ code: 'index_closed' })]
  await build(root)
  refused.push(expect(reader.rankAside(request)).rejects.toMatchObject({ code: 'index_closed' }))
  await reader.stopAside()
  await Promise.all(refused)
  expect(started.map(({ worker }) => worker.hasEnded)).toEqual([true, true])
})

test('a failure of the index that is in use is told', async () => {
  const refused = expect(reader.rankAside(request)).rejects.toMatchObject({ code: 'index_failed' })
  threadOf(0).worker.answer(GONE)
  await refused
  expect(started).toHaveLength(1)
})
