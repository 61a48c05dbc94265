import { expect, test } from 'vitest'
import type { WordHit } from '../../src/candidates/candidate-source.js'
import { askByTellingWords } from '../../src/search/telling-words.js'
import { CANDIDATES } from '../../src/sqlite/lexical-candidates.js'

const RECORDS = 1_000

/** A source in which any words but `the` alone find this many records. */
function asked(words: readonly string[], frequencies: readonly number[], found: number) {
  const calls: (readonly string[])[] = []
  const source = {
    records: () => RECORDS,
    lexical: (asked: readonly string[]): readonly WordHit[] => {
      calls.push(asked)
      return Array.from({ length: found }, (_, row) => ({ row, bm25: 1 }))
    },
  }
  return { calls, words: askByTellingWords(source, words, frequencies, [], {}).words }
}

test.each([
  { name: 'in fewer than half of the records: asked', frequency: RECORDS / 2 - 1, words: ['the', 'tea'] },
  { name: 'in half of them: left out', frequency: RECORDS / 2, words: ['tea'] },
  { name: 'in more: left out', frequency: RECORDS, words: ['tea'] },
])('a word $name', ({ frequency, words }) => {
  expect(asked(['the', 'tea'], [frequency, 3], CANDIDATES).words).toEqual(words)
})

test.each([
  { name: 'one fewer than are looked at', found: CANDIDATES - 1, words: ['the', 'tea'], calls: 2 },
  { name: 'as many as are looked at', found: CANDIDATES, words: ['tea'], calls: 1 },
])('the telling words bring $name', ({ found, words, calls }) => {
  const result = asked(['the', 'tea'], [900, 3], found)
  expect(result.words).toEqual(words)
  expect(result.calls).toHaveLength(calls)
})

test.each([
  { name: 'only words that tell nothing', words: ['the', 'and'], frequencies: [900, 800] },
  { name: 'only telling words', words: ['green', 'tea'], frequencies: [9, 8] },
  { name: 'no word', words: [], frequencies: [] },
])('$name: all are asked, once', ({ words, frequencies }) => {
  const result = asked(words, frequencies, CANDIDATES)
  expect(result.words).toEqual(words)
  expect(result.calls).toEqual([words])
})
