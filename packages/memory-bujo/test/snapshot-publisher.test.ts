import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { layout } from '@mono-agent/memory-store'
import { SNAPSHOT_INTERVAL_MS, SNAPSHOT_MIN_GAP_MS, type RuntimeSnapshot } from '../src/runtime-snapshot.js'
import { createSnapshotPublisher } from '../src/snapshot-publisher.js'
import { faultyFileSystem } from '../../../test/support/faulty-file-system.js'
import { holdRoot } from '../../../test/support/held-root.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

async function makePublisher() {
  const { root, lease } = await holdRoot()
  const faulty = faultyFileSystem()
  faulty.fs.makeDirectory(join(root, layout.index))
  let taken = 0
  const take = () => ({ epoch: (taken += 1) }) as RuntimeSnapshot
  const publisher = createSnapshotPublisher({ root, fs: faulty.fs, lease, take })
  const published = () => (JSON.parse(readFileSync(join(root, layout.runtime), 'utf8')) as { epoch: number }).epoch
  return { publisher, published, faulty, taken: () => taken }
}

test('the first change is published at once, a burst makes one more after the gap', async () => {
  const { publisher, published } = await makePublisher()
  publisher.changed()
  expect(published()).toBe(1)
  for (let n = 0; n < 100; n += 1) publisher.changed()
  vi.advanceTimersByTime(SNAPSHOT_MIN_GAP_MS - 1)
  expect(published()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(published()).toBe(2)
  vi.advanceTimersByTime(SNAPSHOT_MIN_GAP_MS)
  expect(published()).toBe(2)
  publisher.stop()
})

test('a second of changes every millisecond is published at most five times: at its start and four times a second', async () => {
  const { publisher, taken } = await makePublisher()
  for (let ms = 0; ms < 1_000; ms += 1) {
    publisher.changed()
    vi.advanceTimersByTime(1)
  }
  expect(taken()).toBeLessThanOrEqual(5)
  publisher.stop()
})

test('without changes it is published at least every 30 seconds', async () => {
  const { publisher, taken } = await makePublisher()
  vi.advanceTimersByTime(SNAPSHOT_INTERVAL_MS - 1)
  expect(taken()).toBe(0)
  vi.advanceTimersByTime(1)
  expect(taken()).toBe(1)
  publisher.stop()
})

test('stop writes the last state and nothing after it', async () => {
  const { publisher, published, taken } = await makePublisher()
  publisher.changed()
  publisher.stop()
  expect(published()).toBe(2)
  publisher.changed()
  vi.advanceTimersByTime(SNAPSHOT_INTERVAL_MS * 2)
  expect(taken()).toBe(2)
})

test('a disk that refuses is counted and tried again with the next change; it is never flushed', async () => {
  const { publisher, published, faulty } = await makePublisher()
  faulty.inject({ operation: 'file.write', errno: 'ENOSPC' })
  publisher.changed()
  expect(publisher.failures()).toBe(1)
  publisher.changed()
  vi.advanceTimersByTime(SNAPSHOT_MIN_GAP_MS)
  expect(published()).toBe(2)
  publisher.stop()
  expect(faulty.calls.filter(({ operation }) => /sync/i.test(operation))).toEqual([])
})
