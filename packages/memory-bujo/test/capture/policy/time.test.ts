import type { FactLabel, MemoryLabel } from '@mono-agent/memory-store'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { historyType } from '../../../src/capture/policy/tasks.js'
import { isDated, isDatedSupersession, latestDate } from '../../../src/capture/policy/time.js'
import { withValidity } from '../../../src/capture/policy/validity.js'
import { COARSE } from './support.js'

describe('ISO dates in a text (CAP-17)', () => {
  test.each([
    ['one', 'Moved on 2026-05-01.', '2026-05-01'],
    ['the later of two', 'From 2026-05-01 to 2026-06-01.', '2026-06-01'],
    ['the later, told first', '2027-01-01, not 2026-12-31', '2027-01-01'],
    ['that of an instant', 'At 2026-05-01T09:00:00Z.', '2026-05-01'],
    ['between words of another script', '于2026-05-01去了', '2026-05-01'],
    ['a leap day', '2024-02-29', '2024-02-29'],
    ['no leap day', '2026-02-29', undefined],
    ['no such month', '2026-13-01', undefined],
    ['a valid one beside an invalid one', '2026-13-01 or 2026-05-01', '2026-05-01'],
    ['a date without zeroes', '2026-5-1', undefined],
    ['another notation', '1 May 2026, 01.05.2026, 05/01/2026', undefined],
    ['a part of a longer number', '12026-05-01, 2026-05-012', undefined],
    ['a part of an id', 'run-2026-05-01, 2026-05-01-3, v2026-05-01', undefined],
    ['none', 'Green tea.', undefined],
  ])('%s', (_name, text, expected) => {
    expect(latestDate(text)).toBe(expected)
    expect(isDated(text)).toBe(expected !== undefined)
  })

  test.each([
    ['new date, old without', 'In Lund since 2026-05-01.', 'In Oslo.', true],
    ['new date later', 'In Lund since 2026-05-01.', 'In Oslo since 2025-01-01.', true],
    ['new date by a day later', 'In Lund since 2026-05-01.', 'In Oslo since 2026-04-30.', true],
    ['same date', 'In Lund since 2026-05-01.', 'In Lundt since 2026-05-01.', false],
    ['new date earlier', 'In Lund since 2025-01-01.', 'In Oslo since 2026-05-01.', false],
    ['old date alone', 'In Lund.', 'In Oslo since 2026-05-01.', false],
    ['no dates', 'In Lund.', 'In Oslo.', false],
    ['the latest of each counts', 'From 2024-01-01, till 2026-05-01.', 'From 2025-01-01.', true],
  ])('dated supersession: %s → %s', (_name, text, old, is) => {
    expect(isDatedSupersession(text, { text: old })).toBe(is)
  })

  test('the latest of any days is their maximum', () =>
    fc.assert(
      fc.property(
        fc.array(fc.date({ noInvalidDate: true, min: new Date('1000-01-01'), max: new Date('9999-12-31') }), {
          minLength: 1,
        }),
        (dates) => {
          const days = dates.map((date) => date.toISOString().slice(0, 10))
          expect(latestDate(days.join(' … '))).toBe(days.sort().at(-1))
        },
      ),
    ))
})

describe('memory is no task list (CAP-18)', () => {
  test.each([
    ['task', { type: 'note', status: 'open', mayBeCoarseFact: false }],
    ['note', { type: 'note', status: 'open', mayBeCoarseFact: true }],
    ['event', { type: 'event', status: 'open', mayBeCoarseFact: true }],
  ] as const)('%s', (type, expected) => {
    expect(historyType(type)).toEqual(expected)
  })
})

describe('validity goes onto fact labels that have none', () => {
  const home: FactLabel = {
    kind: 'fact',
    entityId: 'person:ana',
    key: 'home_location',
    value: { type: 'text', text: 'Lund' },
    attribution: 'document',
  }
  const preference: MemoryLabel = { kind: 'preference', scope: 'agent', attribution: 'user-stated' }
  const lesson: MemoryLabel = { kind: 'lesson', scope: 'agent', verified: true }
  test.each<[string, MemoryLabel, Parameters<typeof withValidity>[1], MemoryLabel]>([
    [
      'both ends',
      home,
      { validFrom: '2026-05-01', validTo: '2027-05-01' },
      { ...home, validFrom: '2026-05-01', validTo: '2027-05-01' },
    ],
    ['a beginning', home, { validFrom: '2026-05-01' }, { ...home, validFrom: '2026-05-01' }],
    ['an end', home, { validTo: '2027-05-01' }, { ...home, validTo: '2027-05-01' }],
    ['nothing', home, {}, home],
    ['onto the coarse fact', COARSE, { validTo: '2027-05-01' }, { ...COARSE, validTo: '2027-05-01' }],
    [
      'not onto one with its own',
      { ...home, validFrom: '2020-01-01', validTo: '2021-01-01' },
      { validTo: '2027-05-01' },
      { ...home, validFrom: '2020-01-01', validTo: '2021-01-01' },
    ],
    [
      'not onto one with half of its own',
      { ...home, validTo: '2021-01-01' },
      { validFrom: '2026-05-01' },
      { ...home, validTo: '2021-01-01' },
    ],
    ['not onto a preference', preference, { validTo: '2027-05-01' }, preference],
    ['not onto a lesson', lesson, { validTo: '2027-05-01' }, lesson],
  ])('%s', (_name, label, validity, expected) => {
    expect(withValidity([label], validity)).toEqual([expected])
  })
})
