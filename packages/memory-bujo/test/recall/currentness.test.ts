import type { IndexedMemory } from '@mono-agent/memory-search'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasBegun, hasPassed, standingOf } from '../../src/recall/currentness.js'
import { factOf, rowOf, text, vantageAt } from './support/rows.js'

const CURRENT = { state: 'current' }
const SUPERSEDED = { state: 'superseded' }
const ended = (endedOn: string) => ({ state: 'ended', endedOn })
const validTo = (...ends: (string | undefined)[]): Partial<IndexedMemory> => ({
  labels: ends.map((end, at) => factOf(`other:k${at}`, text('x'), { ...(end === undefined ? {} : { validTo: end }) })),
})

describe('date-only ends close after the local civil day (REC-4)', () => {
  test.each([
    ['UTC', '2026-05-01', '2026-05-01T23:59:59.999Z', '2026-05-02T00:00:00.000Z'],
    ['Asia/Kathmandu', '2026-05-01', '2026-05-01T18:14:59.999Z', '2026-05-01T18:15:00.000Z'],
    ['America/Los_Angeles', '2026-05-01', '2026-05-02T06:59:59.999Z', '2026-05-02T07:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-29T21:59:59.999Z', '2026-03-29T22:00:00.000Z'], // gap: 23 hours
    ['Europe/Berlin', '2026-10-25', '2026-10-25T22:59:59.999Z', '2026-10-25T23:00:00.000Z'], // overlap: 25 hours
    ['Asia/Beirut', '2026-03-28', '2026-03-28T21:59:59.999Z', '2026-03-28T22:00:00.000Z'], // midnight in the gap
    ['America/Havana', '2026-10-31', '2026-11-01T03:59:59.999Z', '2026-11-01T04:00:00.000Z'], // midnight twice
    ['Pacific/Apia', '2011-12-29', '2011-12-30T09:59:59.999Z', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T09:59:59.999Z', '2011-12-30T10:00:00.000Z'], // a day that never was
    ['Pacific/Apia', '2011-12-31', '2011-12-31T09:59:59.999Z', '2011-12-31T10:00:00.000Z'],
  ])('%s, %s', (timeZone, end, last, over) => {
    const event = rowOf({ type: 'event', dueAt: end })
    expect(standingOf(event, vantageAt(last, timeZone))).toEqual(CURRENT)
    expect(standingOf(event, vantageAt(over, timeZone))).toEqual(ended(end))
    expect(standingOf(rowOf(validTo(end)), vantageAt(last, timeZone))).toEqual(CURRENT)
    expect(standingOf(rowOf(validTo(end)), vantageAt(over, timeZone))).toEqual(ended(end))
  })
})

describe('timestamped ends pass with their instant, in their own offset (REC-4)', () => {
  test.each([
    ['2026-05-01T09:00:00Z', '2026-05-01T09:00:00.000Z', '2026-05-01'],
    ['2026-05-02T00:30:00+05:45', '2026-05-01T18:45:00.000Z', '2026-05-02'],
    ['2026-05-01T23:30:00-07:00', '2026-05-02T06:30:00.000Z', '2026-05-01'],
    ['2026-05-01T23:59:59.999+14:00', '2026-05-01T09:59:59.999Z', '2026-05-01'],
  ])('%s', (end, instant, day) => {
    const at = (ms: number, timeZone: string) => ({ at: Date.parse(instant) + ms, timeZone, intentExpiry: false })
    for (const timeZone of ['UTC', 'Asia/Kathmandu', 'Pacific/Apia']) {
      for (const row of [rowOf({ type: 'event', dueAt: end }), rowOf(validTo(end))]) {
        expect(standingOf(row, at(-1, timeZone))).toEqual(CURRENT)
        expect(standingOf(row, at(0, timeZone))).toEqual(CURRENT)
        expect(standingOf(row, at(1, timeZone))).toEqual(ended(day))
      }
    }
  })
})

describe('what ends and what does not', () => {
  const PAST = '2026-04-01'
  const LATER = '2026-06-01'
  test.each<[string, Partial<IndexedMemory>, boolean, object]>([
    ['an event without a date', { type: 'event' }, false, CURRENT],
    ['an event that happened long ago', { type: 'event', occurredAt: '2001-01-01T00:00:00.000Z' }, false, CURRENT],
    ['an event whose date is past', { type: 'event', dueAt: PAST }, false, ended(PAST)],
    ['an event whose date is to come', { type: 'event', dueAt: LATER }, false, CURRENT],
    ['a task that is overdue', { type: 'task', dueAt: PAST }, false, CURRENT],
    ['a task that is overdue, with intent expiry', { type: 'task', dueAt: PAST }, true, CURRENT],
    ['a dated note', { type: 'note', dueAt: PAST }, false, CURRENT],
    ['a dated note, with intent expiry (REC-20)', { type: 'note', dueAt: PAST }, true, ended(PAST)],
    ['a note dated today, with intent expiry: inclusive', { type: 'note', dueAt: '2026-05-01' }, true, CURRENT],
    ['a note that is done', { type: 'note', status: 'done' }, false, CURRENT],
    ['facts that agree on their end', validTo(PAST, PAST), false, ended(PAST)],
    ['facts that have other ends', validTo(PAST, '2026-04-02'), false, CURRENT],
    ['one fact of two has an end', validTo(PAST, undefined), false, CURRENT],
    [
      'the earlier of two ends of its own',
      { type: 'event', dueAt: '2026-04-30', ...validTo(PAST) },
      false,
      ended(PAST),
    ],
    ['one end past, one to come', { type: 'event', dueAt: LATER, ...validTo(PAST) }, false, ended(PAST)],
    [
      'a coarse owner fact has no time',
      { labels: [{ kind: 'fact', entityId: 'person:owner', attribution: 'user-stated', validTo: PAST }] },
      false,
      CURRENT,
    ],
    [
      'validity to come ends nothing',
      { labels: [factOf('home_location', text('Lund'), { validFrom: LATER })] },
      false,
      CURRENT,
    ],
    ['superseded', { supersededBy: 'm2' }, false, SUPERSEDED],
    ['superseded before it ended', { supersededBy: 'm2', ...validTo(PAST) }, false, SUPERSEDED],
    ['invalidated', { type: 'task', status: 'invalidated' }, false, SUPERSEDED],
  ])('%s', (_name, fields, intentExpiry, standing) => {
    expect(standingOf(rowOf(fields), vantageAt('2026-05-01T12:00:00Z', 'UTC', intentExpiry))).toEqual(standing)
  })
})

const days = fc
  .date({ noInvalidDate: true, min: new Date('1950-01-01'), max: new Date('2090-01-01') })
  .map((date) => date.toISOString().slice(0, 10))
const moments = fc.date({ noInvalidDate: true, min: new Date('1950-01-01'), max: new Date('2090-01-01') })
const zones = fc.constantFrom('UTC', 'Asia/Kathmandu', 'Pacific/Apia', 'America/Havana', 'Europe/Berlin')

test('what has passed stays so, and nothing ends before it begins', () =>
  fc.assert(
    fc.property(days, moments, fc.nat(1e12), zones, (day, moment, laterMs, timeZone) => {
      const now = { at: moment.getTime(), timeZone, intentExpiry: false }
      const later = { ...now, at: now.at + laterMs }
      if (hasPassed(day, now)) {
        expect(hasPassed(day, later)).toBe(true)
        expect(hasBegun(day, now)).toBe(true)
      }
      if (hasBegun(day, now)) expect(hasBegun(day, later)).toBe(true)
    }),
  ))
