import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyze } from '../../src/query/analyzer.js'
import { ftsToken } from '../../src/query/match-expression.js'
import { bm25, inverseFrequency } from '../../src/ranking/bm25.js'
import { averageLength, bm25Of, frequencies, indexedRecords } from '../../src/sqlite/lexical-candidates.js'
import { wordWriter, type WordColumns } from '../../src/sqlite/full-text.js'
import { COLUMN_WEIGHTS, migrate } from '../../src/sqlite/schema.js'
import { databaseOf } from '../support/dump.js'
import { indexedWords } from '../support/indexed-words.js'
import { bullet } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'

const WORDS = ['tea', 'green', 'C++', 'foo_bar.ts', 'Zoë', '猫が好きです', 'INV-7']
const bullets = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    bullet({
      id: `m-${at}`,
      sentence: Array.from({ length: 1 + (at % 6) }, (_word, place) => WORDS[(at * (place + 3)) % WORDS.length]).join(
        ' ',
      ),
      speaker: at % 2 === 0 ? 'Ana' : 'Bob van Dijk',
      ...(at % 3 === 0 ? {} : { conversationId: `c-${at % 3}` }),
    }),
  )

async function withDatabase(count: number, use: (db: Database.Database) => void): Promise<void> {
  const root = await newRoot()
  root.write(DAY, bullets(count))
  ;(await root.open()).close()
  const db = new Database(databaseOf(root.path), { readonly: true })
  try {
    use(db)
  } finally {
    db.close()
  }
}

test('what is weighed here weighs what FTS5 says, in every column', async () =>
  withDatabase(60, (db) => {
    const words = [...new Set(analyze('green tea of Zoë in foo_bar.ts, 猫 C++ nowhere'))]
    const rows = [...indexedWords(db)].map(([row, columns]) => [row, ...columns] as const)
    const expected = new Map(
      bm25Of(
        db,
        words,
        rows.map(([row]) => row),
      ).map((hit) => [hit.row, hit.bm25]),
    )
    const figures = {
      inverseFrequencies: frequencies(db, words.map(ftsToken)).map((one) => inverseFrequency(one, indexedRecords(db))),
      averageLength: averageLength(db),
    }
    const weights = COLUMN_WEIGHTS.split(',').map(Number)
    expect(expected.size).toBeGreaterThan(40)
    for (const [row, ...texts] of rows) {
      const columns = texts.map((text) => text.split(' ').filter((token) => token !== ''))
      const value = bm25(words.map(ftsToken), { columns, weights }, figures)
      expect(value).toBeCloseTo(expected.get(row) ?? 0, 10)
    }
  }))

test.each([0, 1, 40, 300])('the average length of %i records is that of their tokens', async (count) =>
  withDatabase(count, (db) => {
    const tokens = db.prepare('select coalesce(sum(cnt), 0) from word_frequencies').pluck().get() as number
    expect(averageLength(db)).toBe(count === 0 ? 1 : tokens / count)
  }),
)

/** As SQLite counts them: rows of FTS5, and tokens of all columns as the vocabulary has them. */
const counted = (db: Database.Database): [records: number, averageLength: number] => {
  const records = db.prepare('select count(*) from memory_words_docsize').pluck().get() as number
  const tokens = db.prepare('select coalesce(sum(cnt), 0) from word_frequencies').pluck().get() as number
  return [records, records === 0 ? 1 : tokens / records]
}

test('records and their average length are those that are counted, within a transaction that writes them too', () => {
  const row = fc.integer({ min: 1, max: 6 })
  const words = fc.constantFrom('', 'tea', 'tea green', Array(200).fill('tea').join(' '))
  const write = fc.record({ row, words, isRemoved: fc.boolean() })
  const transaction = fc.record({ writes: fc.array(write, { maxLength: 8 }), isUndone: fc.boolean() })
  fc.assert(
    fc.property(fc.array(transaction, { maxLength: 8 }), (history) => {
      const db = new Database(':memory:')
      migrate(db)
      expect([indexedRecords(db), averageLength(db)]).toEqual([0, 1])
      const writer = wordWriter(db)
      let held = new Map<number, WordColumns>()
      for (const { writes, isUndone } of history) {
        db.exec('begin')
        const before = new Map(held)
        for (const one of writes) {
          const former = held.get(one.row)
          if (former !== undefined) writer.remove(one.row, former)
          held.delete(one.row)
          const columns: WordColumns = [one.words, one.words, '', 'tag']
          if (!one.isRemoved) writer.write(one.row, columns)
          if (!one.isRemoved) held.set(one.row, columns)
          // Figures first: counting through the vocabulary makes FTS5 flush what it holds.
          const figures = [indexedRecords(db), averageLength(db)]
          expect(figures).toEqual(counted(db))
        }
        db.exec(isUndone ? 'rollback' : 'commit')
        if (isUndone) held = before
        const figures = [indexedRecords(db), averageLength(db)]
        expect(figures).toEqual(counted(db))
      }
      db.close()
    }),
  )
})
