import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import type { Catalog } from '../../src/format/catalog.js'
import { emptyCatalog } from '../../src/format/catalog.js'
import { backoffMs, correctedDueAt, MAX_BACKOFF_MS, nextAttemptAt } from '../../src/policy/backoff.js'
import {
  planRoot,
  planSegments,
  planShard,
  type Found,
  type FoundRoot,
  type FoundSegment,
} from '../../src/policy/recovery-plan.js'
import { balance, planPruning } from '../../src/policy/retention.js'
import type { SchemaMarker } from '../../src/format/schema-marker.js'

const STORE = 'ab'.repeat(32)
const OTHER = 'cd'.repeat(32)

describe('backoff (INT-8)', () => {
  test.each([
    [1, 60_000],
    [2, 120_000],
    [9, 256 * 60_000],
    [10, MAX_BACKOFF_MS],
    [15, MAX_BACKOFF_MS],
  ])('after %i failures', (failures, wait) => {
    expect(backoffMs(failures)).toBe(wait)
    expect(nextAttemptAt(failures, 1_000)).toBe(1_000 + wait)
  })
  test('after 16 it is dead', () => expect(nextAttemptAt(16, 0)).toBe('dead'))
  test.each([0, 17, 1.5, NaN, -1])('%d failures are a bug', (failures) => {
    expect(() => nextAttemptAt(failures, 0)).toThrow(RangeError)
  })
  test('never further off than its own backoff, never later than written (INT-13)', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 15 }), fc.integer(), (dueAt, failures, now) => {
        const corrected = correctedDueAt(dueAt, failures, now)
        expect(corrected).toBeLessThanOrEqual(dueAt)
        expect(corrected).toBeLessThanOrEqual(now + backoffMs(failures))
        expect(correctedDueAt(corrected, failures, now)).toBe(corrected)
      }),
    )
  })
})

describe('a root: new, a store, or neither (INT-6)', () => {
  const catalog: Found<Catalog> = { kind: 'valid', value: emptyCatalog(STORE) }
  const marker: Found<SchemaMarker> = { kind: 'valid', value: { store: STORE, format: 1, tombstoneKey: STORE } }
  const foreign: Found<SchemaMarker> = { kind: 'valid', value: { store: OTHER, format: 1, tombstoneKey: STORE } }
  const missing = { kind: 'missing' } as const
  const invalid = { kind: 'invalid' } as const
  const nothing = { hasShards: false, hasRecords: false, hasFrames: false }
  test.each<{ name: string; found: FoundRoot; kind: string; makeMarker?: boolean }>([
    { name: 'nothing', found: { marker: missing, catalog: missing, ...nothing }, kind: 'make' },
    { name: 'a torn catalog and nothing else', found: { marker: missing, catalog: invalid, ...nothing }, kind: 'make' },
    { name: 'catalog, no marker', found: { marker: missing, catalog, ...nothing }, kind: 'open', makeMarker: true },
    { name: 'both', found: { marker, catalog, ...nothing }, kind: 'open', makeMarker: false },
    { name: 'marker only', found: { marker, catalog: missing, ...nothing }, kind: 'refuse' },
    { name: 'marker, torn catalog', found: { marker, catalog: invalid, ...nothing }, kind: 'refuse' },
    { name: 'shards only', found: { marker: missing, catalog: missing, ...nothing, hasShards: true }, kind: 'refuse' },
    {
      name: 'records only',
      found: { marker: missing, catalog: missing, ...nothing, hasRecords: true },
      kind: 'refuse',
    },
    { name: 'frames only', found: { marker: missing, catalog: missing, ...nothing, hasFrames: true }, kind: 'refuse' },
    { name: 'a torn marker', found: { marker: invalid, catalog, ...nothing }, kind: 'refuse' },
    { name: 'two stores', found: { marker: foreign, catalog, ...nothing }, kind: 'refuse' },
  ])('$name: $kind', ({ found, kind, makeMarker }) => {
    const plan = planRoot(found)
    expect(plan.kind).toBe(kind)
    if (plan.kind === 'open') expect(plan.makeMarker).toBe(makeMarker)
  })
})

test.each([
  { name: 'none, none', length: undefined, size: undefined, kind: 'absent' },
  { name: 'none, empty', length: undefined, size: 0, kind: 'absent' },
  { name: 'none, some bytes', length: undefined, size: 1, kind: 'cut' },
  { name: 'as long as its mark', length: 258, size: 258, kind: 'verify', cut: false },
  { name: 'longer', length: 258, size: 259, kind: 'verify', cut: true },
  { name: 'shorter', length: 258, size: 257, kind: 'refuse' },
  { name: 'missing', length: 258, size: undefined, kind: 'refuse' },
])('shard, mark and file: $name: $kind', ({ length, size, kind, cut }) => {
  const plan = planShard(length === undefined ? undefined : { length, digest: STORE }, size)
  expect(plan.kind).toBe(kind)
  if (plan.kind === 'verify') expect(plan.cut).toBe(cut)
})

describe('segments behind `through` = 4', () => {
  const whole = (number: number): FoundSegment => ({ number, store: STORE, isDamaged: false })
  const headless = (number: number): FoundSegment => ({ number, store: undefined, isDamaged: false })
  test.each<{ name: string; found: FoundSegment[]; fold: number[] | undefined }>([
    { name: 'the next one', found: [whole(5)], fold: [5] },
    {
      name: 'several, in any order, and old ones',
      found: [whole(6), headless(3), whole(5), whole(7)],
      fold: [5, 6, 7],
    },
    { name: 'a headless last one', found: [whole(5), headless(6)], fold: [5] },
    { name: 'none', found: [], fold: undefined },
    { name: 'old ones only', found: [whole(4)], fold: undefined },
    { name: 'a gap at the start', found: [whole(6)], fold: undefined },
    { name: 'a gap in the middle', found: [whole(5), whole(7)], fold: undefined },
    { name: 'a headless only one', found: [headless(5)], fold: undefined },
    { name: 'a headless one in the middle', found: [whole(5), headless(6), whole(7)], fold: undefined },
    { name: 'a damaged one', found: [{ ...whole(5), isDamaged: true }], fold: undefined },
    { name: 'a damaged headless last one', found: [whole(5), { ...headless(6), isDamaged: true }], fold: undefined },
    { name: 'one of another store', found: [whole(5), { ...whole(6), store: OTHER }], fold: undefined },
  ])('$name', ({ found, fold }) => {
    const plan = planSegments({ store: STORE, through: 4 }, found)
    expect(plan.kind === 'fold' ? plan.fold : undefined).toEqual(fold)
  })
})

describe('retention (INT-3, INT-7)', () => {
  const receipts = [5, 1, 9, 3].map((order) => ({ id: `id-${order}`, order }))
  test.each([
    [5, []],
    [4, []],
    [3, [1]],
    [1, [1, 3, 5]],
    [0, [1, 3, 5, 9]],
  ])('of four receipts %i stay', (keep, gone) => {
    expect(planPruning(receipts, keep).map(({ order }) => order)).toEqual(gone)
  })
  test.each([
    { account: { entries: 10, pending: 1, dead: 2, resolved: 3, pruned: 4 }, unaccounted: 0, resurrected: 0 },
    { account: { entries: 11, pending: 1, dead: 2, resolved: 3, pruned: 4 }, unaccounted: 1, resurrected: 0 },
    { account: { entries: 8, pending: 1, dead: 2, resolved: 3, pruned: 4 }, unaccounted: 0, resurrected: 2 },
  ])('$account', ({ account, ...expected }) => expect(balance(account)).toEqual(expected))
})
