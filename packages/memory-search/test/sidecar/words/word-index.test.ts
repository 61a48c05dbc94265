import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { analyze } from '../../../src/query/analyzer.js'
import { ftsText, internalToken } from '../../../src/query/match-expression.js'
import { MAX_TOKENS } from '../../../src/sidecar/words/fresh-words.js'
import { MAX_SLOTS, RUN } from '../../../src/sidecar/words/posting.js'
import { WordIndex } from '../../../src/sidecar/words/word-index.js'
import type { WordColumns } from '../../../src/sqlite/full-text.js'
import { FullTextTable } from './full-text-table.js'
import { IndexedRecords } from './indexed-records.js'
import { finished } from '../support/finished.js'

const body = (text: string): WordColumns => [text, '', '', '']
const ALL_LIVE = new Uint8Array()

test.each<{ name: string; columns: WordColumns; length: number }>([
  { name: 'no word at all', columns: ['', '', '', ''], length: 0 },
  { name: 'an empty body', columns: ['', 'tea', '', 'x'], length: 2 },
  { name: 'words in every column', columns: ['green tea', 'tea', 'tea tea', 'x y'], length: 7 },
  { name: 'one word a thousand times', columns: body(Array(1_000).fill('tea').join(' ')), length: 1_000 },
  { name: 'the most words there can be', columns: body(Array(MAX_TOKENS).fill('tea').join(' ')), length: MAX_TOKENS },
  { name: 'words without ASCII', columns: body('猫 Zoë ελληνικά 🙂'), length: 4 },
  {
    name: 'tags',
    columns: ['', '', '', [internalToken('a', 'ana'), internalToken('t', 'y2026')].join(' ')],
    length: 2,
  },
])('$name: the length is $length, and FTS5 weighs it the same, fresh and sealed', ({ columns, length }) => {
  const [table, records] = [new FullTextTable(), new IndexedRecords()]
  expect(WordIndex.empty().add(0, columns)).toBe(length)
  for (const index of [table, records]) {
    for (let row = 1; row <= 4; row++) index.write(row, body('other words here'))
    index.write(5, columns)
  }
  const words = [
    ...new Set(
      columns
        .join(' ')
        .split(' ')
        .filter((word) => word !== ''),
    ),
  ]
  for (const seal of [() => {}, () => records.compact(), () => records.reload()]) {
    seal()
    for (const word of words) {
      expect(records.frequency(word)).toBe(1)
      expect(records.rowsWith(word)).toEqual([5])
      const expected = table.bm25([word]).get(5) as number
      expect(Math.abs((records.bm25([word]).get(5) as number) - expected)).toBeLessThanOrEqual(
        1e-12 * Math.abs(expected),
      )
    }
  }
  table.close()
})

test('the longest sentences there can be, and those before them, have fewer tokens than the limit', () => {
  // A square of seven kana: no other character makes as many tokens of its three bytes, all of Unicode looked through.
  const longest = ftsText(analyze('\u331a'.repeat(2_048 / 3)))
  const length = WordIndex.empty().add(0, [longest, longest, longest, ''])
  expect(length).toBeGreaterThan(6_000)
  expect(length).toBeLessThan(MAX_TOKENS / 3)
})

test.each([
  { name: 'a slot again', slot: 7 },
  { name: 'a slot before', slot: 3 },
  { name: 'no whole number', slot: 8.5 },
  { name: 'a slot beyond all', slot: MAX_SLOTS },
])('$name is refused, and nothing is added', ({ slot }) => {
  const index = WordIndex.empty()
  index.add(7, body('tea'))
  expect(() => index.add(slot, body('tea green'))).toThrow(RangeError)
  expect([index.frequency('tea', ALL_LIVE, 0), index.frequency('green', ALL_LIVE, 0)]).toEqual([1, 0])
  expect(index.add(MAX_SLOTS - 1, body('tea'))).toBe(1)
})

test('a record of too many words is refused, and leaves no trace in the next one', () => {
  const index = WordIndex.empty()
  expect(() => index.add(0, body(`green ${Array(MAX_TOKENS).fill('tea').join(' ')}`))).toThrow('65535')
  expect(index.freshRecords).toBe(0)
  index.add(0, body('green'))
  const sealed = finished(index.compacting(Int32Array.of(0)))
  for (const one of [index, sealed]) {
    expect([one.frequency('tea', ALL_LIVE, 0), one.frequency('green', ALL_LIVE, 0)]).toEqual([0, 1])
  }
})

describe('sections', () => {
  test('of fresh words there are none', () => {
    const index = WordIndex.empty()
    expect(index.sections().words).toHaveLength(0)
    index.add(0, body('tea'))
    expect(() => index.sections()).toThrow('Compact first')
  })

  test('of no words are empty, and read as that', () => {
    const index = WordIndex.load(finished(WordIndex.empty().compacting(new Int32Array())).sections())
    expect(index.frequency('tea', ALL_LIVE, 0)).toBe(0)
    index.add(0, body('tea'))
    expect(index.frequency('tea', ALL_LIVE, 0)).toBe(1)
  })

  test('words whose records are all gone go with them', () => {
    const index = WordIndex.empty()
    index.add(0, body('tea'))
    index.add(1, body('green'))
    const sections = finished(index.compacting(Int32Array.of(-1, 0))).sections()
    const only = WordIndex.empty()
    only.add(0, body('green'))
    expect(sections).toEqual(finished(only.compacting(Int32Array.of(0))).sections())
  })

  test('are the same bytes for the same records, sealed at once or little by little', () => {
    const text = fc
      .array(fc.constantFrom('tea', 'green', 'red', 'black'), { maxLength: 6 })
      .map((words) => words.join(' '))
    const records = fc.array(fc.tuple(text, text, text, text), { maxLength: 12 })
    fc.assert(
      fc.property(records, fc.array(fc.boolean(), { maxLength: 12 }), (all, seals) => {
        const identity = Int32Array.from(all.keys())
        let [atOnce, byAndBy] = [WordIndex.empty(), WordIndex.empty()]
        all.forEach((columns, slot) => {
          atOnce.add(slot, columns)
          byAndBy.add(slot, columns)
          if (seals[slot] === true) byAndBy = finished(byAndBy.compacting(identity))
        })
        atOnce = finished(atOnce.compacting(identity))
        byAndBy = finished(byAndBy.compacting(identity))
        expect(byAndBy.sections()).toEqual(atOnce.sections())
      }),
    )
  })
})

test('a conversation takes a third: what a word makes in three adjacent records is one varint', () => {
  const index = WordIndex.empty()
  for (const [slot, columns] of [
    ['tea', '', '', ''],
    ['', 'tea', '', ''],
    ['', '', 'tea', ''],
  ].entries()) {
    index.add(slot, columns as unknown as WordColumns)
  }
  const sealed = finished(index.compacting(Int32Array.of(0, 1, 2)))
  // Length of the word, the word, how many postings it has, how many bytes they take, and that byte.
  expect([...sealed.sections().words]).toEqual([3, ...Buffer.from('tea'), 3, 1, RUN])
  expect(sealed.frequency('tea', ALL_LIVE, 0)).toBe(3)
  expect(sealed.frequency('tea', Uint8Array.of(1, 0, 1), 1)).toBe(2)
  // Without its first record there is no run any more, nor when others come between.
  for (const [slotOf, count] of [
    [Int32Array.of(-1, 0, 1), 2],
    [Int32Array.of(0, 1, 5), 3],
    [Int32Array.of(4, -1, 5), 2],
  ] as const) {
    const moved = finished(sealed.compacting(slotOf))
    expect(moved.frequency('tea', ALL_LIVE, 0)).toBe(count)
    const mask = new Uint8Array(6)
    moved.mark('tea', mask, 1)
    expect([...mask.keys()].filter((slot) => mask[slot] === 1)).toEqual([...slotOf].filter((slot) => slot >= 0))
  }
})

test('marks are added to those of a mask, and stay within it', () => {
  const index = WordIndex.empty()
  for (let slot = 0; slot < 6; slot++) index.add(slot, body(slot % 2 === 0 ? 'tea' : 'green'))
  const mask = Uint8Array.of(1, 1, 1)
  index.mark('tea', mask, 4)
  expect([...mask]).toEqual([5, 1, 5])
})
