import { contentHash, parseInstant, type Bullet, type MemoryLabel } from '@mono-agent/memory-store'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { SidecarRecord } from '../../src/sidecar/record.js'
import { applyChanges } from '../../src/sqlite/apply-changes.js'
import { changedRows, lastChange } from '../../src/sqlite/change-log.js'
import { connectMemory, type Connection } from '../../src/sqlite/connection.js'
import { rowBefore } from '../../src/sqlite/context-columns.js'
import { compareFile } from '../../src/sqlite/file-changes.js'
import { marksOfFile } from '../../src/sqlite/memory-rows.js'
import { COLUMN_WEIGHTS, migrate } from '../../src/sqlite/schema.js'
import { recordOf, recordsAfter } from '../../src/sqlite/sidecar-records.js'
import { storedVectors } from '../../src/candidates/stored-cosines.js'
import { missingVectors, writeVectors } from '../../src/sqlite/vector-rows.js'
import { bullet } from '../support/roots.js'
import { indexedWords } from '../support/indexed-words.js'
import { hashVector } from '../support/vectors.js'

const DIMENSION = 8
const FILES = ['daily/2026-05-01.md', 'daily/2026-05-02.md', 'daily/2026-05-03.md']
const INSTANTS = ['2026-05-01T09:00:00.000Z', '2026-05-01T09:00:00.001Z', '2026-05-02T09:00:00.000Z']
const LABELS: readonly MemoryLabel[] = [
  { kind: 'preference', scope: 'agent', attribution: 'user-stated' },
  { kind: 'preference', scope: 'user:ana', attribution: 'user-stated' },
  { kind: 'lesson', scope: 'agent', verified: true },
  { kind: 'fact', entityId: 'person:ana', key: 'full_name', value: { type: 'text', text: 'Ana' }, attribution: 'user-stated' },
] // prettier-ignore

const open: Connection[] = []
afterEach(() => {
  for (const db of open.splice(0)) db.close()
})

function newDatabase(dimension: number | undefined): Connection {
  const db = connectMemory()
  open.push(db)
  migrate(db)
  if (dimension !== undefined) db.exec(`insert into index_identity values ('dimension', '${dimension}')`)
  return db
}

/** Brings the rows to what the files say, all files in one transaction, as a catch-up does. */
const follow = (db: Connection, files: readonly (readonly Bullet[])[]): unknown =>
  db.transaction(() =>
    applyChanges(
      db,
      FILES.map((file, at) => compareFile(file, marksOfFile(db, file), files[at] ?? [])),
    ),
  )()

function embed(db: Connection, limit: number): void {
  const vectors = missingVectors(db, 0, limit).map(({ contentHash: hash, text }) => {
    expect(hash).toBe(contentHash(text))
    return { contentHash: hash, vector: hashVector(text, DIMENSION) }
  })
  db.transaction(() => writeVectors(db, vectors))()
}

/** Piece by piece, through FTS5 and from the labels as they were written. */
function modelOf(db: Connection): Map<number, SidecarRecord> {
  const before = rowBefore(db)
  const vectorAt = storedVectors(db)
  const rows = db
    .prepare<[], { row: number; created_at: string; labels: string }>(
      'select row, created_at, labels from memories where is_searchable = 1 order by row',
    )
    .all()
  const words = indexedWords(db)
  expect([...words.keys()].sort((a, b) => a - b)).toEqual(rows.map(({ row }) => row))
  const records = rows.map(({ row, created_at: createdAt, labels }): SidecarRecord => {
    const kinds = new Set((JSON.parse(labels) as MemoryLabel[]).map(({ kind }) => kind))
    return {
      row,
      columns: words.get(row) ?? ['', '', '', ''],
      recordedAt: parseInstant(createdAt) ?? NaN,
      kinds: (['preference', 'lesson'] as const).filter((kind) => kinds.has(kind)),
      before: before(row),
      vector: vectorAt(row),
    }
  })
  return new Map(records.map((record) => [record.row, record]))
}

function allRecords(db: Connection, dimension: number | undefined, limit: number): SidecarRecord[] {
  const found: SidecarRecord[] = []
  for (;;) {
    const batch = recordsAfter(db, dimension, found.at(-1)?.row ?? 0, limit)
    if (batch.length === 0) return found
    expect(batch.length).toBeLessThanOrEqual(limit)
    found.push(...batch)
  }
}

/** The same words in a table of FTS5 that keeps its texts, as one writes it without a thought. */
function withTexts(records: ReadonlyMap<number, SidecarRecord>): Connection {
  const db = connectMemory()
  open.push(db)
  db.exec(`create virtual table memory_words using fts5 (body, before1, before2, tags, tokenize = 'ascii')`)
  const insert = db.prepare('insert into memory_words (rowid, body, before1, before2, tags) values (?, ?, ?, ?, ?)')
  for (const { row, columns } of records.values()) insert.run(row, ...columns)
  return db
}

const weighed = (db: Connection): unknown =>
  ['tea', 'green OR pottery', '猫 OR tea', '"…"'].map((query) =>
    db
      .prepare(
        `select rowid, bm25(memory_words, ${COLUMN_WEIGHTS}) as score from memory_words where memory_words match ?`,
      )
      .all(query),
  )

const step = fc.record({
  kind: fc.constantFrom('add', 'add', 'add', 'edit', 'conversation', 'time', 'label', 'drop', 'move', 'copy', 'remove', 'turn', 'vectors'),
  file: fc.nat(FILES.length - 1),
  other: fc.nat(FILES.length - 1),
  at: fc.nat(20),
  words: fc.constantFrom('tea', 'green tea', 'pottery', '猫', 'INV-7', '…'),
  conversationId: fc.constantFrom('c', 'c', 'd', undefined),
  createdAt: fc.constantFrom(...INSTANTS),
  labels: fc.subarray([...LABELS]),
  isFollowed: fc.boolean(),
}) // prettier-ignore
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** The day files as lists of bullets. */
class Days {
  readonly files: Bullet[][] = FILES.map(() => [])
  #next = 0

  apply({ kind, file, other, at, words, conversationId, createdAt, labels }: Step): void {
    const list = this.files[file] ?? []
    const target = this.files[other] ?? []
    const place = list.length === 0 ? 0 : at % list.length
    const chosen = list[place]
    const more = { ...(conversationId === undefined ? {} : { conversationId }), labels, createdAt }
    if (kind === 'add') {
      list.splice(place, 0, bullet({ id: `m-${this.#next++}`, sentence: words, type: 'task', ...more }))
    }
    if (chosen === undefined) return
    const again = (fields: object): void => {
      const { id, sentence, status, type, conversationId: of, createdAt: when, labels: having } = chosen
      const kept = { id, sentence, status, type, createdAt: when, labels: having }
      list[place] = bullet({ ...kept, ...(of === undefined ? {} : { conversationId: of }), ...fields })
    }
    if (kind === 'edit') again({ sentence: words })
    if (kind === 'conversation' && conversationId !== undefined) again({ conversationId })
    if (kind === 'time') again({ createdAt })
    if (kind === 'label') again({ labels })
    if (kind === 'drop') again({ status: chosen.status === 'dropped' ? 'open' : 'dropped' })
    if (kind === 'remove') list.splice(place, 1)
    if (kind === 'turn') list.reverse()
    if ((kind === 'move' || kind === 'copy') && file !== other && !target.some(({ id }) => id === chosen.id)) {
      if (kind === 'move') list.splice(place, 1)
      target.unshift(chosen)
    }
  }
}

describe.each([DIMENSION, undefined])('of %s dimensions', (dimension) => {
  test('through any history a record is what the tables say, and whatever differs from before is in the log', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), fc.integer({ min: 1, max: 7 }), (history, limit) => {
        const db = newDatabase(dimension)
        const days = new Days()
        const snapshots: { change: number; records: Map<number, SidecarRecord> }[] = []
        for (const one of history) {
          if (one.kind === 'vectors') {
            if (dimension !== undefined) embed(db, one.at + 1)
          } else {
            days.apply(one)
            if (!one.isFollowed) continue
            follow(db, days.files)
          }
          const records = modelOf(db)
          expect(allRecords(db, dimension, limit)).toEqual([...records.values()])
          const read = recordOf(db, dimension)
          for (let row = 0; row <= 60; row++) expect(read(row)).toEqual(records.get(row))
          // Against every earlier state, not only the last one.
          for (const { change, records: earlier } of snapshots) {
            const noted = new Set(changedRows(db, change, 10_000).map(({ row }) => row))
            for (const row of new Set([...earlier.keys(), ...records.keys()])) {
              if (!noted.has(row)) expect(records.get(row)).toEqual(earlier.get(row))
            }
          }
          snapshots.push({ change: lastChange(db), records })
        }
        expect(weighed(db)).toEqual(weighed(withTexts(modelOf(db))))
        db.close()
      }),
      { numRuns: 150 },
    )
  }, 120_000)
})

test('what changes nothing is not in the log', () => {
  const db = newDatabase(DIMENSION)
  const files = [[bullet({ id: 'a', sentence: 'Tea.' }), bullet({ id: 'b', sentence: 'Milk.' })]]
  follow(db, files)
  embed(db, 10)
  const last = lastChange(db)
  follow(db, files)
  embed(db, 10)
  expect(lastChange(db)).toBe(last)
})

test('a record of thousands of one instant is found after the one before it by its place', () => {
  const db = newDatabase(undefined)
  const count = 3_000
  follow(db, [Array.from({ length: count }, (_, at) => bullet({ id: `m-${at}`, sentence: `S ${at}.`, conversationId: 'c' }))]) // prettier-ignore
  const records = allRecords(db, undefined, 500)
  expect(records.map(({ before }) => before)).toEqual(records.map((_, at) => (at === 0 ? undefined : at)))
})

test.each([DIMENSION, undefined])('what is read is sought, of %s dimensions', (dimension) => {
  const db = newDatabase(dimension)
  const asked: string[] = []
  const traced = new Proxy(db, {
    get: (target, key) =>
      key === 'prepare' ? (sql: string) => (asked.push(sql), target.prepare(sql)) : (Reflect.get(target, key) as unknown),
  }) // prettier-ignore
  recordOf(traced, dimension)
  recordsAfter(traced, dimension, 0, 1)
  expect(asked).toHaveLength(2)
  for (const sql of asked) {
    const values = Array.from(sql.matchAll(/\?/g), () => 1)
    const plan = (db.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]).map((one) => one.detail)
    expect(plan.filter((detail) => /^SCAN|TEMP B-TREE/.test(detail))).toEqual([])
    expect(plan).toContainEqual(expect.stringMatching(/\(conversation_id=\? AND \(moment,file,position\)<\(\?,\?,\?\)\)$/))
  } // prettier-ignore
})
