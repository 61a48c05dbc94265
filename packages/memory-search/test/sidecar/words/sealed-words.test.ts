import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SealedWords } from '../../../src/sidecar/words/sealed-words.js'
import { hashOf } from '../../../src/sidecar/words/term.js'
import { WordIndex } from '../../../src/sidecar/words/word-index.js'
import { finished } from '../support/finished.js'
import { SAME_HASH } from './same-hash.js'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A record for each word; `seals` says after which of them all are sealed. At the end they are in any case. */
function sealedOf(words: readonly string[], seals: readonly boolean[] = []): SealedWords {
  const identity = Int32Array.from(words.keys())
  let index = WordIndex.empty()
  words.forEach((word, slot) => {
    index.add(slot, [word, '', '', ''])
    if (seals[slot] === true) index = finished(index.compacting(identity))
  })
  return new SealedWords(finished(index.compacting(identity)).sections())
}

const countOf = (sealed: SealedWords, word: string): number => {
  const bytes = encode(`(${word})`)
  return sealed.find(bytes, 1, bytes.length - 1)?.count ?? 0
}

const WORD = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 4 })
  .map((text) => text.toWellFormed().replaceAll(' ', '_'))

test('every word is found with its postings, and no other, however often they were sealed', () => {
  const words = fc.array(fc.oneof(WORD, fc.constantFrom(...SAME_HASH)), { maxLength: 60 })
  fc.assert(
    fc.property(words, fc.array(fc.boolean(), { maxLength: 60 }), WORD, (all, seals, other) => {
      const sealed = sealedOf(all, seals)
      for (const word of [...all, other, '']) {
        expect(countOf(sealed, word)).toBe(all.filter((one) => one === word).length)
      }
      expect(sealed.sections).toEqual(sealedOf(all).sections)
    }),
  )
})

test('two words of the same hash stand in the same order, whichever came first', () => {
  const [one, other] = SAME_HASH
  expect(hashOf(encode(one), 0, one.length)).toBe(hashOf(encode(other), 0, other.length))
  const both = [sealedOf([one, other, one]), sealedOf([other, one, one]), sealedOf([one, other, one], [true])]
  for (const sealed of both) expect([one, other].map((word) => countOf(sealed, word))).toEqual([2, 1])
  const terms = both.map((sealed) => [...sealed.terms()].map(({ bytes, start, end }) => bytes.slice(start, end)))
  expect(terms).toEqual([
    [encode(one), encode(other)],
    [encode(one), encode(other)],
    [encode(one), encode(other)],
  ])
})

test.each([1, 127, 128, 300, 20_000])('a word of %i bytes is told from one that is a byte longer', (length) => {
  const sealed = sealedOf(['a'.repeat(length), 'b', 'a'.repeat(length + 2)])
  expect([-1, 0, 1, 2].map((more) => countOf(sealed, 'a'.repeat(length + more)))).toEqual([0, 1, 0, 1])
})

test('words with more than 127 postings are passed over as well', () => {
  const sealed = sealedOf(Array.from({ length: 5_000 }, (_, slot) => (slot % 3 === 0 ? 'often' : `w${slot % 400}`)))
  expect(countOf(sealed, 'often')).toBe(1_667)
  for (let word = 0; word < 400; word++) expect(countOf(sealed, `w${word}`)).toBeGreaterThanOrEqual(8)
  expect(countOf(sealed, 'w400')).toBe(0)
})

test('what is added between the turns of a sealing is left out, words that are new as those that were there', () => {
  const words = Array.from({ length: 12_000 }, (_, at) => `word${at}`)
  const index = WordIndex.empty()
  words.forEach((word, slot) => index.add(slot, [word, '', '', '']))
  const turns = index.compacting(Int32Array.from(words.keys()))
  let slot = words.length
  let turn = turns.next()
  for (; turn.done !== true; turn = turns.next()) {
    for (let count = 0; count < 1_000; count++, slot++) index.add(slot, [`word${slot}`, `word${count}`, '', ''])
  }
  expect(slot).toBeGreaterThan(2 * words.length)
  expect(turn.value.sections()).toEqual(sealedOf(words).sections)
})

test('no search passes over many words: they are spread over the table, alike as they may be', () => {
  const words = Array.from({ length: 20_000 }, (_, at) => `word${at}`)
  const { table, words: bytes } = sealedOf(words).sections
  expect(table).toHaveLength(5_000)
  const lengths = Array.from(table, (start, range) => (table[range + 1] ?? bytes.length) - start)
  const average = bytes.length / table.length
  expect(Math.max(...lengths)).toBeLessThan(6 * average)
})
