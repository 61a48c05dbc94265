import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faultyFileSystem } from '../../../test/support/faulty-file-system.js'
import { makeTemporaryRoot } from '../../../test/support/temporary-root.js'
import type { BuiltInMemoryStore } from '../src/index.js'
import { openStore, turn } from './support/open-store.js'

/** Large in the log, small in Markdown. */
const large = (n: number) => turn(`run-${n}`, `Sentence ${n}.`, { captureText: 'x'.repeat(620_000) })
const MAX_RECEIPTS = 4_096
const AT_ONCE = 256

describe('flush and the overdue checkpoint (16 MiB of log)', () => {
  const segments = (root: string): number => readdirSync(join(root, '.capture-intake', 'log')).length

  test('below it flush asks for no checkpoint, above it flush waits for one', { timeout: 60_000 }, async () => {
    const root = makeTemporaryRoot()
    const faulty = faultyFileSystem()
    const store = await openStore(root, { fs: faulty.fs })
    faulty.inject({ operation: 'rename', path: /catalog/, errno: 'EIO', times: Infinity })
    for (let n = 0; n < 20; n += 1) await store.persistCompletedTurn(large(n))
    expect(await store.flush()).toEqual({ pending: 0, dead: 0 }) // 12 MiB
    for (let n = 20; n < 30; n += 1) await store.persistCompletedTurn(large(n))
    await expect(store.flush()).rejects.toMatchObject({ code: 'storage_failed' }) // 18 MiB
    expect(segments(root)).toBeGreaterThan(1)
    faulty.clear()
    expect(await store.flush()).toEqual({ pending: 0, dead: 0 })
    expect(segments(root)).toBe(1)
    await store.close()
  })
})

async function settle(store: BuiltInMemoryStore, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += AT_ONCE) {
    const length = Math.min(AT_ONCE, to - start)
    await Promise.all(Array.from({ length }, (_, n) => store.persistCompletedTurn(turnOf(start + n))))
  }
  expect(await store.flush()).toEqual({ pending: 0, dead: 0 })
}

const turnOf = (n: number) =>
  turn(`run-${n}`, `Sentence ${n}.`, { occurredAt: `2026-04-${String(1 + (n % 28)).padStart(2, '0')}T10:00:00Z` })

test('4,095 and 4,096 receipts are kept; of 4,097 the oldest is pruned', { timeout: 120_000 }, async () => {
  const root = makeTemporaryRoot()
  let store = await openStore(root)
  const reopen = async (): Promise<void> => {
    await store.close() // the checkpoint that writes and prunes receipts
    store = await openStore(root)
  }
  await settle(store, 0, MAX_RECEIPTS - 1)
  await reopen()
  expect(store.snapshot().intake).toMatchObject({ resolved: MAX_RECEIPTS - 1, pruned: 0 })
  await settle(store, MAX_RECEIPTS - 1, MAX_RECEIPTS)
  await reopen()
  expect(store.snapshot().intake).toMatchObject({ resolved: MAX_RECEIPTS, pruned: 0 })
  expect(await store.turnStatus('run-0')).toMatchObject({ state: 'indexed' })
  await settle(store, MAX_RECEIPTS, MAX_RECEIPTS + 1)
  await reopen()
  expect(store.snapshot().intake).toMatchObject({ resolved: MAX_RECEIPTS, pruned: 1, unaccounted: 0 })
  expect(readdirSync(join(root, '.capture-intake', 'resolved'))).toHaveLength(MAX_RECEIPTS)
  expect(await store.turnStatus('run-0')).toEqual({ state: 'settled' })
  expect(await store.turnStatus('run-1')).toMatchObject({ state: 'indexed' })
  expect(await store.persistCompletedTurn(turnOf(0))).toMatchObject({ status: 'duplicate' })
  await store.close()
})
