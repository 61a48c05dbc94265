import Database from 'better-sqlite3'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectedWords } from '../../src/generation/expected-words.js'
import { wordWriter } from '../../src/sqlite/full-text.js'
import { indexedWords } from '../support/indexed-words.js'
import { MAX_BLOCKING_BYTES, requireIntegrity } from '../../src/generation/integrity.js'
import { databaseOf } from '../support/dump.js'
import { bullet } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'

const noYield = (): Promise<void> => Promise.resolve()

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

  test('whose words are not those of its sentences fails', async () => {
    const { db } = await databaseWith(memories)
    const expected = await expectedWords(db, noYield)
    await requireIntegrity(db, expected)
    const columns = indexedWords(db).get(2) ?? ['', '', '', '']
    wordWriter(db).remove(2, columns)
    wordWriter(db).write(2, [columns[0].replace(/ [a-z]+$/, ' other'), columns[1], columns[2], columns[3]])
    await expect(requireIntegrity(db, expected)).rejects.toMatchObject({ code: 'fts_mismatch' })
    // Lengths and sums are those of a whole index: only the words tell.
    await expectedWords(db, noYield)
    await requireIntegrity(db)
    db.close()
  })

  test('whose words are damaged fails', async () => {
    const { db } = await databaseWith(memories, (altered) => {
      altered.exec(
        'update memory_words_data set block = zeroblob(length(block)) where id = (select max(id) from memory_words_data)',
      )
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
