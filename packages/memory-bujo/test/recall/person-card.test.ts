import type { FactLabel } from '@mono-agent/memory-store'
import type { IndexedMemory } from '@mono-agent/memory-search'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ageOn } from '../../src/recall/age.js'
import { statedFacts } from '../../src/recall/facts.js'
import { personCard } from '../../src/recall/person-card.js'
import type { Vantage } from '../../src/recall/types.js'
import { fact, MAY, memory, vantage } from './support/block-rows.js'

const ANA = { id: 'person:ana', name: 'Ana' }
const NAMES = new Map([
  ['place:lund', 'Lund'],
  ['person:eva', 'Eva'],
])

const states = (label: Partial<FactLabel>, fields: Partial<IndexedMemory> = {}): IndexedMemory => {
  const id = fields.id ?? JSON.stringify(label)
  return memory({ text: id, id, labels: [fact(label)], ...fields })
}
const cardOf = (memories: readonly IndexedMemory[], at: Vantage = MAY) =>
  personCard(ANA, statedFacts(memories, at), at, NAMES)
const linesOf = (memories: readonly IndexedMemory[], at: Vantage = MAY) =>
  (cardOf(memories, at)?.lines ?? []).map(({ text }) => text)

const text = (value: string) => ({ type: 'text', text: value }) as const

test('a card says all that is known', () => {
  const memories = [
    states({ key: 'other:shoe-size', value: text('41') }),
    states({ key: 'other:diet', value: text('vegan'), attribution: 'document' }),
    states({ key: 'relationship', value: { type: 'relationship', role: 'sister', target: 'person:eva' } }),
    states({ key: 'home_location', value: { type: 'entity', entityId: 'place:lund' } }),
    states({ key: 'full_name', value: text('Ana Berg') }),
    states({ key: 'birth_date', value: { type: 'date', date: '1990-05-20' } }),
  ]
  const card = cardOf(memories)
  expect(card?.kind).toBe('person')
  expect(card?.heading).toBe('Known of Ana (person:ana), may be outdated:')
  expect(card?.lines.map((line) => line.text)).toEqual([
    '- full name: Ana Berg (you said, recorded 2026-05-01)',
    '- birth date: 1990-05-20, age 36 (you said, recorded 2026-05-01)',
    '- relationship: sister (Eva) (you said, recorded 2026-05-01)',
    '- home town: Lund (you said, recorded 2026-05-01)',
    '- diet: vegan (from a document, recorded 2026-05-01)',
    '- shoe size: 41 (you said, recorded 2026-05-01)',
  ])
  expect(card?.lines.map(({ memoryIds }) => memoryIds)).toEqual([4, 5, 2, 3, 1, 0].map((at) => [memories[at]?.id]))
})

describe('left out', () => {
  test.each([
    { name: 'what is about another', given: states({ entityId: 'person:eva' }) },
    { name: 'what the assistant inferred', given: states({ attribution: 'assistant-inferred' }) },
    { name: 'what nobody vouches for', given: states({ attribution: 'unknown' }) },
    { name: 'what was superseded', given: states({}, { supersededBy: 'x' }) },
    { name: 'what was invalidated', given: states({}, { status: 'invalidated' }) },
    { name: 'what has ended', given: states({ validTo: '2026-05-19' }) },
    { name: 'what has not begun', given: states({ validFrom: '2026-05-21' }) },
    { name: 'a memory without facts', given: memory({ text: 'x' }) },
  ])('$name', ({ given }) => {
    expect(cardOf([given])).toBeUndefined()
  })

  test.each([
    { validFrom: '2026-05-20', shown: true },
    { validTo: '2026-05-20', shown: true },
    { validTo: '2026-05-20T12:00:00.000Z', shown: true },
    { validTo: '2026-05-20T11:59:59.999Z', shown: false },
    { validTo: '2026-05-20T13:59:59.999+02:00', shown: false },
  ])('at its bounds: $validFrom $validTo', ({ shown, ...validity }) => {
    expect(linesOf([states(validity)])).toHaveLength(shown ? 1 : 0)
  })

  test('what intent expiry leaves out', () => {
    const dated = states({}, { dueAt: '2027-01-01' })
    expect(linesOf([dated])).toHaveLength(1)
    expect(linesOf([dated], { ...MAY, intentExpiry: true })).toEqual([])
  })
})

describe('two current values', () => {
  test('of one key are for the person to decide', () => {
    const card = cardOf([states({ value: text('Lund') }, { id: 'a' }), states({ value: text('Malmö') }, { id: 'b' })])
    expect(card?.lines).toEqual([{ text: '- home town: conflicting values — ask', memoryIds: ['a', 'b'] }])
  })

  test('differ whoever vouches for them', () => {
    const other = states({ value: text('Malmö'), attribution: 'document' })
    expect(linesOf([states({}), other])).toEqual(['- home town: conflicting values — ask'])
  })

  test.each([
    { name: 'has ended', given: states({ value: text('Malmö'), validTo: '2026-05-19' }) },
    { name: 'the assistant inferred', given: states({ value: text('Malmö'), attribution: 'assistant-inferred' }) },
    { name: 'is of another', given: states({ entityId: 'person:eva', value: text('Malmö') }) },
    { name: 'is of another key', given: states({ key: 'work_location', value: text('Malmö') }) },
  ])('do not differ where one $name', ({ given }) => {
    expect(linesOf([states({}), given])[0]).toBe('- home town: Lund (you said, recorded 2026-05-01)')
  })

  test('that are one in words stand once, as who counts most said it last', () => {
    const same = [
      states({ value: text('LUND') }, { id: 'a', createdAt: '2026-05-02T00:00:00.000Z' }),
      states({ value: { type: 'entity', entityId: 'place:lund' } }, { id: 'b', createdAt: '2026-05-03T00:00:00.000Z' }),
      states({ attribution: 'document' }, { id: 'c', createdAt: '2026-05-04T00:00:00.000Z' }),
    ]
    expect(cardOf(same)?.lines).toEqual([
      { text: '- home town: Lund (you said, recorded 2026-05-03)', memoryIds: ['b'] },
    ])
  })

  test('of a relationship are two relationships', () => {
    const sister = (target: string) =>
      states({ key: 'relationship', value: { type: 'relationship', role: 'sister', target } }, { id: target })
    expect(linesOf([sister('person:eva'), sister('Mia')])).toEqual([
      '- relationship: sister (Mia) (you said, recorded 2026-05-01)',
      '- relationship: sister (Eva) (you said, recorded 2026-05-01)',
    ])
  })
})

describe('age', () => {
  test.each([
    { born: '1990-05-20', day: '2026-05-19', age: 35 },
    { born: '1990-05-20', day: '2026-05-20', age: 36 },
    { born: '1990-05-20', day: '2026-05-21', age: 36 },
    { born: '2000-02-29', day: '2026-02-28', age: 25 },
    { born: '2000-02-29', day: '2026-03-01', age: 26 },
    { born: '2000-02-29', day: '2028-02-28', age: 27 },
    { born: '2000-02-29', day: '2028-02-29', age: 28 },
    { born: '1999-12-31', day: '2000-01-01', age: 0 },
    { born: '2026-05-20', day: '2026-05-20', age: 0 },
    { born: '2026-05-21', day: '2026-05-20', age: undefined },
  ])('of who was born on $born is $age on $day', ({ born, day, age }) => {
    expect(ageOn(born, day)).toBe(age)
  })

  const born = states({ key: 'birth_date', value: { type: 'date', date: '1990-05-20' } })
  test.each([
    { at: '2026-05-19T18:14:59.999Z', timeZone: 'Asia/Kathmandu', age: 35 },
    { at: '2026-05-19T18:15:00.000Z', timeZone: 'Asia/Kathmandu', age: 36 },
    { at: '2026-05-20T03:59:59.999Z', timeZone: 'America/New_York', age: 35 },
    { at: '2026-05-20T04:00:00.000Z', timeZone: 'America/New_York', age: 36 },
  ])('turns at midnight of the zone: $at in $timeZone', ({ at, timeZone, age }) => {
    expect(linesOf([born], vantage(at, timeZone))[0]).toContain(`1990-05-20, age ${age} (`)
  })

  test('of who is born on a day that a zone leaves out', () => {
    const apia = states({ key: 'birth_date', value: { type: 'date', date: '2001-12-30' } })
    expect(linesOf([apia], vantage('2011-12-30T09:59:59.999Z', 'Pacific/Apia'))[0]).toContain('age 9 ')
    expect(linesOf([apia], vantage('2011-12-30T10:00:00.000Z', 'Pacific/Apia'))[0]).toContain('age 10 ')
  })

  test('is told of a birth date alone, and not before it', () => {
    const date = (value: string) => ({ type: 'date', date: value }) as const
    expect(linesOf([states({ key: 'other:joined', value: date('1990-05-20') })])[0]).not.toContain('age')
    expect(linesOf([states({ key: 'birth_date', value: date('2026-05-21') })])[0]).toBe(
      '- birth date: 2026-05-21 (you said, recorded 2026-05-01)',
    )
  })
})

describe('bounds', () => {
  test.each([19, 20, 21])('%s facts', (count) => {
    const memories = Array.from({ length: count }, (_, at) => states({ key: `other:k${at + 10}`, value: text('x') }))
    expect(linesOf(memories)).toEqual(
      memories.slice(0, 20).map((_, at) => `- k${at + 10}: x (you said, recorded 2026-05-01)`),
    )
  })

  test.each([359, 360, 361])('words of %s bytes', (bytes) => {
    const value = 'ä'.repeat(150) + 'x'.repeat(bytes - 300 - Buffer.byteLength('k: '))
    const [line] = linesOf([states({ key: 'other:k', value: text(value) })])
    const words = bytes <= 360 ? `k: ${value}` : `k: ${value.slice(0, -4)}…`
    expect(line).toBe(`- ${words} (you said, recorded 2026-05-01)`)
  })
})

test('nothing of a conversation is shown', () => {
  const { lines } = cardOf([states({}, { conversationId: 'secret', text: 'secret' })]) ?? { lines: [] }
  expect(JSON.stringify(lines.map((line) => line.text))).not.toMatch(/secret|source/)
})

test('the order of the facts does not matter', () => {
  const rows = fc.uniqueArray(
    fc.record({
      id: fc.nat(20).map((id) => `m${id}`),
      key: fc.constantFrom('home_location', 'other:a', 'other:b', 'relationship'),
      value: fc.constantFrom('Lund', 'lund', 'Malmö'),
      attribution: fc.constantFrom('user-stated', 'document'),
      day: fc.integer({ min: 10, max: 12 }),
    }),
    { selector: ({ id }) => id },
  )
  fc.assert(
    fc.property(rows, fc.nat(), (given, turn) => {
      const memories = given.map(({ id, key, value, attribution, day }) =>
        states(
          {
            key,
            attribution,
            value: key === 'relationship' ? { type: 'relationship', role: 'friend', target: value } : text(value),
          },
          { id, createdAt: `2026-04-${day}T00:00:00.000Z` },
        ),
      )
      const cut = memories.length === 0 ? 0 : turn % memories.length
      const turned = [...memories.slice(cut), ...memories.slice(0, cut)].reverse()
      expect(JSON.stringify(cardOf(turned))).toBe(JSON.stringify(cardOf(memories)))
    }),
    { numRuns: 500 },
  )
})
