import Database from 'better-sqlite3'
import { expect, describe, test } from 'vitest'
import { commitmentOf, payloadOf } from '../../src/generation/commitment.js'
import { databaseOf } from '../support/dump.js'
import { rebuildAs } from '../support/rollbacks.js'
import { bullet, type TestRoot } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'

const noYield = (): Promise<void> => Promise.resolve()

async function filled(name: 'lite' | 'journal' = 'journal'): Promise<TestRoot> {
  const root = await newRoot()
  root.write(
    DAY,
    ['Ana has a cat.', 'Bob has a dog.', '猫が好きです。'].map((sentence, at) =>
      bullet({ id: `m-${at}`, sentence, conversationId: 'c' }),
    ),
  )
  await rebuildAs(root, name)
  return root
}

const CHANGES: readonly { name: string; sql: string; isPayload: boolean }[] = [
  { name: 'a word of a sentence', sql: `update memories set sentence = 'Ana has a bat.' where id = 'm-0'`, isPayload: true },
  { name: 'a status', sql: `update memories set status = 'dropped' where id = 'm-0'`, isPayload: true },
  { name: 'a salience, by one bit', sql: `update memories set salience = salience + 1e-16 where id = 'm-0'`, isPayload: true },
  { name: 'nothing where there was a text', sql: `update memories set conversation_id = null where id = 'm-0'`, isPayload: true },
  { name: 'a row that is gone', sql: `delete from memories where id = 'm-2'`, isPayload: true },
  { name: 'a row that is no longer searchable', sql: `update memories set is_searchable = 0 where id = 'm-0'`, isPayload: true },
  { name: 'the digest of a file', sql: `update files set digest = replace(digest, substr(digest, 1, 1), '-')`, isPayload: true },
  { name: 'a row number', sql: `update memories set row = 99 where id = 'm-0'`, isPayload: false },
  { name: 'a byte of a vector', sql: `update memory_vectors set vector = zeroblob(512) where row = 1`, isPayload: false },
  { name: 'a vector that is gone', sql: `delete from memory_vectors where row = 1`, isPayload: false },
  { name: 'a place in the backlog', sql: `insert into vector_backlog values (1)`, isPayload: false },
  { name: 'the words of a row', sql: `insert into memory_words (rowid, body) values (1, 'bat')`, isPayload: false },
  { name: 'how words are weighed', sql: `insert into memory_words (memory_words, rank) values ('rank', 'bm25(1.0)')`, isPayload: false },
  { name: 'the analyzer', sql: `update index_identity set value = 'words-0' where key = 'analyzer'`, isPayload: false },
  { name: 'a column', sql: `alter table memories add column more text`, isPayload: true },
  { name: 'an index of the schema', sql: `drop index memories_by_salience`, isPayload: false },
  { name: 'a table', sql: `create table more (key text primary key)`, isPayload: false },
  { name: 'the schema version', sql: `pragma user_version = 1`, isPayload: false },
] // prettier-ignore

describe('a commitment tells any two databases apart (OPS-3)', () => {
  test.each(CHANGES)('$name', async ({ sql, isPayload }) => {
    const root = await filled()
    const db = new Database(databaseOf(root.path))
    const [commitment, payload] = [await commitmentOf(db, noYield), await payloadOf(db, noYield)]
    db.exec(sql)
    expect(await commitmentOf(db, noYield)).not.toBe(commitment)
    expect((await payloadOf(db, noYield)) !== payload).toBe(isPayload)
    db.close()
  })

  test('but not those that differ in their own name, which a copy changes', async () => {
    const root = await filled()
    const db = new Database(databaseOf(root.path))
    const commitment = await commitmentOf(db, noYield)
    db.exec(`update index_identity set value = 'g9-9' where key = 'generation'`)
    db.exec('pragma journal_mode = WAL')
    expect(await commitmentOf(db, noYield)).toBe(commitment)
    db.exec('vacuum')
    expect(await commitmentOf(db, noYield)).toBe(commitment)
    db.close()
  })

  test.each([
    ['12', '3'],
    ['t1:', 't1:'],
    ['1;', 'n;'],
  ])('values next to each other are not mixed up: %s and %s', async (left, right) => {
    const db = new Database(':memory:')
    const seen = new Set<string>()
    const cases: readonly [unknown, unknown][] = [
      [left, right],
      [left + right, ''],
      ['', left + right],
      [Buffer.from(left), right],
      [null, left + right],
      [1, 1.5],
      [1.5, 1],
      ['1', '1.5'],
    ]
    for (const values of cases) {
      db.exec('drop table if exists pairs; create table pairs (a any, b any) strict')
      db.prepare('insert into pairs values (?, ?)').run(...values)
      seen.add(await commitmentOf(db, noYield))
    }
    expect(seen.size).toBe(cases.length)
    db.close()
  })
})

test('indexes of other tiers, made of the same files, have the same payload', async () => {
  const payloads = []
  for (const name of ['lite', 'journal'] as const) {
    const db = new Database(databaseOf((await filled(name)).path))
    payloads.push(await payloadOf(db, noYield))
    db.close()
  }
  expect(payloads[0]).toBe(payloads[1])
})

test('the event loop has its turn between slices', async () => {
  const root = await newRoot()
  root.write(
    DAY,
    Array.from({ length: 1_000 }, (_, at) => bullet({ id: `m-${at}`, sentence: `Sentence ${at}.` })),
  )
  await rebuildAs(root, 'lite')
  const db = new Database(databaseOf(root.path))
  let turns = 0
  await commitmentOf(db, () => Promise.resolve(void turns++))
  expect(turns).toBeGreaterThanOrEqual(10) // rows of memories, and of the lengths of their words
  db.close()
})
