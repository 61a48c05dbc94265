import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_QUERY_UNITS, normaliseQuery, questionOf } from '../../src/policy/question.js'

test.each([
  { name: 'white space', query: '  the\tspare \n key\u3000', normalised: 'the spare key' },
  { name: 'letters taken apart', query: 'cafe\u0301', normalised: 'caf\u00e9' },
  { name: 'half a pair', query: 'a\ud800b', normalised: 'a\ufffdb' },
  { name: 'case, which is kept', query: 'INV-42 Ana', normalised: 'INV-42 Ana' },
  { name: 'nothing but white space', query: ' \n\t', normalised: '' },
])('normalises $name', ({ query, normalised }) => {
  expect(normaliseQuery(query)).toBe(normalised)
})

test.each([
  { name: 'below the bound', length: MAX_QUERY_UNITS - 1, kept: MAX_QUERY_UNITS - 1 },
  { name: 'at the bound', length: MAX_QUERY_UNITS, kept: MAX_QUERY_UNITS },
  { name: 'above the bound', length: MAX_QUERY_UNITS + 1, kept: MAX_QUERY_UNITS },
])('$name a query has $kept units', ({ length, kept }) => {
  expect(normaliseQuery('x'.repeat(length))).toHaveLength(kept)
})

test('a pair at the bound is left out whole', () => {
  expect(normaliseQuery(`${'x'.repeat(MAX_QUERY_UNITS - 1)}😀`)).toBe('x'.repeat(MAX_QUERY_UNITS - 1))
})

test('what is normalised stays as it is, bounded and well-formed', () => {
  const words = fc.string({ unit: fc.constantFrom('a', ' ', '\n', 'e\u0301', '😀', '\ud800'), maxLength: 6_000 })
  fc.assert(
    fc.property(words, (query) => {
      const normalised = normaliseQuery(query)
      expect(normaliseQuery(normalised)).toBe(normalised)
      expect(normalised.length).toBeLessThanOrEqual(MAX_QUERY_UNITS)
      expect(normalised.isWellFormed()).toBe(true)
    }),
  )
})

test.each([
  { name: 'without attachments', owner: ' Which invoice? ', attachment: undefined, question: 'Which invoice?' },
  { name: 'with one', owner: 'Which invoice?', attachment: 'INV-42\n', question: 'Which invoice? INV-42' },
  { name: 'with nothing but one', owner: '', attachment: ' INV-42', question: 'INV-42' },
  { name: 'with neither', owner: '', attachment: undefined, question: '' },
])('the question $name', ({ owner, attachment, question }) => {
  expect(questionOf(owner, attachment)).toBe(question)
})

test('the owner has the first call on the room', () => {
  const owner = 'x'.repeat(MAX_QUERY_UNITS)
  expect(questionOf(owner, 'INV-42')).toBe(owner)
})
