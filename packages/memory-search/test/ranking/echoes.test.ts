import { describe, expect, test } from 'vitest'
import { belowTheirSource } from '../../src/ranking/echoes.js'
import { find, indexOf } from '../support/scenario.js'

const weighed = (id: string, bm25: number) => ({ id, bm25 })
const order = (candidates: readonly { id: string; bm25: number }[]): string =>
  candidates
    .toSorted((a, b) => b.bm25 - a.bm25)
    .map(({ id }) => id)
    .join(' ')

describe('echoes stand below what they echo', () => {
  test.each([
    { name: 'the heaviest holds a word: nothing changes', of: 'A b c', order: 'A b c' },
    { name: 'one echo above', of: 'a B c', order: 'B a c' },
    { name: 'several keep their order', of: 'a b C D', order: 'C a b D' },
    { name: 'none holds a word: nothing changes', of: 'a b c', order: 'a b c' },
    { name: 'the twentieth is looked at', of: `${'a '.repeat(19)}B`, order: `B${' a'.repeat(19)}` },
    { name: 'the next one is not', of: `${'a '.repeat(20)}B`, order: `${'a '.repeat(20)}B` },
    { name: 'no candidates', of: '', order: '' },
  ])('$name', ({ of, order: expected }) => {
    const ids = of === '' ? [] : of.split(' ')
    const candidates = ids.map((id, at) => weighed(id, ids.length - at))
    expect(order(belowTheirSource(candidates, ({ id }) => id === id.toUpperCase()))).toBe(expected)
  })

  test('records without weight are lifted by something else: no sources', () => {
    const candidates = [weighed('a', 1), weighed('B', 0)]
    expect(belowTheirSource(candidates, ({ id }) => id === 'B')).toEqual(candidates)
  })

  test('a word is found in its record first, whatever length stands before that', async () => {
    const long = Array.from({ length: 100 }, (_, n) => `w${n}x`).join(' ')
    const sentences = [long, 'short', 'Crlfone second # third', '- [x] Boxone', 'tail one', 'tail two', 'tail three']
    const index = await indexOf(sentences.map((sentence) => ({ sentence, conversationId: 'c' })))
    expect(find(index, 'Crlfone')).toEqual(['m-2', 'm-3', 'm-4'])
  })
})
