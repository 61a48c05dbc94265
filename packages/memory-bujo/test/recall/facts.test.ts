import type { FactKey, FactLabel, FactValue } from '@mono-agent/memory-store'
import type { IndexedMemory } from '@mono-agent/memory-search'
import { describe, expect, test } from 'vitest'
import { factMarks } from '../../src/recall/fact-marks.js'
import { factWords } from '../../src/recall/fact-words.js'
import { statedFacts } from '../../src/recall/facts.js'
import { factOf, rowOf, text, vantageAt } from './support/rows.js'

const NOW = vantageAt('2026-05-01T12:00:00Z')

describe('when a fact is current (REC-6)', () => {
  test.each<[string, Partial<FactLabel>, Partial<IndexedMemory>, boolean, string | undefined]>([
    ['a plain one', {}, {}, true, undefined],
    ['its own end is past', { validTo: '2026-04-30' }, {}, false, '2026-04-30'],
    ['its own end is today', { validTo: '2026-05-01' }, {}, true, undefined],
    ['its end was a moment ago', { validTo: '2026-05-01T13:59:59.999+02:00' }, {}, false, '2026-05-01'],
    ['its end is now', { validTo: '2026-05-01T14:00:00+02:00' }, {}, true, undefined],
    ['it begins today', { validFrom: '2026-05-01' }, {}, true, undefined],
    ['it begins tomorrow', { validFrom: '2026-05-02' }, {}, false, undefined],
    ['it begins now', { validFrom: '2026-05-01T12:00:00Z' }, {}, true, undefined],
    ['it begins in a moment', { validFrom: '2026-05-01T12:00:00.001Z' }, {}, false, undefined],
    ['its memory was superseded', {}, { supersededBy: 'm2' }, false, undefined],
    ['its memory was superseded, and it ended', { validTo: '2026-04-30' }, { supersededBy: 'm2' }, false, '2026-04-30'],
    ['its memory is an event that is over', {}, { type: 'event', dueAt: '2026-04-30' }, false, '2026-04-30'],
    ['its memory is a task that is invalidated', {}, { type: 'task', status: 'invalidated' }, false, undefined],
  ])('%s', (_name, label, memory, isCurrent, endedOn) => {
    const row = rowOf({ ...memory, labels: [factOf('home_location', text('Lund'), label)] })
    const [fact] = statedFacts([row], NOW)
    expect(fact?.isCurrent).toBe(isCurrent)
    expect(fact?.endedOn).toBe(endedOn)
    expect(fact?.memory).toBe(row)
  })

  test('each of several labels is judged by itself; what is no keyed fact takes no part', () => {
    const labels = [
      factOf('home_location', text('Oslo'), { validTo: '2026-04-30' }),
      factOf('home_location', text('Lund')),
      { kind: 'fact', entityId: 'person:owner', attribution: 'user-stated' },
      { kind: 'preference', scope: 'agent', attribution: 'user-stated' },
      { kind: 'lesson', scope: 'agent', verified: true },
    ] as const
    const facts = statedFacts([rowOf({ id: 'a' }), rowOf({ id: 'b', labels })], NOW)
    expect(facts.map(({ value, isCurrent }) => [value, isCurrent])).toEqual([
      [text('Oslo'), false],
      [text('Lund'), true],
    ])
  })
})

describe('facts in words, never JSON (REC-6)', () => {
  const names = new Map([
    ['place:lund', 'Lund'],
    ['person:ana', 'Ana'],
  ])
  test.each<[FactKey, FactValue, string]>([
    ['birth_date', { type: 'date', date: '1990-05-01' }, 'birth date: 1990-05-01'],
    ['full_name', text('Ana Berg'), 'full name: Ana Berg'],
    ['preferred_name', text('Annie'), 'preferred name: Annie'],
    ['home_location', { type: 'entity', entityId: 'place:lund' }, 'home town: Lund'],
    ['home_location', { type: 'entity', entityId: 'place:new-york' }, 'home town: new york'],
    ['work_location', text('Malmö'), 'work place: Malmö'],
    ['relationship', { type: 'relationship', role: 'sister', target: 'person:ana' }, 'relationship: sister (Ana)'],
    ['relationship', { type: 'relationship', role: 'boss', target: 'Eva Holm' }, 'relationship: boss (Eva Holm)'],
    ['other:shoe-size', text('42'), 'shoe size: 42'],
  ])('%s', (key, value, words) => {
    expect(factWords({ key, value }, names)).toBe(words)
  })

  test.each<[string, Partial<FactLabel>, Partial<IndexedMemory>, string]>([
    ['said by the owner', {}, {}, 'you said, recorded 2026-05-01'],
    ['from a document', { attribution: 'document' }, {}, 'from a document, recorded 2026-05-01'],
    ['inferred', { attribution: 'assistant-inferred' }, {}, 'assistant noted, recorded 2026-05-01'],
    ['of unknown origin', { attribution: 'unknown' }, {}, 'recorded 2026-05-01'],
    ['ended', { validTo: '2026-03-01' }, {}, 'you said, recorded 2026-05-01, ended 2026-03-01'],
    ['superseded', { validTo: '2026-03-01' }, { supersededBy: 'x' }, 'you said, recorded 2026-05-01, superseded'],
    ['to come', { validFrom: '2027-01-01' }, {}, 'you said, recorded 2026-05-01, from 2027-01-01'],
  ])('what is said of one that is %s', (_name, label, memory, marks) => {
    const [fact] = statedFacts([rowOf({ ...memory, labels: [factOf('full_name', text('x'), label)] })], NOW)
    expect(factMarks(fact as NonNullable<typeof fact>)).toBe(marks)
  })
})
