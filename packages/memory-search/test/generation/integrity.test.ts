import Database from 'better-sqlite3'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MAX_BLOCKING_BYTES, requireIntegrity } from '../../src/generation/integrity.js'
import { databaseOf } from '../support/dump.js'
import { bullet } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'

/** A copy of an index with as many memories, altered. */
async function databaseWith(memories: number, alter: (db: Database.Database) => void = () => undefined) {
  const root = await newRoot()
  const sentence = (n: number): string => `Memory ${n} of ${'words '.repeat(80)}`.trim()
  root.write(
    DAY,
    Array.from({ length: memories }, (_, n) => bullet({ id: `m-${n}`, sentence: sentence(n) })),
  )
  ;(await root.open()).close()
  const path = join(root.path, 'copy.db')
  copyFileSync(databaseOf(root.path), path)
  const db = new Database(path)
  db.unsafeMode()
  alter(db)
  db.unsafeMode(false)
  return { db, path }
}

const SIZES = [
  { size: 'small', memories: 3, isLarge: false },
  { size: 'large', memories: 1_500, isLarge: true },
]

describe.each(SIZES)('a $size database', ({ memories, isLarge }) => {
  test('that is whole passes; a large one leaves the event loop free', async () => {
    const { db, path } = await databaseWith(memories)
    expect(readFileSync(path).length > MAX_BLOCKING_BYTES).toBe(isLarge)
    let turns = 0
    const counting = setInterval(() => turns++, 0)
    await requireIntegrity(db)
    clearInterval(counting)
    expect(turns > 0).toBe(isLarge)
    db.close()
  })

  test('whose words are not those of its text fails', async () => {
    const { db } = await databaseWith(memories, (altered) => {
      altered.exec(`update memory_words_content set c0 = 'other' where id = 2`)
    })
    await expect(requireIntegrity(db)).rejects.toMatchObject({ code: 'fts_mismatch' })
    db.close()
  })

  test('with an index that lacks a row fails', async () => {
    const { db } = await databaseWith(memories, (altered) => {
      altered.pragma('writable_schema = on')
      altered.exec(`update sqlite_schema set sql = sql || ' where row > 1' where name = 'memories_by_id'`)
      altered.pragma('writable_schema = reset')
      altered.exec('reindex memories_by_id')
      altered.pragma('writable_schema = on')
      altered.exec(`update sqlite_schema set sql = replace(sql, ' where row > 1', '') where name = 'memories_by_id'`)
      altered.pragma('writable_schema = reset')
    })
    await expect(requireIntegrity(db)).rejects.toMatchObject({ code: 'sqlite_integrity_failed' })
    db.close()
  })
})

test('a check that cannot be begun is told', async () => {
  const { db, path } = await databaseWith(1_500)
  writeFileSync(path, 'x'.repeat(4_096))
  await expect(requireIntegrity(db)).rejects.toThrow()
  db.close()
})
