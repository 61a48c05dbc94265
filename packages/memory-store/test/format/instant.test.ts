import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDay, normaliseInstant, parseInstant, utcDay } from '../../src/index.js'

test.each([
  { text: '2026-05-01T09:00:00Z', utc: '2026-05-01T09:00:00.000Z' },
  { text: '2026-05-01T09:00:00.1Z', utc: '2026-05-01T09:00:00.100Z' },
  { text: '2026-05-01T09:00:00.123456789Z', utc: '2026-05-01T09:00:00.123Z' },
  { text: '2026-05-01T00:30:00+09:00', utc: '2026-04-30T15:30:00.000Z' },
  { text: '2026-05-01T23:30:00-01:00', utc: '2026-05-02T00:30:00.000Z' },
  { text: '2026-05-01t09:00:00z', utc: '2026-05-01T09:00:00.000Z' },
  { text: '2024-02-29T00:00:00Z', utc: '2024-02-29T00:00:00.000Z' },
  { text: '2016-12-31T23:59:60Z', utc: '2017-01-01T00:00:00.000Z' },
  { text: '0000-01-01T00:00:00Z', utc: '0000-01-01T00:00:00.000Z' },
  { text: '0099-01-01T00:00:00Z', utc: '0099-01-01T00:00:00.000Z' },
  { text: '9999-12-31T23:59:59.999Z', utc: '9999-12-31T23:59:59.999Z' },
])('reads $text', ({ text, utc }) => {
  expect(normaliseInstant(text)).toBe(utc)
  expect(parseInstant(text)).toBe(Date.parse(utc))
  expect(utcDay(text)).toBe(utc.slice(0, 10))
})

test.each([
  '',
  'now',
  '2026-05-01',
  '2026-05-01T09:00Z',
  '2026-05-01T09:00:00',
  '2026-05-01 09:00:00Z',
  '2026-05-01T09:00:00.Z',
  '2026-05-01T09:00:00+0200',
  '2026-05-01T24:00:00Z',
  '2026-05-01T09:60:00Z',
  '2026-05-01T09:00:61Z',
  '2026-05-01T09:00:00+24:00',
  '2026-02-30T09:00:00Z',
  '2026-00-01T09:00:00Z',
  '2026-13-01T09:00:00Z',
  '0000-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '10000-01-01T00:00:00Z',
  '2026-05-01T09:00:00Z\n',
])('%j is no instant', (text) => {
  expect(parseInstant(text)).toBeUndefined()
  expect(() => utcDay(text)).toThrow(RangeError)
})

test.each([
  { text: '2026-05-01', is: true },
  { text: '2000-02-29', is: true },
  { text: '1900-02-29', is: false },
  { text: '2026-04-31', is: false },
  { text: '2026-05-00', is: false },
  { text: '2026-5-1', is: false },
  { text: '2026-05-01\n', is: false },
])('$text is a day: $is', ({ text, is }) => {
  expect(isDay(text)).toBe(is)
})

test('every ISO instant reads back the same', () =>
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('0000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true,
      }),
      (date) => {
        expect(parseInstant(date.toISOString())).toBe(date.getTime())
        expect(normaliseInstant(date.toISOString())).toBe(date.toISOString())
      },
    ),
  ))
