import type { FactKey } from '@mono-agent/memory-store'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { factSheet, MAX_SHEET_BYTES, MAX_SHEET_ENTITIES, MAX_SHEET_FACTS } from '../../src/recall/fact-sheet.js'
import { statedFacts } from '../../src/recall/facts.js'
import { factOf, rowOf, text, vantageAt } from './support/rows.js'
import { storedTexts } from './support/stored-texts.js'

const NOW = vantageAt('2026-05-01T12:00:00Z')
const NAMES = new Map([
  ['person:ana', 'Ana'],
  ['person:bo', 'Bo'],
])

/** Facts of one memory each. */
const stated = (...labels: ReturnType<typeof factOf>[]) =>
  statedFacts(
    labels.map((label, at) => rowOf({ id: `m${at}`, labels: [label] })),
    NOW,
  )
const linesOf = (facts: ReturnType<typeof stated>) => factSheet(facts, NAMES)?.text.split('\n').slice(1)

describe('fact sheet (REC-6)', () => {
  test('by entity, current before history, whatever the order', () => {
    const facts = stated(
      factOf('home_location', text('Oslo'), { validTo: '2026-01-31', attribution: 'document' }),
      factOf('birth_date', { type: 'date', date: '1990-05-01' }, { entityId: 'person:bo' }),
      factOf('home_location', text('Lund')),
      factOf('home_location', text('Bergen'), { validFrom: '2027-01-01' }),
    )
    expect(factSheet(facts, NAMES)?.kind).toBe('fact_sheet')
    expect(linesOf(facts)).toEqual([
      'Ana (person:ana):',
      '- home town: Lund (you said, recorded 2026-05-01)',
      '- home town: Oslo (from a document, recorded 2026-05-01, ended 2026-01-31)',
      '- home town: Bergen (you said, recorded 2026-05-01, from 2027-01-01)',
      'Bo (person:bo):',
      '- birth date: 1990-05-01 (you said, recorded 2026-05-01)',
    ])
  })

  test('no facts, no sheet', () => {
    expect(factSheet([], NAMES)).toBeUndefined()
  })

  test('said alike by several memories, shown once; by another voucher, shown too', () => {
    const facts = stated(
      factOf('home_location', text('Lund')),
      factOf('home_location', text('LUND')),
      factOf('home_location', text('Lund'), { attribution: 'document' }),
    )
    expect(linesOf(facts)).toEqual([
      'Ana (person:ana):',
      '- home town: Lund (you said, recorded 2026-05-01)',
      '- home town: Lund (from a document, recorded 2026-05-01)',
    ])
  })

  test.each([
    [MAX_SHEET_FACTS, MAX_SHEET_FACTS, undefined],
    [MAX_SHEET_FACTS + 1, MAX_SHEET_FACTS, '(1 more, not shown)'],
  ])('of %s facts of one entity, %s', (given, shown, more) => {
    const lines = linesOf(stated(...Array.from({ length: given }, (_, at) => factOf(`other:k${at}`, text('x'))))) ?? []
    expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(shown)
    expect(lines.find((line) => line.startsWith('('))).toBe(more)
  })

  test.each([
    [MAX_SHEET_ENTITIES, undefined],
    [MAX_SHEET_ENTITIES + 1, '(1 more, not shown)'],
  ])('of %s entities', (given, more) => {
    const facts = Array.from({ length: given }, (_, at) =>
      factOf('full_name', text('x'), { entityId: `person:p${at}` }),
    )
    const lines = linesOf(stated(...facts)) ?? []
    expect(lines.filter((line) => line.endsWith(':'))).toHaveLength(MAX_SHEET_ENTITIES)
    expect(lines.find((line) => line.startsWith('('))).toBe(more)
  })

  test('never longer than its bound, each line whole, nothing forged, for any values', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(storedTexts, fc.nat(6)), { minLength: 1, maxLength: 60 }), (values) => {
        const facts = values.map(([value, entity], at) =>
          factOf(`other:k${at}` as FactKey, text(value.repeat(4).slice(0, 160)), { entityId: `person:p${entity}` }),
        )
        const sheet = factSheet(stated(...facts), NAMES)?.text ?? ''
        expect(Buffer.byteLength(sheet)).toBeLessThanOrEqual(MAX_SHEET_BYTES)
        expect(sheet).not.toMatch(/[<>]|`{3}/)
        const [, ...lines] = sheet.split('\n')
        for (const line of lines) {
          expect(line).toMatch(
            /^(?:- k\d+: ?.*\(you said, recorded 2026-05-01\)|p\d \(person:p\d\):|\(\d+ more, not shown\))$/u,
          )
          expect(line.match(/\(you said, recorded/g) ?? []).toHaveLength(line.startsWith('- ') ? 1 : 0)
        }
      }),
    ))
})
