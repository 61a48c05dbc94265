import type { MemoryLabel } from '@mono-agent/memory-store'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { schemaObjects, validateDatabase } from '../../src/generation/validate.js'
import { migrate, SCHEMA_STEPS, SCHEMA_VERSION, schemaVersionOf } from '../../src/sqlite/schema.js'
import { rowWriter } from '../../src/sqlite/memory-rows.js'
import { wordWriter } from '../../src/sqlite/full-text.js'
import { indexedWords, type IndexedWords } from '../support/indexed-words.js'
import { databaseOf } from '../support/dump.js'
import { bullet } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'

const FACT: MemoryLabel = {
  kind: 'fact',
  entityId: 'person:ana',
  key: 'birth_date',
  value: { type: 'date', date: '1988-11-02' },
  attribution: 'user-stated',
}

const LATER = ['alter table files add column note text', 'create index memories_by_type on memories (type)']

describe('migrations', () => {
  test('every version leads to the schema of a fresh database', () => {
    const steps = [...SCHEMA_STEPS, ...LATER]
    const fresh = new Database(':memory:')
    migrate(fresh, steps)
    for (let version = 0; version <= steps.length; version++) {
      const old = new Database(':memory:')
      migrate(old, steps.slice(0, version))
      expect(schemaVersionOf(old)).toBe(version)
      migrate(old, steps)
      expect(schemaObjects(old)).toEqual(schemaObjects(fresh))
      expect(schemaVersionOf(old)).toBe(steps.length)
    }
  })

  test('the facts of labels that an older index holds are there afterwards', () => {
    const old = new Database(':memory:')
    migrate(old, SCHEMA_STEPS.slice(0, 2))
    rowWriter(old).insert({ bullet: bullet({ id: 'a', sentence: 'Ana.', labels: [FACT] }), file: DAY, position: 0 })
    migrate(old)
    expect(old.prepare('select fact_key from memory_facts').pluck().all()).toEqual(['person:ana birth_date'])
  })

  test('the names, labels and memories of entities that an older index holds are there afterwards', () => {
    const old = new Database(':memory:')
    migrate(old, SCHEMA_STEPS.slice(0, 3))
    const AGENT: MemoryLabel = { kind: 'preference', scope: 'agent', attribution: 'user-stated' }
    const labels = [FACT, AGENT, { ...FACT, key: 'full_name', value: { type: 'text', text: 'Ana' } } as MemoryLabel]
    rowWriter(old).insert({ bullet: bullet({ id: 'a', sentence: 'Ana.', labels }), file: DAY, position: 0 })
    old.exec(
      `insert into entities values ('person:ana', 'Ana LÓPEZ', 'person', null, 'x'), ('x:y', '…', 'x', null, 'x')`,
    )
    old.exec(
      `insert into associations values ('person:ana', 'a', 'document', 'x'), ('person:ana', 'a', 'unknown', 'x')`,
    )
    migrate(old)
    const rowsOf = (sql: string) => old.prepare(sql).raw().all()
    expect(rowsOf('select id, name_key from entities order by id')).toEqual([
      ['person:ana', 'ana lopez'],
      ['x:y', ''],
    ])
    const recorded = '2026-05-01T09:00:00.000Z'
    expect(rowsOf('select * from memory_labels order by kind')).toEqual([
      [1, 'fact', '', 'person:ana', 1, recorded, 'a'],
      [1, 'preference', 'agent', '', 0, recorded, 'a'],
    ])
    expect(rowsOf('select * from entity_memories')).toEqual([['person:ana', 1, recorded, 'a']])
  })

  test('the words that an older index holds are there afterwards, and weigh the same', () => {
    const weighed = `select rowid, bm25(memory_words), -rank from memory_words where memory_words match ? order by rank, rowid`
    const insert = 'insert into memory_words (rowid, body, before1, before2, tags) values (?, ?, ?, ?, ?)'
    const old = new Database(':memory:')
    migrate(old, SCHEMA_STEPS.slice(0, 5))
    const fresh = new Database(':memory:')
    migrate(fresh)
    for (const db of [old, fresh]) {
      for (let row = 1; row <= 300; row++) {
        db.prepare(insert).run(
          row,
          `tea ${'green '.repeat(row % 7)}n${row % 11}`,
          row % 3 === 0 ? '' : 'tea',
          'cat',
          't2026',
        )
      }
    }
    old.exec('delete from memory_words where rowid = 300')
    wordWriter(fresh).remove(300, [`tea ${'green '.repeat(300 % 7)}n${300 % 11}`, '', 'cat', 't2026'])
    migrate(old)
    expect(indexedWords(old)).toEqual(indexedWords(fresh))
    for (const query of ['tea', 'green OR n3', 't2026 AND n5']) {
      expect(old.prepare(weighed).all(query)).toEqual(fresh.prepare(weighed).all(query))
    }
    const frequencies = 'select * from word_frequencies'
    expect(old.prepare(frequencies).all()).toEqual(fresh.prepare(frequencies).all())
  })

  test('a step that fails changes nothing', () => {
    const db = new Database(':memory:')
    expect(() => migrate(db, [...SCHEMA_STEPS, 'create table half (a); create table half (a)'])).toThrow(/half/)
    expect(schemaVersionOf(db)).toBe(SCHEMA_VERSION)
    expect(db.prepare(`select count(*) from sqlite_schema where name = 'half'`).pluck().get()).toBe(0)
  })

  test('a newer database is refused', () => {
    const db = new Database(':memory:')
    db.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
    expect(() => migrate(db)).toThrow(expect.objectContaining({ code: 'index_newer' }))
  })

  test('a database of another schema is none', () => {
    const db = new Database(':memory:')
    db.exec('create table mine (a)')
    expect(schemaVersionOf(db)).toBe(0)
  })
})

describe('validation finds', () => {
  test.each([
    {
      name: 'a row that says something else',
      sql: `update memories set sentence = 'Coffee.' where id = 'a'`,
      code: 'canonical_mismatch',
    },
    {
      name: 'a wrong content hash',
      sql: `update memories set content_hash = 'x' where id = 'a'`,
      code: 'canonical_mismatch',
    },
    {
      name: 'another conversation',
      sql: `update memories set conversation_id = 'x' where id = 'a'`,
      code: 'canonical_mismatch',
    },
    { name: 'a missing row', sql: `delete from memories where id = 'b'`, code: 'canonical_mismatch' },
    {
      name: 'a row of no file',
      sql: `update memories set file = 'daily/2026-05-09.md' where id = 'b'`,
      code: 'canonical_mismatch',
    },
    { name: 'a digest of other bytes', sql: `update files set digest = 'x'`, code: 'source_changed' },
    {
      name: 'a file that is not there',
      sql: `insert into files select 'daily/2026-05-09.md', dev, ino, size, mtime_ns, ctime_ns, digest, 0 from files`,
      code: 'source_changed',
    },
    { name: 'words of nothing', sql: `insert into memory_words (rowid, body) values (99, 'x')`, code: 'fts_mismatch' },
    { name: 'words twice', sql: `insert into memory_words (rowid, body) values (1, 'tea')`, code: 'fts_mismatch' },
    {
      name: 'a length that is not that of the words',
      sql: `update memory_words_docsize set sz = x'05010103' where id = 1`,
      code: 'fts_mismatch',
    },
    { name: 'a length that is missing', sql: `delete from memory_words_docsize where id = 1`, code: 'fts_mismatch' },
    {
      name: 'other sums',
      sql: `update memory_words_data set block = x'0303020000' where id = 1`,
      code: 'fts_mismatch',
    },
    { name: 'a structure that is damaged', sql: `update memory_words_idx set pgno = 99`, code: 'fts_mismatch' },
    { name: 'a copy that counts', sql: `update memories set is_searchable = 0 where id = 'a'`, code: 'fts_mismatch' },
    { name: 'a label that is missing', sql: `delete from memory_labels where row = 1`, code: 'canonical_mismatch' },
    { name: 'a label more', sql: `insert into memory_labels values (2, 'lesson', 'agent', '', 0, 'x', 'b')`, code: 'canonical_mismatch' }, // prettier-ignore
    { name: 'a label of no row', sql: `update memory_labels set row = 9999`, code: 'canonical_mismatch' },
    { name: 'another time of a label', sql: `update memory_labels set recorded_at = 'x'`, code: 'canonical_mismatch' },
    { name: 'an index more', sql: 'create index more on memories (type)', code: 'metadata_mismatch' },
    { name: 'another version', sql: 'pragma user_version = 0', code: 'metadata_mismatch' },
  ])('$name', async ({ sql, code }) => {
    await findsAltered((db) => {
      db.unsafeMode(true) // the shadow tables of FTS5 are protected otherwise
      db.exec(sql)
    }, code)
  })

  /** By the way of a writer, so that lengths and sums are those of what is there. */
  test.each<{ name: string; row: number; change: (columns: IndexedWords) => IndexedWords | undefined }>([
    { name: 'missing words', row: 1, change: () => undefined },
    { name: 'other words', row: 1, change: ([, ...rest]) => ['coffee', ...rest] },
    { name: 'other context', row: 2, change: ([body, , ...rest]) => [body, 'coffee', ...rest] },
    { name: 'words in another order', row: 3, change: ([, ...rest]) => ['two one', ...rest] },
    { name: 'words of another column', row: 3, change: ([body, , , tags]) => ['', '', body, tags] },
    { name: 'another tag', row: 1, change: ([a, b, c, tags]) => [a, b, c, tags.replace('2026', '2025')] },
  ])('$name', async ({ row, change }) => {
    await findsAltered((db) => {
      const columns = indexedWords(db).get(row) ?? ['', '', '', '']
      const words = wordWriter(db)
      words.remove(row, columns)
      const changed = change(columns)
      if (changed !== undefined) words.write(row, changed)
    }, 'fts_mismatch')
  })

  test('words of two records that were exchanged', async () => {
    await findsAltered((db) => {
      const [one, other] = [3, 4].map((row) => indexedWords(db).get(row) ?? (['', '', '', ''] as const))
      if (one === undefined || other === undefined) throw new Error('There are four records.')
      expect(one).not.toEqual(other)
      const words = wordWriter(db)
      words.remove(3, one)
      words.remove(4, other)
      words.write(3, other)
      words.write(4, one)
    }, 'fts_mismatch')
  })
})

async function findsAltered(alter: (db: Database.Database) => void, code: string): Promise<void> {
  const root = await newRoot()
  root.write(DAY, [
    bullet({ id: 'a', sentence: 'Tea.', conversationId: 'c', labels: [FACT] }),
    bullet({ id: 'b', sentence: 'Milk.', conversationId: 'c' }),
    bullet({ id: 'c', sentence: 'One two.' }),
    bullet({ id: 'd', sentence: 'Two three.' }),
  ])
  ;(await root.open()).close()
  const db = new Database(databaseOf(root.path))
  const validate = () => validateDatabase(db, { root: root.path, fs: root.fs, yieldTurn: () => Promise.resolve() })
  try {
    await expect(validate()).resolves.toBeUndefined()
    alter(db)
    await expect(validate()).rejects.toMatchObject({ code })
  } finally {
    db.close()
  }
}
