import { describe, expect, test } from 'vitest'
import { MAX_ANCHORS } from '../../src/query/anchors.js'
import { nameShares } from '../../src/query/name-anchors.js'

const shares = (query: string, names: Record<string, readonly string[]>): Record<string, number> =>
  Object.fromEntries(nameShares(query, new Map(Object.entries(names))))

describe('of the names in a query a candidate bears', () => {
  test.each([
    { name: 'the only one', query: 'Where does Ana live?', of: { a: ['Ana'], b: ['Bob'] }, is: { a: 1 } },
    { name: 'one of two', query: 'Did Ana meet Bob?', of: { a: ['Ana'], b: ['Bob'] }, is: { a: 0.5, b: 0.5 } },
    { name: 'both, of two entities', query: 'Did Ana meet Bob?', of: { a: ['Ana', 'Bob'], b: ['Bob'] }, is: { a: 1, b: 0.5 } }, // prettier-ignore
    { name: 'a word of a longer name', query: 'Is van Dijk there?', of: { a: ['Zoë van Dijk'] }, is: { a: 1 } },
    { name: 'accents and case aside', query: 'what about ZOE', of: { a: ['Zoë'] }, is: { a: 1 } },
    { name: 'compatible forms', query: 'Ａｎａ?', of: { a: ['Ana'] }, is: { a: 1 } },
    { name: 'three letters', query: 'Has Eva called?', of: { a: ['Eva'] }, is: { a: 1 } },
    { name: 'but not two', query: 'Has Al called?', of: { a: ['Al'] }, is: {} },
    { name: 'not a part of a word', query: 'Is it banana?', of: { a: ['Ana'] }, is: {} },
    { name: 'any word that stands in a name', query: 'Is the company insolvent?', of: { a: ['The Company'] }, is: { a: 1 } }, // prettier-ignore
    { name: 'a word that is said twice once', query: 'Ana, Ana and Bob', of: { a: ['Ana'], b: ['Bob'] }, is: { a: 0.5, b: 0.5 } }, // prettier-ignore
    { name: 'nothing where none is named', query: 'What is new?', of: { a: ['Ana'] }, is: {} },
    { name: 'nothing of an empty query', query: '', of: { a: ['Ana'] }, is: {} },
    { name: 'nothing where there are no names', query: 'Ana', of: {}, is: {} },
  ])('$name', ({ query, of, is }) => {
    expect(shares(query, of)).toEqual(is)
  })

  test('the first sixteen count', () => {
    const words = Array.from({ length: MAX_ANCHORS + 1 }, (_, at) => `name${'abcdefghijklmnopq'[at]}`)
    const last = words.at(-1) ?? ''
    const of = { first: [words[0] ?? ''], rest: words.slice(1, -1), last: [last] }
    expect(shares(words.join(' '), of)).toEqual({ first: 1 / 16, rest: 15 / 16 })
    expect(shares(last, of)).toEqual({ last: 1 })
  })
})
