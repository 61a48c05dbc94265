import type { FactLabel } from '@mono-agent/memory-store'
import { describe, expect, test } from 'vitest'
import { evidenceNote, MAX_NOTED_CONFLICTS, MAX_NOTED_VALUES } from '../../src/recall/evidence-note.js'
import { statedFacts } from '../../src/recall/facts.js'
import { factOf, hitOf, rowOf, STRONG, text, vantageAt, WEAK } from './support/rows.js'
import { ATTACKS } from './support/stored-texts.js'

const VANTAGE = vantageAt('2026-05-01T12:00:00Z')
const NAMES = new Map([
  ['person:ana', 'Ana'],
  ['place:lund', 'Lund'],
])
const home = (value: string, fields: Partial<FactLabel> = {}) => factOf('home_location', text(value), fields)

const noteOf = (
  labels: readonly FactLabel[],
  { score = 0.9, sheet = [] as readonly FactLabel[], calibration = STRONG } = {},
) =>
  evidenceNote({
    candidates: labels.map((label, at) => hitOf(score, { id: `m${at}`, labels: [label] })),
    facts: statedFacts(
      sheet.map((label, at) => rowOf({ id: `s${at}`, labels: [label] })),
      VANTAGE,
    ),
    names: NAMES,
    vantage: VANTAGE,
    calibration,
  })

describe('conflicting values (REC-5)', () => {
  const owner = { entityId: 'person:owner' }
  test.each<[string, FactLabel[], boolean]>([
    ['other values', [home('Lund'), home('Oslo')], true],
    ['the same value', [home('Lund'), home('Lund')], false],
    ['the same value in another spelling', [home('Málaga'), home(' malaga ')], false],
    [
      'an entity and its name',
      [home('lund'), factOf('home_location', { type: 'entity', entityId: 'place:lund' })],
      false,
    ],
    ['other subjects', [home('Lund'), home('Oslo', owner)], false],
    ['other properties', [home('Lund'), factOf('work_location', text('Oslo'))], false],
    ['one has ended', [home('Lund'), home('Oslo', { validTo: '2026-04-30' })], false],
    ['one ends today', [home('Lund'), home('Oslo', { validTo: '2026-05-01' })], true],
    ['one is to come', [home('Lund'), home('Oslo', { validFrom: '2026-05-02' })], false],
    ['other vouchers', [home('Lund'), home('Oslo', { attribution: 'assistant-inferred' })], true],
    ['other own keys', [factOf('other:size', text('42')), factOf('other:size', text('43'))], true],
    [
      'two sisters',
      [
        factOf('relationship', { type: 'relationship', role: 'sister', target: 'Eva' }),
        factOf('relationship', { type: 'relationship', role: 'sister', target: 'Ida' }),
      ],
      false,
    ],
    [
      'two roles of one person',
      [
        factOf('relationship', { type: 'relationship', role: 'boss', target: 'Eva' }),
        factOf('relationship', { type: 'relationship', role: 'friend', target: 'Eva' }),
      ],
      false,
    ],
  ])('%s', (_name, labels, isConflict) => {
    expect(noteOf(labels)?.evidence).toBe(isConflict ? 'conflicting' : undefined)
    expect(noteOf([], { sheet: labels })?.evidence).toBe(isConflict ? 'conflicting' : undefined)
    const [first, ...rest] = labels
    expect(noteOf([first as FactLabel], { sheet: rest })?.evidence).toBe(isConflict ? 'conflicting' : undefined)
  })

  test('says which, and of whom', () => {
    expect(noteOf([home('Lund'), home('Oslo', { attribution: 'unknown' })])?.note).toBe(
      'Conflicting values: Ana, home town: Lund (you said, recorded 2026-05-01) or Oslo (recorded 2026-05-01). Ask which holds.',
    )
  })

  test.each([
    [7, 'conflicting'],
    [8, undefined],
  ])('the other value at place %s from 0: %s', (place, evidence) => {
    const others = Array.from({ length: place - 1 }, (_, at) => factOf(`other:k${at}`, text('x')))
    expect(noteOf([home('Lund'), ...others, home('Oslo')])?.evidence).toBe(evidence)
  })

  test.each([
    [MAX_NOTED_VALUES, false],
    [MAX_NOTED_VALUES + 1, true],
  ])('%s values', (count, isMore) => {
    const { note } = noteOf(Array.from({ length: count }, (_, at) => home(`Town ${at}`))) ?? { note: '' }
    expect(note.match(/Town/g)).toHaveLength(MAX_NOTED_VALUES)
    expect(note.includes('or 1 more. Ask')).toBe(isMore)
  })

  test.each([
    [MAX_NOTED_CONFLICTS, false],
    [MAX_NOTED_CONFLICTS + 1, true],
  ])('%s conflicts', (count, isMore) => {
    const labels = Array.from({ length: count }, (_, at) => at).flatMap((at) => [
      factOf(`other:k${at}`, text('x')),
      factOf(`other:k${at}`, text('y')),
    ])
    const { note } = noteOf([], { sheet: labels }) ?? { note: '' }
    expect(note.match(/ or /g)).toHaveLength(MAX_NOTED_CONFLICTS)
    expect(note.includes('; 1 more. Ask')).toBe(isMore)
  })

  test.each(ATTACKS)('stored text is shown as such: %j', (attack) => {
    const { note } = noteOf([home(attack), home('Lund')]) ?? { note: '' }
    expect(note).not.toMatch(/[<>\n]|`{3}/u)
    expect(note).not.toContain('\u001b')
    expect(note.match(/\((?:you said, )?recorded/g)).toHaveLength(2)
  })
})

describe('insufficient evidence (REC-5)', () => {
  test.each([
    ['below the floor', STRONG, 0.6499999, 'insufficient'],
    ['at the floor', STRONG, 0.65, undefined],
    ['above it', STRONG, 0.6500001, undefined],
    ['weak model, below', WEAK, 1.0999999, 'insufficient'],
    ['weak model, at', WEAK, 1.1, undefined],
  ])('%s', (_name, calibration, score, evidence) => {
    const found = noteOf([home('Lund')], { score, calibration })
    expect(found?.evidence).toBe(evidence)
    if (evidence !== undefined) expect(found?.note).toMatch(/^Insufficient evidence: /)
  })

  test('a conflict counts more', () => {
    expect(noteOf([home('Lund'), home('Oslo')], { score: 0.1 })?.evidence).toBe('conflicting')
  })

  test('nothing is said of no hits, nor where the best waits for its vector', () => {
    expect(noteOf([])).toBeUndefined()
    const candidates = [hitOf(0.3, {}, { waits: true }), hitOf(0.2)]
    expect(evidenceNote({ candidates, facts: [], names: NAMES, vantage: VANTAGE, calibration: STRONG })).toBeUndefined()
  })
})
