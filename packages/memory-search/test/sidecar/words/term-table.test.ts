import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findTerm, GrowingTerms, type Terms } from '../../../src/sidecar/words/term-table.js'

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const find = (terms: Terms, text: string): number => findTerm(terms, encode(text), 0, encode(text).length)

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
  const words = fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 200,
  })
  fc.assert(
    fc.property(words, fc.string({ maxLength: 6 }), (texts, other) => {
      const wellFormed = [...new Set(texts.map((text) => text.toWellFormed()))]
      const growing = termsOf(wellFormed)
      for (const terms of [growing, growing.fitted()]) {
        wellFormed.forEach((text, at) => expect(terms.terms[find(terms, text)]).toBe(at % 100))
        expect(find(terms, other) >= 0).toBe(wellFormed.includes(other))
      }
    }),
  )
})

test.each([127, 128, 300, 20_000])('a term of %i bytes is told from one that is a byte longer', (length) => {
  const terms = termsOf(['a'.repeat(length), 'b']).fitted()
  expect(find(terms, 'a'.repeat(length))).toBeGreaterThan(0)
  expect(find(terms, 'a'.repeat(length + 1))).toBe(-1)
  expect(find(terms, 'a'.repeat(length - 1))).toBe(-1)
})

test('terms in a table without a free place are told apart by their bytes', () => {
  const { terms, table } = termsOf(['tea', 'green', 'red', 'Zoë']).fitted()
  const entries = table.filter((entry) => entry !== 0)
  // Every search begins at another place than its term was put at, and ends when it has seen all.
  const full = { terms, table: entries }
  for (const text of ['tea', 'green', 'red', 'Zoë']) expect(find(full, text)).toBe(find({ terms, table }, text))
  expect(find(full, 'nowhere')).toBe(-1)
})

test('two terms of the same hash are both found', () => {
  const hash = (text: string): number =>
    encode(text).reduce((sofar, byte) => Math.imul(sofar ^ byte, 0x01000193), 0x811c9dc5) >>> 0
  const [one, other] = ['w4pvu', 'wb3ea'] as const
  expect(hash(one)).toBe(hash(other))
  const growing = termsOf([one, other])
  for (const terms of [growing, growing.fitted()]) {
    expect([one, other].map((text) => terms.terms[find(terms, text)])).toEqual([0, 1])
  }
  expect(find(termsOf([one]), other)).toBe(-1)
})
