import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { civilTime } from '../../src/capture/prompts/calendar.js'
import { civilDay } from '../../src/recall/civil-day.js'

describe('the civil day of an instant', () => {
  test.each([
    ['UTC, last millisecond', '2026-05-01T23:59:59.999Z', 'UTC', '2026-05-01'],
    ['UTC, midnight', '2026-05-02T00:00:00.000Z', 'UTC', '2026-05-02'],
    ['Kathmandu, +05:45, before midnight', '2026-05-01T18:14:59.999Z', 'Asia/Kathmandu', '2026-05-01'],
    ['Kathmandu, +05:45, midnight', '2026-05-01T18:15:00.000Z', 'Asia/Kathmandu', '2026-05-02'],
    ['Apia, the last moment of 29 December 2011', '2011-12-30T09:59:59.999Z', 'Pacific/Apia', '2011-12-29'],
    ['Apia, 30 December never was', '2011-12-30T10:00:00.000Z', 'Pacific/Apia', '2011-12-31'],
    ['Berlin, the night of the gap, before', '2026-03-28T22:59:59.999Z', 'Europe/Berlin', '2026-03-28'],
    ['Berlin, the night of the gap, midnight', '2026-03-28T23:00:00.000Z', 'Europe/Berlin', '2026-03-29'],
    ['Berlin, the short day has 23 hours', '2026-03-29T22:00:00.000Z', 'Europe/Berlin', '2026-03-30'],
    ['Berlin, the long day has 25 hours', '2026-10-25T22:59:59.999Z', 'Europe/Berlin', '2026-10-25'],
    ['Berlin, after the long day', '2026-10-25T23:00:00.000Z', 'Europe/Berlin', '2026-10-26'],
    ['Beirut, where midnight is in the gap, before', '2026-03-28T21:59:59.999Z', 'Asia/Beirut', '2026-03-28'],
    ['Beirut, where midnight is in the gap, 01:00', '2026-03-28T22:00:00.000Z', 'Asia/Beirut', '2026-03-29'],
    ['Havana, where midnight comes twice, the first', '2026-11-01T04:00:00.000Z', 'America/Havana', '2026-11-01'],
    ['Havana, where midnight comes twice, before', '2026-11-01T03:59:59.999Z', 'America/Havana', '2026-10-31'],
    ['Havana, where midnight comes twice, the second', '2026-11-01T05:00:00.000Z', 'America/Havana', '2026-11-01'],
    ['Kiritimati, the widest offset', '2026-05-01T10:00:00.000Z', 'Pacific/Kiritimati', '2026-05-02'],
    ['the last instant of the format, east of UTC', '9999-12-31T23:59:59.999Z', 'Asia/Tokyo', '9999-12-31'],
  ])('%s', (_name, at, timeZone, day) => {
    expect(civilDay(Date.parse(at), timeZone)).toBe(day)
  })

  test('is the one that capture tells, for any instant', () =>
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date('1900-01-01'), max: new Date('2100-01-01') }),
        fc.constantFrom('UTC', 'Asia/Kathmandu', 'Pacific/Apia', 'Europe/Berlin', 'America/Havana', 'Asia/Beirut'),
        (date, timeZone) => {
          expect(civilDay(date.getTime(), timeZone)).toBe(civilTime(date.toISOString(), timeZone).day)
        },
      ),
    ))

  test('no such zone is a RangeError', () => {
    expect(() => civilDay(0, 'Europe/Atlantis')).toThrow(RangeError)
  })
})
