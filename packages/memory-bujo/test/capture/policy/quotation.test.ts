import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isQuotedFrom, occursIn, saysValue, spokenTexts } from '../../../src/capture/policy/quotation.js'
import { GUEST_TURN, OWNER_TURN, UNKNOWN_TURN } from './support.js'

describe('a quote occurs (CAP-8)', () => {
  test.each([
    ['word for word', 'green tea', 'I like green tea.'],
    ['across lines', 'green tea', 'I like green\n\t tea.'],
    ['with other white space of its own', 'green \u00a0 tea', 'I like green tea.'],
    ['in compatibility forms', 'ﬁne ｔｅａ', 'A fine tea.'],
    ['composed or not', 'cafe\u0301', 'At the café.'],
    ['in Japanese', '緑茶が好き', '私は緑茶が好きです。'],
    ['around an invisible control', 'שלום', 'אמר \u200fשלום\u200f.'],
    ['as all of it', 'Tea.', 'Tea.'],
    ['as a picture', '🍵', 'Me? 🍵!'],
  ])('%s', (_name, quote, text) => {
    expect(occursIn(quote, text)).toBe(true)
  })

  test.each([
    ['in another case', 'Green tea', 'I like green tea.'],
    ['with a word left out', 'like tea', 'I like green tea.'],
    ['in other words', 'prefers green tea', 'I like green tea.'],
    ['when it is empty', '', 'I like green tea.'],
    ['when it is white space', ' \n', 'I like green tea.'],
    ['in nothing', 'tea', ''],
    ['when it says nothing', '.', 'I like green tea.'],
    ['when it is quotation marks', '“ ”', 'I like “ ” green tea.'],
    ['with look-alike letters', 'green tеa', 'I like green tea.'],
  ])('not %s', (_name, quote, text) => {
    expect(occursIn(quote, text)).toBe(false)
  })

  test('any part of a text occurs in it, however its white space is', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'bc', '猫', 'é'), { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        fc.constantFrom(' ', '\n', '  '),
        (words, from, count, space) => {
          const start = from % words.length
          const part = words.slice(start, start + 1 + (count % words.length))
          expect(occursIn(part.join(space), words.join(' '))).toBe(true)
        },
      ),
    ))
})

describe('whose words they are', () => {
  test.each([
    { turn: OWNER_TURN, source: 'user', quote: 'I prefer green tea', is: true },
    { turn: GUEST_TURN, source: 'user', quote: 'I prefer green tea', is: true },
    { turn: OWNER_TURN, source: 'user', quote: 'Ana works at Volvo', is: false },
    { turn: UNKNOWN_TURN, source: 'user', quote: 'I prefer green tea', is: false },
    { turn: OWNER_TURN, source: 'assistant', quote: 'Ana works at Volvo', is: true },
    { turn: OWNER_TURN, source: 'document', quote: 'I prefer green tea', is: true },
    { turn: UNKNOWN_TURN, source: 'tool', quote: 'The build failed', is: true },
    { turn: OWNER_TURN, source: 'assistant', quote: 'Ana works at Saab', is: false },
  ] as const)('$source: $quote → $is', ({ turn, source, quote, is }) => {
    expect(isQuotedFrom(source, quote, spokenTexts(turn))).toBe(is)
  })
})

describe('a value is said', () => {
  const nameOf = (id: string) => ({ 'place:lund': 'Lund', 'person:ana': 'Ana' })[id]
  const texts = ['My sister Ana lives in Lund', 'Ana was born on 1990-05-03.']
  test.each([
    { value: { type: 'text', text: 'lives in Lund' }, is: true },
    { value: { type: 'text', text: 'lives in Oslo' }, is: false },
    { value: { type: 'date', date: '1990-05-03' }, is: true },
    { value: { type: 'date', date: '1990-05-04' }, is: false },
    { value: { type: 'entity', entityId: 'place:lund' }, is: true },
    { value: { type: 'entity', entityId: 'place:oslo' }, is: false },
    { value: { type: 'entity', entityId: 'person:owner' }, is: true },
    { value: { type: 'relationship', role: 'sister', target: 'Ana' }, is: true },
    { value: { type: 'relationship', role: 'sister', target: 'person:ana' }, is: true },
    { value: { type: 'relationship', role: 'sister', target: 'person:owner' }, is: true },
    { value: { type: 'relationship', role: 'brother', target: 'Ana' }, is: false },
    { value: { type: 'relationship', role: 'sister', target: 'Eva' }, is: false },
  ] as const)('$value → $is', ({ value, is }) => {
    expect(saysValue(value, texts, nameOf)).toBe(is)
  })
})
