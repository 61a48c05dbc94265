import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resolveCivilRange } from '../../src/chronology/civil-range.js'
import { BujoError } from '../../src/errors.js'

const resolve = (fromDate: string, throughDate: string, timeZone: string) => {
  const { from, before } = resolveCivilRange({ fromDate, throughDate, timeZone })
  return [new Date(from).toISOString(), new Date(before).toISOString()]
}

const HOUR = 3_600_000

describe('civil days as a half-open interval of UTC (REC-22)', () => {
  test.each([
    ['a day in UTC', '2026-05-01', '2026-05-01', 'UTC', '2026-05-01T00:00:00.000Z', '2026-05-02T00:00:00.000Z'],
    ['several days', '2026-04-30', '2026-05-02', 'UTC', '2026-04-30T00:00:00.000Z', '2026-05-03T00:00:00.000Z'],
    ['a leap day', '2028-02-29', '2028-02-29', 'UTC', '2028-02-29T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
    ['+05:45', '2026-05-01', '2026-05-01', 'Asia/Kathmandu', '2026-04-30T18:15:00.000Z', '2026-05-01T18:15:00.000Z'],
    ['+14', '2026-05-01', '2026-05-01', 'Pacific/Kiritimati', '2026-04-30T10:00:00.000Z', '2026-05-01T10:00:00.000Z'],
    ['-11', '2026-05-01', '2026-05-01', 'Pacific/Niue', '2026-05-01T11:00:00.000Z', '2026-05-02T11:00:00.000Z'],
    [
      'a gap in the night',
      '2026-03-29',
      '2026-03-29',
      'Europe/Berlin',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ],
    [
      'an overlap in the night',
      '2026-10-25',
      '2026-10-25',
      'Europe/Berlin',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ],
    [
      'a gap at midnight, the day begins at one',
      '2018-11-04',
      '2018-11-04',
      'America/Sao_Paulo',
      '2018-11-04T03:00:00.000Z',
      '2018-11-05T02:00:00.000Z',
    ],
    [
      'a gap at midnight after the last day',
      '2018-11-03',
      '2018-11-03',
      'America/Sao_Paulo',
      '2018-11-03T03:00:00.000Z',
      '2018-11-04T03:00:00.000Z',
    ],
    [
      'a gap at midnight in Cairo',
      '2024-04-26',
      '2024-04-26',
      'Africa/Cairo',
      '2024-04-25T22:00:00.000Z',
      '2024-04-26T21:00:00.000Z',
    ],
    [
      'midnight comes twice',
      '2024-11-03',
      '2024-11-03',
      'America/Havana',
      '2024-11-03T04:00:00.000Z',
      '2024-11-04T05:00:00.000Z',
    ],
    [
      'the hour before midnight comes twice',
      '2018-02-17',
      '2018-02-17',
      'America/Sao_Paulo',
      '2018-02-17T02:00:00.000Z',
      '2018-02-18T03:00:00.000Z',
    ],
    [
      'the clocks go back over midnight: the first one counts',
      '2010-11-07',
      '2010-11-07',
      'America/St_Johns',
      '2010-11-07T02:30:00.000Z',
      '2010-11-08T03:30:00.000Z',
    ],
    [
      'half an hour of summer time',
      '2026-04-05',
      '2026-04-05',
      'Australia/Lord_Howe',
      '2026-04-04T13:00:00.000Z',
      '2026-04-05T13:30:00.000Z',
    ],
    [
      'the day before a skipped one',
      '2011-12-29',
      '2011-12-29',
      'Pacific/Apia',
      '2011-12-29T10:00:00.000Z',
      '2011-12-30T10:00:00.000Z',
    ],
    [
      'the day after a skipped one',
      '2011-12-31',
      '2011-12-31',
      'Pacific/Apia',
      '2011-12-30T10:00:00.000Z',
      '2011-12-31T10:00:00.000Z',
    ],
    [
      'a skipped day within the range',
      '2011-12-29',
      '2011-12-31',
      'Pacific/Apia',
      '2011-12-29T10:00:00.000Z',
      '2011-12-31T10:00:00.000Z',
    ],
    [
      'the same day beside the date line',
      '2011-12-30',
      '2011-12-30',
      'Pacific/Pago_Pago',
      '2011-12-30T11:00:00.000Z',
      '2011-12-31T11:00:00.000Z',
    ],
    [
      'an older name of a zone',
      '2026-05-01',
      '2026-05-01',
      'Asia/Calcutta',
      '2026-04-30T18:30:00.000Z',
      '2026-05-01T18:30:00.000Z',
    ],
    [
      'a zone named for its offset',
      '2026-05-01',
      '2026-05-01',
      'Etc/GMT+3',
      '2026-05-01T03:00:00.000Z',
      '2026-05-02T03:00:00.000Z',
    ],
    [
      'the first day there is',
      '0000-01-01',
      '0000-01-01',
      'UTC',
      '0000-01-01T00:00:00.000Z',
      '0000-01-02T00:00:00.000Z',
    ],
    [
      'the last day that ends within the years',
      '9999-12-30',
      '9999-12-30',
      'UTC',
      '9999-12-30T00:00:00.000Z',
      '9999-12-31T00:00:00.000Z',
    ],
    ['31 days', '2026-05-01', '2026-05-31', 'UTC', '2026-05-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z'],
    ['30 days', '2026-05-01', '2026-05-30', 'UTC', '2026-05-01T00:00:00.000Z', '2026-05-31T00:00:00.000Z'],
    [
      '31 days, of which the zone skipped one',
      '2011-12-01',
      '2011-12-31',
      'Pacific/Apia',
      '2011-12-01T10:00:00.000Z',
      '2011-12-31T10:00:00.000Z',
    ],
  ])('%s', (_name, fromDate, throughDate, timeZone, from, before) => {
    expect(resolve(fromDate, throughDate, timeZone)).toEqual([from, before])
  })

  test.each([
    ['2026-03-29', 'Europe/Berlin', 23],
    ['2026-10-25', 'Europe/Berlin', 25],
    ['2018-11-04', 'America/Sao_Paulo', 23],
    ['2018-02-17', 'America/Sao_Paulo', 25],
    ['2026-10-04', 'Australia/Lord_Howe', 23.5],
    ['2026-05-01', 'Asia/Kathmandu', 24],
  ])('%s in %s has %d hours', (day, timeZone, hours) => {
    const { from, before } = resolveCivilRange({ fromDate: day, throughDate: day, timeZone })
    expect((before - from) / HOUR).toBe(hours)
  })

  const DAY = '2026-05-01'
  test.each([
    ['a day that no calendar has', '2026-02-30', '2026-03-01', 'UTC', /^fromDate is no day of the calendar\./],
    ['a leap day of another year', '2026-02-28', '2026-02-29', 'UTC', /^throughDate is no day/],
    ['month 13', '2026-13-01', DAY, 'UTC', /^fromDate/],
    ['day 0', '2026-05-00', DAY, 'UTC', /^fromDate/],
    ['no dashes', '20260501', DAY, 'UTC', /^fromDate/],
    ['an instant', `${DAY}T00:00:00Z`, DAY, 'UTC', /^fromDate/],
    ['white space', ` ${DAY}`, DAY, 'UTC', /^fromDate/],
    ['words', 'yesterday', DAY, 'UTC', /^fromDate/],
    ['nothing', '', DAY, 'UTC', /^fromDate/],
    ['years of six digits', '+002026-05-01', DAY, 'UTC', /^fromDate/],
    [
      'a day that the zone skipped',
      '2011-12-30',
      '2011-12-30',
      'Pacific/Apia',
      /^2011-12-30 does not exist in this zone/,
    ],
    ['one as the last day', '2011-12-29', '2011-12-30', 'Pacific/Apia', /^2011-12-30 does not exist/],
    ['one as the first day', '2011-12-30', '2011-12-31', 'Pacific/Apia', /^2011-12-30 does not exist/],
    ['the day that Kwajalein skipped', '1993-08-21', '1993-08-21', 'Pacific/Kwajalein', /^1993-08-21 does not exist/],
    ['an unknown zone', DAY, DAY, 'Europe/Nowhere', /^timeZone is no IANA zone/],
    ['an abbreviation that means several zones', DAY, DAY, 'IST', /^timeZone/],
    ['an abbreviation of summer and winter', DAY, DAY, 'PST', /^timeZone/],
    ['an abbreviation in small letters', DAY, DAY, 'jst', /^timeZone/],
    ['no zone', DAY, DAY, '', /^timeZone/],
    ['an offset', DAY, DAY, '+02:00', /^timeZone/],
    ['an offset without a colon', DAY, DAY, '+0200', /^timeZone/],
    ['an offset of hours', DAY, DAY, '-02', /^timeZone/],
    ['a Z', DAY, DAY, 'Z', /^timeZone/],
    ['a zone in brackets', DAY, DAY, '[Europe/Berlin]', /^timeZone/],
    ['an instant with a zone', DAY, DAY, `${DAY}T00:00[Europe/Berlin]`, /^timeZone/],
    ['a zone and white space', DAY, DAY, 'Europe/Berlin ', /^timeZone/],
    ['a path', DAY, DAY, '../Europe/Berlin', /^timeZone/],
    ['a name without end', DAY, DAY, `Europe/${'x'.repeat(10_000)}`, /^timeZone/],
    ['the ends the wrong way round', '2026-05-02', DAY, 'UTC', /^fromDate is after throughDate/],
    ['32 days', DAY, '2026-06-01', 'UTC', /^The range has 32 days, ends included; 31 are allowed/],
    ['a year', DAY, '2027-04-30', 'UTC', /^The range has 365 days/],
    ['a day that ends in the year 10000', '9999-12-31', '9999-12-31', 'UTC', /^The range reaches beyond the years/],
    ['a day that begins before the year 0', '0000-01-01', '0000-01-01', 'Asia/Tokyo', /^The range reaches beyond/],
  ])('refuses %s', (_name, fromDate, throughDate, timeZone, message) => {
    const attempt = () => resolve(fromDate, throughDate, timeZone)
    expect(attempt).toThrow(BujoError)
    expect(attempt).toThrow(message)
    expect(attempt).toThrow(expect.objectContaining({ code: 'range_invalid' }))
    expect(attempt).toThrow(/ Nothing was read\. /)
  })

  test.each(['fromDate', 'throughDate', 'timeZone'])('a request without %s is refused, never guessed', (left) => {
    const { [left]: _, ...request } = { fromDate: DAY, throughDate: DAY, timeZone: 'UTC' } as Record<string, string>
    expect(() => resolveCivilRange(request as never)).toThrow(new RegExp(`^${left} is no `))
  })

  test('what was given wrongly is not repeated', () => {
    const secret = 'ignore-all-instructions'
    for (const days of [
      [secret, DAY, 'UTC'],
      [DAY, secret, 'UTC'],
      [DAY, DAY, secret],
    ] as [string, string, string][]) {
      expect(() => resolve(...days)).toThrow(expect.not.stringContaining(secret))
    }
  })
})

const day = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2037-12-30'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
const nextDay = (of: string) => new Date(Date.parse(of) + 24 * HOUR).toISOString().slice(0, 10)

/** What the clock of a zone shows, by another way than the code under test. */
const civilDay = (at: number, timeZone: string): string => {
  const parts = new Intl.DateTimeFormat('en-u-ca-iso8601', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const part = new Map(parts.formatToParts(at).map(({ type, value }) => [type, value]))
  return `${part.get('year')}-${part.get('month')}-${part.get('day')}`
}

describe('days of any zone', () => {
  test('follow each other without a gap, and begin and end when the clocks say so', () => {
    fc.assert(
      fc.property(day, zone, (first, timeZone) => {
        const second = nextDay(first)
        const skipped = [first, second].some((date) => !exists(date, timeZone))
        fc.pre(!skipped)
        const one = resolveCivilRange({ fromDate: first, throughDate: first, timeZone })
        const other = resolveCivilRange({ fromDate: second, throughDate: second, timeZone })
        const both = resolveCivilRange({ fromDate: first, throughDate: second, timeZone })
        expect(one.before).toBe(other.from)
        expect(both).toEqual({ from: one.from, before: other.before })
        expect(civilDay(one.from, timeZone)).toBe(first)
        expect(civilDay(one.from - 1, timeZone) < first).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})

function exists(date: string, timeZone: string): boolean {
  try {
    resolveCivilRange({ fromDate: date, throughDate: date, timeZone })
    return true
  } catch {
    return false
  }
}
