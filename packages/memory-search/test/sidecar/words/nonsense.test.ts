import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createScoreBoard } from '../../../src/sidecar/words/create-score-board.js'
import { WordIndex } from '../../../src/sidecar/words/word-index.js'
import type { WordSections } from '../../../src/sidecar/words/sealed-words.js'
import { finished } from '../support/finished.js'

const WORDS = ['tea', 'green', 'red', 'black', 'nowhere']

function sections(): WordSections {
  const index = WordIndex.empty()
  for (let slot = 0; slot < 40; slot++) {
    const [body, before1, before2] = [slot, slot - 1, slot - 2].map((at) => WORDS[at % 4] ?? '')
    index.add(slot, [`${body} ${'tea '.repeat(slot % 5)}`, before1 ?? '', before2 ?? '', slot % 7 === 0 ? 'black' : ''])
  }
  return finished(index.compacting(Int32Array.from({ length: 40 }, (_, slot) => slot))).sections()
}

/** Everything that can be asked; a RangeError is an answer, any other error is not. */
function askAll(words: WordIndex): void {
  const lengths = new Uint16Array(40).fill(9)
  const guarded = (ask: () => unknown): void => {
    try {
      ask()
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError)
    }
  }
  for (const word of WORDS) {
    const boards = [createScoreBoard(40, 'simd'), createScoreBoard(40, 'plain')] as const
    const mask = new Uint8Array(40)
    guarded(() => words.frequency(word, new Uint8Array(40), 1))
    guarded(() => words.frequency(word, new Uint8Array(40), 0))
    for (const board of boards) {
      board.begin(lengths, 9)
      guarded(() => words.addScores(word, 1, board))
    }
    expect(boards[0].scores).toEqual(boards[1].scores)
    expect(boards[0].scores.every(Number.isFinite)).toBe(true)
    guarded(() => words.mark(word, mask, 1))
    expect(mask).toHaveLength(40)
  }
  guarded(() => finished(words.compacting(new Int32Array(40))))
  guarded(() => finished(words.compacting(Int32Array.from({ length: 40 }, (_, slot) => slot))))
}

test('sections of any bytes whatever answer or are refused', () => {
  const bytes = fc.uint8Array({ maxLength: 120 })
  const table = fc
    .array(fc.oneof(fc.nat(130), fc.nat(0xffff_ffff)), { maxLength: 20 })
    .map((all) => Uint32Array.from(all))
  fc.assert(
    fc.property(bytes, table, (words, places) => {
      askAll(WordIndex.load({ words, table: places }))
    }),
    { numRuns: 500 },
  )
})

test('sections in which something was changed or that were cut off answer or are refused', () => {
  const good = sections()
  const change = fc.record({
    section: fc.constantFrom('words' as const, 'table' as const),
    at: fc.nat(400),
    value: fc.oneof(fc.nat(255), fc.nat(0xffff_ffff)),
    cut: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const bad = { words: good.words.slice(), table: good.table.slice() }
      for (const { section, at, value, cut } of changes) {
        const place = at % Math.max(1, bad[section].length)
        if (section === 'table') {
          if (cut) bad.table = bad.table.slice(0, place)
          else bad.table[place] = value
        } else if (cut) bad.words = bad.words.slice(0, place)
        else bad.words[place] = value
      }
      askAll(WordIndex.load(bad))
    }),
    { numRuns: 500 },
  )
})

test('words in another order than theirs are refused when they are sealed again', () => {
  const { words, table } = sections()
  const first = (words[0] as number) + 1
  const length = first + 2 + (words[first + 1] as number)
  // The first term once more, and behind all others.
  for (const wrong of [
    [words.subarray(0, length), words],
    [words.subarray(length), words.subarray(0, length)],
  ]) {
    const bad = WordIndex.load({ words: Buffer.concat(wrong), table })
    expect(() => finished(bad.compacting(Int32Array.from({ length: 40 }, (_, slot) => slot)))).toThrow('damaged')
  }
})

test('a file of other slots than it is compacted by is refused', () => {
  const words = WordIndex.load(sections())
  expect(() => finished(words.compacting(new Int32Array(39).fill(-1)))).toThrow(RangeError)
  expect(() => finished(words.compacting(new Int32Array(40)))).toThrow(RangeError)
  expect(finished(words.compacting(new Int32Array(40).fill(-1))).frequency('tea', new Uint8Array(), 0)).toBe(0)
})
