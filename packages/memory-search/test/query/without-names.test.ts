import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameWords } from '../../src/query/analyzer.js'
import { withoutNames } from '../../src/query/without-names.js'

test.each([
  { name: 'a name', query: 'What did Caroline paint?', of: 'Caroline', rest: 'What did paint?' },
  { name: 'its possessive', query: "Caroline's new job", of: 'Caroline', rest: 'new job' },
  { name: 'a typographic possessive', query: 'Caroline’s new job', of: 'Caroline', rest: 'new job' },
  { name: 'capitals', query: "CAROLINE'S NEW JOB", of: 'Caroline', rest: 'NEW JOB' },
  { name: 'accents either way', query: 'Where is Zoë?', of: 'Zoe', rest: 'Where is ?' },
  { name: 'decomposed accents', query: 'Where is Zoe\u0308 now', of: 'Zoë', rest: 'Where is now' },
  { name: 'all words of a name', query: 'Anna Meyer and tea', of: 'Anna Meyer', rest: 'and tea' },
  { name: 'short parts stay', query: 'Ana de Wit, de oude', of: 'Ana de Wit', rest: 'de , de oude' },
  { name: 'part of another word stays', query: 'Annabel and Anna', of: 'Anna', rest: 'Annabel and' },
  { name: 'nothing but names stays whole', query: ' Anna  Meyer? ', of: 'Anna Meyer', rest: ' Anna  Meyer? ' },
  { name: 'no names: not touched', query: ' two  spaces ', of: '', rest: ' two  spaces ' },
])('$name', ({ query, of, rest }) => expect(withoutNames(query, nameWords(of))).toBe(rest))

test('never empty of what a vector is made of, and no name that could go is left', () => {
  const word = fc.constantFrom('tea', 'Ana', 'Bob', 'zoë', 'is', '42', '猫', "Bob's", '?')
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), fc.subarray(['ana', 'bob', 'zoe']), (words, names) => {
      const query = words.join(' ')
      const rest = withoutNames(query, names)
      if (/[\p{L}\p{N}]/u.test(query)) expect(rest).toMatch(/[\p{L}\p{N}]/u)
      if (rest !== query) expect(nameWords(rest).filter((left) => names.includes(left))).toEqual([])
    }),
  )
})
