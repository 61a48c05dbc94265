import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatRecord, parseRecord } from '../../src/format/admission-record.js'
import { canonicalTurn, payloadHash, turnId } from '../../src/format/canonical-turn.js'
import { countEntries, emptyCatalog, formatCatalog, MAX_CATALOG_BYTES, parseCatalog } from '../../src/format/catalog.js'
import type { DeadState, PendingState, ResolvedState } from '../../src/format/item-state.js'
import {
  formatLedgerEntry,
  LEDGER_ENTRY_BYTES,
  parseLedgerEntry,
  shardName,
  shardOf,
} from '../../src/format/ledger-entry.js'
import { formatReceipt, parseReceipt } from '../../src/format/receipt.js'
import { formatMarker, parseMarker } from '../../src/format/schema-marker.js'
import { sealJson, unsealJson } from '../../src/format/sealed-json.js'

const golden = (name: string): Buffer => readFileSync(new URL(`../golden/${name}`, import.meta.url))

const TURN = canonicalTurn({ runId: 'r1', conversationId: 'web:1', summary: 'Ana likes tea.' })
const BASE = {
  id: turnId('r1'),
  order: 7,
  admittedAt: '2026-05-01T09:00:00.000Z',
  payloadHash: payloadHash(TURN),
  revision: 3,
  attempts: 2,
  changedAt: '2026-05-01T09:05:00.000Z',
}
const PENDING: PendingState = {
  ...BASE,
  state: 'pending',
  nextAttemptAt: '2026-05-01T09:07:00.000Z',
  failure: 'provider',
}
const DEAD: DeadState = { ...BASE, attempts: 16, state: 'dead', failure: 'model_output' }
const DONE: ResolvedState = { ...BASE, state: 'resolved', outcome: 'indexed', memoryIds: ['r-1', 'r-2'] }
const GIVEN_UP: ResolvedState = {
  ...BASE,
  state: 'resolved',
  outcome: 'operator_resolved',
  memoryIds: [],
  reason: 'gave-up',
}
const STORE = 'ab'.repeat(32)
const CATALOG = {
  store: STORE,
  order: 9,
  through: 4,
  pruned: 1,
  shards: emptyCatalog(STORE).shards.map((_, shard) =>
    shard === 3 ? { length: 258, digest: 'cd'.repeat(32) } : undefined,
  ),
}
const MARKER = { store: STORE, format: 1, tombstoneKey: 'ef'.repeat(32) }

const FILES = [
  {
    name: 'record.pending.json',
    bytes: formatRecord({ state: PENDING, turn: TURN }),
    parse: parseRecord,
    value: { state: PENDING, turn: TURN },
  },
  {
    name: 'record.dead.json',
    bytes: formatRecord({ state: DEAD, turn: TURN }),
    parse: parseRecord,
    value: { state: DEAD, turn: TURN },
  },
  { name: 'receipt.indexed.json', bytes: formatReceipt(DONE), parse: parseReceipt, value: DONE },
  { name: 'receipt.operator.json', bytes: formatReceipt(GIVEN_UP), parse: parseReceipt, value: GIVEN_UP },
  { name: 'catalog.json', bytes: formatCatalog(CATALOG), parse: parseCatalog, value: CATALOG },
  { name: 'schema-marker.json', bytes: formatMarker(MARKER), parse: parseMarker, value: MARKER },
] as const

describe.each(FILES)('$name', ({ name, bytes, parse, value }) => {
  test('is written as ever, and read as ever', () => {
    expect(Buffer.from(bytes).toString('utf8')).toBe(golden(name).toString('utf8'))
    expect(parse(golden(name))).toEqual(value)
  })

  test('is JSON of one line for whoever opens it', () => {
    expect(Buffer.from(bytes).toString('utf8').match(/\n/g)).toHaveLength(1)
    expect(JSON.parse(Buffer.from(bytes).toString('utf8'))).toHaveProperty('checksum')
  })

  test('is refused with any byte changed, cut anywhere, or longer', () => {
    const whole = golden(name)
    for (let at = 0; at < whole.length; at += at < 200 ? 1 : 37) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(parse(changed), `byte ${at}`).toBeUndefined()
      expect(parse(whole.subarray(0, at)), `cut at ${at}`).toBeUndefined()
    }
    expect(parse(Buffer.concat([whole, Buffer.from('\n')]))).toBeUndefined()
    expect(parse(new Uint8Array())).toBeUndefined()
    expect(parse(new Uint8Array(300))).toBeUndefined()
  })
})

test.each([
  {
    name: 'an unknown key',
    value: { ...BASE, state: 'dead', failure: 'provider', recipe: 1, turn: JSON.parse(TURN), more: 1 },
  },
  { name: 'another recipe', value: { ...BASE, state: 'dead', failure: 'provider', recipe: 2, turn: JSON.parse(TURN) } },
  { name: 'a payload of another hash', value: { ...BASE, state: 'dead', failure: 'provider', recipe: 1, turn: {} } },
  { name: 'no failure of a dead one', value: { ...BASE, state: 'dead', recipe: 1, turn: JSON.parse(TURN) } },
  { name: 'revision 0', value: { ...BASE, revision: 0, state: 'pending', recipe: 1, turn: JSON.parse(TURN) } },
  {
    name: 'an instant without milliseconds',
    value: { ...BASE, changedAt: '2026-05-01T09:05:00Z', state: 'pending', recipe: 1, turn: JSON.parse(TURN) },
  },
])('a sealed record with $name is refused', ({ value }) => {
  expect(parseRecord(sealJson(value))).toBeUndefined()
})

test('sealed JSON reads back as it was', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1, unit: 'binary' }), fc.jsonValue(), { minKeys: 1 }), (value) => {
      fc.pre(!('checksum' in value) && !('__proto__' in value))
      const plain = JSON.parse(JSON.stringify(value)) as object
      expect(unsealJson(sealJson(plain))).toEqual(plain)
    }),
  )
})

describe('catalog bounds (INT-5)', () => {
  test('the largest is below 32 KiB', () => {
    const mark = { length: 129 * Math.floor(Number.MAX_SAFE_INTEGER / 129), digest: 'f'.repeat(64) }
    const largest = formatCatalog({
      store: STORE,
      order: Number.MAX_SAFE_INTEGER,
      through: Number.MAX_SAFE_INTEGER,
      pruned: Number.MAX_SAFE_INTEGER,
      shards: Array.from({ length: 256 }, () => mark),
    })
    expect(largest.length).toBeLessThan(MAX_CATALOG_BYTES)
    expect(parseCatalog(largest)?.shards[255]).toEqual(mark)
  })

  test.each([
    { name: '255 slots', change: { shards: CATALOG.shards.slice(1).map(() => null) } },
    {
      name: 'a length that is no number of entries',
      change: { shards: CATALOG.shards.map(() => [128, 'cd'.repeat(32)]) },
    },
    { name: 'a shard of length 0', change: { shards: CATALOG.shards.map(() => [0, 'cd'.repeat(32)]) } },
    { name: 'a negative count', change: { pruned: -1 } },
  ])('$name is refused', ({ change }) => {
    expect(parseCatalog(sealJson({ ...CATALOG, shards: CATALOG.shards.map(() => null), ...change }))).toBeUndefined()
  })

  test('entries are counted from the lengths', () => expect(countEntries(CATALOG.shards)).toBe(2))
})

describe('ledger entry (INT-4)', () => {
  const entry = { id: turnId('a'), payloadHash: turnId('b') }
  test('129 bytes, and back', () => {
    const text = formatLedgerEntry(entry)
    expect(Buffer.byteLength(text)).toBe(LEDGER_ENTRY_BYTES)
    expect(text).toBe(`${entry.id}${entry.payloadHash}\n`)
    expect(parseLedgerEntry(Buffer.from(text))).toEqual(entry)
  })
  test.each([
    ['upper case', formatLedgerEntry(entry).toUpperCase()],
    ['a space', formatLedgerEntry(entry).replace(/^./, ' ')],
    ['128 bytes', formatLedgerEntry(entry).slice(1)],
    ['no line feed', `${formatLedgerEntry(entry).slice(0, -1)} `],
  ])('%s is no entry', (_, text) => expect(parseLedgerEntry(Buffer.from(text))).toBeUndefined())
  test.each([
    ['00', 0],
    ['0f', 15],
    ['ff', 255],
  ])('the id %s… is in shard %i', (name, shard) => {
    expect(shardOf(name.padEnd(64, '1'))).toBe(shard)
    expect(shardName(shard)).toBe(name)
  })
})
