import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyze } from '../../../src/query/analyzer.js'
import { ftsText, ftsToken, internalToken } from '../../../src/query/match-expression.js'
import type { WordColumns } from '../../../src/sqlite/full-text.js'
import { FullTextTable } from './full-text-table.js'
import { IndexedRecords } from './indexed-records.js'

const WORDS = [
  'tea',
  'green',
  'C++',
  'foo_bar.ts',
  'Zoë',
  '猫が好きです',
  'INV-7',
  'ελληνικά',
  '🙂',
  '서울에서',
  'o’clock',
]
const TAGS = ['cfeed', 'aana', 'td2026-01-02', 'ty2026'].map((tag) => internalToken(tag.slice(0, 1), tag.slice(1)))
const QUERIES = [...new Set([...WORDS.flatMap(analyze), ...TAGS, 'nowhere'])].map(ftsToken)

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => ftsText(analyze(words.join(' '))))
const tags = fc.subarray(TAGS).map(ftsText)
const columns: fc.Arbitrary<WordColumns> = fc.tuple(text, text, text, tags)

const row = fc.integer({ min: 1, max: 12 })
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('write' as const), row, columns }) },
    // As records of a conversation come: each with the words of the two before it.
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('converse' as const), texts: fc.array(text, { maxLength: 5 }), tags }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), row }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('compact' as const, 'reload' as const) }) },
  ),
  { maxLength: 40 },
)

/** Logarithms of two libraries may differ in the last bit; nothing else may. */
function expectEqual(found: Map<number, number>, expected: Map<number, number>): void {
  for (const [row, value] of found) {
    const other = expected.get(row) ?? 0
    expect(Math.abs(value - other)).toBeLessThanOrEqual(1e-12 * Math.abs(other))
  }
  for (const row of expected.keys()) expect(found.has(row)).toBe(true)
}

test('bm25, frequencies and records of a word are those of FTS5, whatever was written, replaced, removed and sealed', () => {
  fc.assert(
    fc.property(steps, fc.subarray(QUERIES, { minLength: 1 }), (history, query) => {
      const table = new FullTextTable()
      const records = new IndexedRecords()
      try {
        let next = 100
        for (const step of history) {
          if (step.do === 'write') for (const index of [table, records]) index.write(step.row, step.columns)
          else if (step.do === 'remove') for (const index of [table, records]) index.remove(step.row)
          else if (step.do !== 'converse') records[step.do]()
          else {
            step.texts.forEach((body, at) => {
              const [before1 = '', before2 = ''] = [step.texts[at - 1], step.texts[at - 2]]
              for (const index of [table, records]) index.write(next, [body, before1, before2, step.tags])
              next++
            })
          }
        }
        for (const word of QUERIES) {
          expect(records.frequency(word)).toBe(table.frequency(word))
          expect(records.rowsWith(word)).toEqual(table.rowsWith(word))
        }
        expectEqual(records.bm25(query), table.bm25(query))
      } finally {
        table.close()
      }
    }),
    { numRuns: 150 },
  )
})
