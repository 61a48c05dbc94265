import { describe, expect, test } from 'vitest'
import { SearchError } from '@mono-agent/memory-search'
import { StoreError } from '@mono-agent/memory-store'
import { classifyFailure, failureCode, localWaitMs } from '../src/projection/failure.js'
import { readRuntimeSnapshot, SNAPSHOT_STALE_MS, type RuntimeSnapshot } from '../src/runtime-snapshot.js'

describe('what a failed projection means', () => {
  test.each([
    [new StoreError('lease_lost', 'x'), 'stop'],
    [new StoreError('store_closed', 'x'), 'stop'],
    [new StoreError('storage_failed', 'x'), 'local'],
    [new StoreError('file_busy', 'x'), 'local'],
    [new SearchError('index_busy', 'x'), 'local'],
    [new SearchError('canonical_mismatch', 'x'), 'local'],
    [Object.assign(new Error('x'), { code: 'ENOSPC', syscall: 'write' }), 'local'],
    [new StoreError('sentence_invalid', 'x'), 'turn'],
    [new TypeError('x'), 'turn'],
  ])('%s', (error, expected) => {
    expect(classifyFailure(error)).toBe(expected)
  })

  test('an unexpected error has a code without its message', () => {
    expect(failureCode(new TypeError('secret'))).toBe('unexpected')
  })

  test.each([
    [1, 1_000],
    [2, 2_000],
    [6, 32_000],
    [7, 60_000],
    [500, 60_000],
  ])('after %i local failures in a row it waits %i ms', (failures, ms) => {
    expect(localWaitMs(failures)).toBe(ms)
  })
})

describe('what runtime.json says (OPS-6)', () => {
  const published = Date.parse('2026-05-01T09:00:00.000Z')
  const snapshot: RuntimeSnapshot = {
    schemaVersion: 1,
    mode: 'lite',
    state: 'open',
    pid: 42,
    epoch: 3,
    openedAt: '2026-05-01T08:00:00.000Z',
    publishedAt: '2026-05-01T09:00:00.000Z',
    intake: {
      pending: 1,
      dead: 0,
      resolved: 2,
      due: 1,
      inTransition: 0,
      pruned: 0,
      unaccounted: 0,
      fill: 0.01,
      isFilling: false,
    },
    projection: { batches: 1, turns: 2, highWater: 2, failures: 0, draining: false },
    discards: { credentials: 0 },
    vectors: { waiting: 0, written: 0, failures: 0, refused: 0 },
    failures: { listeners: 0, checkpoints: 0, snapshots: 0 },
    calls: { embedding: 0, chat: 0 },
  }
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  const alive = (pid: number) => pid === 42

  test.each([
    ['fresh', bytes(snapshot), published + 1, { snapshot }],
    ['just not stale', bytes(snapshot), published + SNAPSHOT_STALE_MS, { snapshot }],
    ['a millisecond too old', bytes(snapshot), published + SNAPSHOT_STALE_MS + 1, { fault: 'stale' }],
    ['of a process that is gone', bytes({ ...snapshot, pid: 43 }), published, { fault: 'stale' }],
    ['closed', bytes({ ...snapshot, state: 'closed' }), published, { fault: 'stale' }],
    ['missing', undefined, published, { fault: 'missing' }],
    ['empty after a power loss', new Uint8Array(), published, { fault: 'invalid' }],
    ['torn', bytes(snapshot).slice(0, 40), published, { fault: 'invalid' }],
    ['zeroes', new Uint8Array(200), published, { fault: 'invalid' }],
    ['with a field too many', bytes({ ...snapshot, text: 'x' }), published, { fault: 'invalid' }],
  ])('%s', (_name, file, now, expected) => {
    expect(readRuntimeSnapshot(file, now, alive)).toEqual(expected)
  })
})
