import { expect, test } from 'vitest'
import { parseInstant } from '../src/ingest/instant.js'

test.each([
  { name: 'UTC', value: '2026-03-02T08:00:00Z', at: '2026-03-02T08:00:00Z' },
  { name: 'an offset, kept', value: '2026-03-02T09:00:00+01:00', at: '2026-03-02T09:00:00+01:00' },
  { name: 'epoch seconds', value: 1_772_438_400, at: '2026-03-02T08:00:00.000Z' },
  { name: 'fractions of a second', value: 1_772_438_400.1239, at: '2026-03-02T08:00:00.124Z' },
  { name: 'epoch milliseconds', value: 1_772_438_400_500, at: '2026-03-02T08:00:00.500Z' },
  { name: 'the epoch itself', value: 0, at: '1970-01-01T00:00:00.000Z' },
  { name: 'the last second that is read as seconds', value: 1e11 - 1, at: '5138-11-16T09:46:39.000Z' },
  { name: 'the first number that is read as milliseconds', value: 1e11, at: '1973-03-03T09:46:40.000Z' },
  { name: 'the last instant', value: 253_402_300_799_999, at: '9999-12-31T23:59:59.999Z' },
])('reads $name', ({ value, at }) => {
  expect(parseInstant(value)).toEqual({ kind: 'instant', at })
})

test.each([undefined, null])('%s is absent', (value) => expect(parseInstant(value)).toEqual({ kind: 'absent' }))

test.each([
  { name: 'a local time', value: '2026-03-02T08:00:00' },
  { name: 'a date', value: '2026-03-02' },
  { name: 'a day that is none', value: '2026-02-30T08:00:00Z' },
  { name: 'words', value: 'yesterday' },
  { name: 'an empty string', value: '' },
  { name: 'a negative epoch', value: -1 },
  { name: 'an instant past the last', value: 253_402_300_800_000 },
  { name: 'NaN', value: Number.NaN },
  { name: 'infinity', value: Number.POSITIVE_INFINITY },
  { name: 'a boolean', value: true },
])('refuses $name', ({ value }) => expect(parseInstant(value)).toEqual({ kind: 'invalid' }))
