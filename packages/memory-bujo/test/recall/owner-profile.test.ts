import type { FactLabel, MemoryLabel } from '@mono-agent/memory-store'
import type { IndexedMemory } from '@mono-agent/memory-search'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COARSE_OWNER_FACT } from '../../src/capture/policy/labels.js'
import { ownerProfile } from '../../src/recall/owner-profile.js'
import type { Vantage } from '../../src/recall/types.js'
import { fact, lesson, MAY, memory, preference, vantage } from './support/block-rows.js'

const owner = (fields: Partial<FactLabel> = {}) => fact({ entityId: 'person:owner', ...fields })
const told = (text: string, fields: Partial<IndexedMemory> = {}, ...labels: readonly MemoryLabel[]) =>
  memory({ text, labels: labels.length === 0 ? [COARSE_OWNER_FACT] : labels, ...fields })

const profileOf = (facts: readonly IndexedMemory[], preferences: readonly IndexedMemory[] = [], at: Vantage = MAY) =>
  ownerProfile({ facts, preferences }, at, new Map())
const idsOf = (...args: Parameters<typeof profileOf>) =>
  (profileOf(...args)?.lines ?? []).flatMap(({ memoryIds }) => memoryIds)

test('the newest day comes first, then the ids', () => {
  const facts = [
    told('I live in Lund.', { id: 'c', createdAt: '2026-04-01T23:00:00.000Z' }),
    told('I like tea.', { id: 'b', createdAt: '2026-04-02T08:00:00.000Z' }),
  ]
  const preferences = [told('Answer shortly.', { id: 'a', createdAt: '2026-04-02T07:00:00.000Z' }, preference())]
  expect(profileOf(facts, preferences)).toEqual({
    kind: 'profile',
    heading: 'Owner profile, as the owner said it; may be outdated:',
    lines: [
      { text: '- – Answer shortly. (recorded 2026-04-02)', memoryIds: ['a'] },
      { text: '- – I like tea. (recorded 2026-04-02)', memoryIds: ['b'] },
      { text: '- – I live in Lund. (recorded 2026-04-01)', memoryIds: ['c'] },
    ],
  })
})

test('a memory that is a fact and a preference stands once', () => {
  const both = told('x', {}, COARSE_OWNER_FACT, preference())
  expect(idsOf([both], [both])).toEqual(['x'])
})

describe('who and what', () => {
  test.each([
    { name: 'a coarse fact', given: told('x'), shown: true },
    { name: 'a keyed fact', given: told('x', {}, owner()), shown: true },
    { name: 'a preference of the agent', given: told('x', {}, preference()), shown: true },
    { name: 'a preference beside a lesson', given: told('x', {}, preference(), lesson('agent', false)), shown: true },
    { name: 'a fact of the owner and one of another', given: told('x', {}, owner(), fact()), shown: true },
    { name: 'no labels', given: memory({ text: 'x' }), shown: false },
    { name: 'a lesson', given: told('x', {}, lesson()), shown: false },
    { name: 'a fact of another', given: told('x', {}, fact()), shown: false },
    { name: 'a preference of one user', given: told('x', {}, preference('user:u')), shown: false },
    { name: 'a fact from a document', given: told('x', {}, owner({ attribution: 'document' })), shown: false },
    {
      name: 'a preference that was inferred',
      given: told('x', {}, preference('agent', 'assistant-inferred')),
      shown: false,
    },
    { name: 'a fact of nobody known', given: told('x', {}, owner({ attribution: 'unknown' })), shown: false },
    {
      name: 'labels that disagree',
      given: told('x', {}, COARSE_OWNER_FACT, fact({ attribution: 'document' })),
      shown: false,
    },
    { name: 'a line that the assistant noted', given: told('x', { attribution: 'assistant-inferred' }), shown: false },
    { name: 'an event', given: told('x', { type: 'event' }), shown: false },
    { name: 'a task', given: told('x', { type: 'task' }), shown: false },
    { name: 'a dated note', given: told('x', { dueAt: '2027-01-01' }), shown: false },
    { name: 'a done note', given: told('x', { status: 'done' }), shown: false },
    { name: 'a scheduled note', given: told('x', { status: 'scheduled' }), shown: false },
    { name: 'a dropped note', given: told('x', { status: 'dropped' }), shown: false },
    { name: 'a superseded note', given: told('x', { supersededBy: 'y' }), shown: false },
    { name: 'a note of what will hold', given: told('x', {}, owner({ validFrom: '2026-05-21' })), shown: false },
    { name: 'a note of what holds since today', given: told('x', {}, owner({ validFrom: '2026-05-20' })), shown: true },
    { name: 'a fact that ends today', given: told('x', {}, owner({ validTo: '2026-05-20' })), shown: true },
    { name: 'a fact that ended yesterday', given: told('x', {}, owner({ validTo: '2026-05-19' })), shown: false },
    {
      name: 'a coarse fact that ended yesterday',
      given: told('x', {}, { ...COARSE_OWNER_FACT, validTo: '2026-05-19' }),
      shown: false,
    },
    {
      name: 'two facts of which one ended',
      given: told('x', {}, owner(), owner({ key: 'work_location', validTo: '2026-05-19' })),
      shown: false,
    },
  ])('$name: $shown', ({ given, shown }) => {
    expect(idsOf([given], [given])).toEqual(shown ? ['x'] : [])
  })

  test.each([
    { at: '2026-05-20T18:14:59.999Z', shown: true },
    { at: '2026-05-20T18:15:00.000Z', shown: false },
  ])('a fact ends with its day in Kathmandu: $at', ({ at, shown }) => {
    const given = told('x', {}, owner({ validTo: '2026-05-20' }))
    expect(idsOf([given], [], vantage(at, 'Asia/Kathmandu'))).toEqual(shown ? ['x'] : [])
  })
})

describe('facts whose values differ', () => {
  const lund = told('I live in Lund.', {}, owner())
  const malmoe = (fields: Partial<FactLabel> = {}) =>
    told('I live in Malmö.', {}, owner({ value: { type: 'text', text: 'Malmö' }, ...fields }))

  test.each([
    { name: 'both left out', other: malmoe(), shown: [] },
    { name: 'whoever vouches', other: malmoe({ attribution: 'document' }), shown: [] },
    { name: 'not those of another time', other: malmoe({ validTo: '2026-05-19' }), shown: ['I live in Lund.'] },
    { name: 'not those of another', other: malmoe({ entityId: 'person:ana' }), shown: ['I live in Lund.'] },
  ])('are $name', ({ other, shown }) => {
    expect(idsOf([lund, other])).toEqual(shown)
  })

  test('that say the same in other letters do not', () => {
    const same = told('My home is LUND.', {}, owner({ value: { type: 'text', text: 'LUND' } }))
    expect(idsOf([lund, same])).toHaveLength(2)
  })
})

describe('600 code points, heading and line breaks included', () => {
  const HEADING = 'Owner profile, as the owner said it; may be outdated:'
  const AROUND = '\n- –  (recorded 2026-05-01)'
  const room = 600 - HEADING.length - AROUND.length
  const shownLength = (entry: string) => {
    const profile = profileOf([told(entry)])
    return profile && [...[profile.heading, ...profile.lines.map(({ text }) => text)].join('\n')].length
  }

  test.each([
    { letter: 'x', length: room - 1, shown: 599 },
    { letter: 'x', length: room, shown: 600 },
    { letter: 'x', length: room + 1, shown: undefined },
    { letter: '🦊', length: room, shown: 600 },
    { letter: '🦊', length: room + 1, shown: undefined },
  ])('$length times $letter', ({ letter, length, shown }) => {
    expect(shownLength(letter.repeat(length))).toBe(shown)
  })

  test('an entry that does not fit is left out whole, shorter ones after it are not', () => {
    const long = told('x'.repeat(400), { id: 'a' })
    const other = told('y'.repeat(400), { id: 'b' })
    expect(idsOf([long, other, told('z', { id: 'c' })])).toEqual(['a', 'c'])
  })
})

test('the order of the rows does not matter, and the same rows give the same bytes', () => {
  const rows = fc.uniqueArray(
    fc.record({ id: fc.nat(40), length: fc.integer({ min: 1, max: 250 }), day: fc.integer({ min: 10, max: 12 }) }),
    { selector: ({ id }) => id },
  )
  fc.assert(
    fc.property(rows, fc.nat(), (given, turn) => {
      const memories = given.map(({ id, length, day }) =>
        told('x'.repeat(length), { id: `m${id}`, createdAt: `2026-04-${day}T0${id % 10}:00:00.000Z` }),
      )
      const cut = memories.length === 0 ? 0 : turn % memories.length
      const profile = profileOf(memories)
      expect(JSON.stringify(profileOf(memories.slice(cut), memories.slice(0, cut).reverse()))).toBe(
        JSON.stringify(profile),
      )
      const text = [profile?.heading ?? '', ...(profile?.lines ?? []).map((line) => line.text)].join('\n')
      expect([...text].length).toBeLessThanOrEqual(600)
    }),
    { numRuns: 300 },
  )
})
