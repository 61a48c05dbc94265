import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GrowingTerms } from '../../../src/sidecar/words/term-table.js'
import { SAME_HASH } from './same-hash.js'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const find = (terms: GrowingTerms, text: string): number => terms.find(encode(text), 0, encode(text).length)

/** Terms to each of which a byte belongs: its place. */
function termsOf(texts: readonly string[]): GrowingTerms {
  const terms = new GrowingTerms()
  texts.forEach((text, at) => {
    const bytes = encode(text)
    terms.add(bytes, 0, bytes.length)
    terms.writer.varint(at % 100)
  })
  return terms
}

test('every term is found with what belongs to it, and no other', () => {
  const words = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }), { maxLength: 200 })
  fc.assert(
    fc.property(words, fc.string({ maxLength: 6 }), (texts, other) => {
      const wellFormed = [...new Set(texts.map((text) => text.toWellFormed()))]
      const terms = termsOf(wellFormed)
      wellFormed.forEach((text, at) => expect(terms.terms[find(terms, text)]).toBe(at % 100))
      expect(find(terms, other) >= 0).toBe(wellFormed.includes(other))
    }),
  )
})

test.each([127, 128, 300, 20_000])('a term of %i bytes is told from one that is a byte longer', (length) => {
  const terms = termsOf(['a'.repeat(length), 'b'])
  expect(find(terms, 'a'.repeat(length))).toBeGreaterThan(0)
  expect(find(terms, 'a'.repeat(length + 1))).toBe(-1)
  expect(find(terms, 'a'.repeat(length - 1))).toBe(-1)
})

test('two terms of the same hash are both found', () => {
  const [one, other] = SAME_HASH
  const terms = termsOf([one, other])
  expect([one, other].map((text) => terms.terms[find(terms, text)])).toEqual([0, 1])
  expect(find(termsOf([one]), other)).toBe(-1)
})
