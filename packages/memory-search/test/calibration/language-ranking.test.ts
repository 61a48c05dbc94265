import { describe, expect, test } from 'vitest'
import { analyze } from '../../src/query/analyzer.js'
import { rankLanguages, type ScoreDocuments } from '../../src/calibration/language-ranking.js'
import { CALIBRATION_SENTENCES } from '../../src/calibration/sentences/sentence-set.js'

const SET = {
  aa: [
    { fact: 'f1', paraphrase: 'p1', nearMiss: 'n1' },
    { fact: 'f2', paraphrase: 'p2', nearMiss: 'n2' },
  ],
}
/** Scores by a table, 0 for what it does not hold. */
const byTable =
  (table: Record<string, Record<string, number>>): ScoreDocuments =>
  (query, documents) =>
    documents.map((document) => table[query]?.[document] ?? 0)

test.each([
  { name: 'both facts first', table: { p1: { f1: 1 }, p2: { f2: 1 } }, hitAt1: 1, hitAt3: 1 },
  { name: 'one behind its near miss', table: { p1: { f1: 1 }, p2: { f2: 1, n2: 2 } }, hitAt1: 0.5, hitAt3: 1 },
  { name: 'one in third place', table: { p1: { f1: 1 }, p2: { f2: 1, n2: 2, f1: 3 } }, hitAt1: 0.5, hitAt3: 1 },
  { name: 'one in fourth', table: { p1: { f1: 1 }, p2: { f2: 1, n2: 2, f1: 3, n1: 4 } }, hitAt1: 0.5, hitAt3: 0.5 },
  { name: 'nothing told apart', table: {}, hitAt1: 0, hitAt3: 0 },
])('$name', async ({ table, hitAt1, hitAt3 }) => {
  expect(await rankLanguages(SET, byTable(table))).toEqual([
    { language: 'aa', queries: 2, documents: 4, hitAt1, hitAt3, chanceAt1: 0.25, chanceAt3: 0.75 },
  ])
})

test('a scoring function may take its time, and is told the language', async () => {
  const asked: string[] = []
  await rankLanguages(SET, async (_query, documents, language) => {
    asked.push(language)
    return documents.map(() => 1)
  })
  expect(asked).toEqual(['aa', 'aa'])
})

test.each([
  { name: 'too few', score: () => [1, 2, 3] },
  { name: 'too many', score: () => [1, 2, 3, 4, 5] },
  { name: 'no numbers', score: () => [1, 2, Number.NaN, 4] },
])('scores that are $name are refused', async ({ score }) => {
  await expect(rankLanguages(SET, score)).rejects.toThrow(TypeError)
})

describe('words alone', async () => {
  /** The share of the query's words that a document holds. */
  const byWords: ScoreDocuments = (query, documents) => {
    const words = [...new Set(analyze(query))]
    return documents.map((document) => {
      const held = new Set(analyze(document))
      return words.filter((word) => held.has(word)).length / words.length
    })
  }
  test.each(await rankLanguages(CALIBRATION_SENTENCES, byWords))(
    'find the facts of $language in $hitAt1 of all cases, blind choice in $chanceAt1',
    ({ hitAt1, chanceAt1 }) => {
      expect(hitAt1).toBeGreaterThanOrEqual(chanceAt1 + 0.5)
    },
  )
})
