import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SUMS_OF_WORDS, WORD_INSTANCES, WordSum, type SumOfWord } from '../../src/generation/word-sum.js'
import { connectMemory, type Connection } from '../../src/sqlite/connection.js'
import { wordWriter, type WordColumns } from '../../src/sqlite/full-text.js'
import { migrate } from '../../src/sqlite/schema.js'

const texts = fc.array(fc.constantFrom('tea', 'green', 'zoë', '猫', '😀', 'c＋＋', '\u{FDD0}t2026'), { maxLength: 5 }).map((words) => words.join(' ')) // prettier-ignore
const columns = fc.tuple(texts, texts, texts, texts)
const records = fc.uniqueArray(fc.record({ row: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 2 ** 29 - 1 })), columns }), {
  selector: ({ row }) => row,
  maxLength: 12,
}) // prettier-ignore

function indexOf(held: readonly { row: number; columns: WordColumns }[]): Connection {
  const db = connectMemory()
  migrate(db)
  for (const record of held) wordWriter(db).write(record.row, record.columns)
  db.exec(WORD_INSTANCES)
  return db
}

function sumIn(db: Connection): WordSum {
  const sum = new WordSum()
  for (const word of db.prepare<[], SumOfWord>(SUMS_OF_WORDS).raw().all()) sum.addWord(word)
  return sum
}

function sumOf(held: readonly { row: number; columns: WordColumns }[]): WordSum {
  const sum = new WordSum()
  for (const record of held) sum.addRecord(record.row, record.columns)
  return sum
}

test('the sum of an index is that of the records it was made of, in any order', () => {
  fc.assert(
    fc.property(records, (held) => {
      const db = indexOf(held)
      expect(sumIn(db).equals(sumOf([...held].reverse()))).toBe(true)
      db.close()
    }),
  )
})

test('records that differ anywhere have another sum', () => {
  fc.assert(
    fc.property(records, records, (one, other) => {
      const wordsOf = (held: typeof one): unknown =>
        held.filter(({ columns: texts }) => texts.some((text) => text !== '')).sort((a, b) => a.row - b.row)
      fc.pre(JSON.stringify(wordsOf(one)) !== JSON.stringify(wordsOf(other)))
      expect(sumOf(one).equals(sumOf(other))).toBe(false)
    }),
    { numRuns: 1_000 },
  )
})

test('the words are walked in their own order: nothing is sorted', () => {
  const db = indexOf([])
  const plan = db.prepare<[], { detail: string }>(`explain query plan ${SUMS_OF_WORDS}`).all()
  expect(plan.filter(({ detail }) => /TEMP B-TREE/.test(detail))).toEqual([])
  db.close()
})
