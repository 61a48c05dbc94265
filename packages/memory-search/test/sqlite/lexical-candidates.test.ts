import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { bestByWords, CANDIDATES } from '../../src/sqlite/lexical-candidates.js'
import { databaseOf } from '../support/dump.js'
import { bullet } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'

test('of thousands of equal records few are read, the first by id among them', async () => {
  const root = await newRoot()
  const id = (n: number): string => `x-${String(n).padStart(4, '0')}`
  root.write(
    DAY,
    Array.from({ length: 2_000 }, (_, n) => bullet({ id: id(1_999 - n), sentence: 'Good night.' })),
  )
  ;(await root.open()).close()
  const db = new Database(databaseOf(root.path), { readonly: true })
  try {
    const rows = bestByWords(db, ['night'], [], 50).map(({ row }) => row)
    expect(rows.length).toBeLessThanOrEqual(2 * CANDIDATES)
    const idOf = db.prepare<[number], string>('select id from memories where row = ?').pluck()
    const ids = new Set(rows.map((row) => idOf.get(row)))
    for (let n = 0; n < 50; n++) expect(ids).toContain(id(n))
  } finally {
    db.close()
  }
})
