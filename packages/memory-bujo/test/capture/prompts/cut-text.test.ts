import fc from 'fast-check'
import { expect, test } from 'vitest'
import { civilTime } from '../../../src/capture/prompts/calendar.js'
import { showText } from '../../../src/capture/prompts/cut-text.js'

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
const clustersOf = (text: string): string[] => [...graphemes.segment(text)].map(({ segment }) => segment)

test.each([
  ['below the bound', 'a'.repeat(9), { text: 'a'.repeat(9) }],
  ['at the bound', 'a'.repeat(10), { text: 'a'.repeat(10) }],
  ['above it', 'abcdefghijk', { beginning: 'abcde', left_out_characters: 1, end: 'ghijk' }],
  ['far above it', `abcde${'-'.repeat(1_000)}vwxyz`, { beginning: 'abcde', left_out_characters: 1_000, end: 'vwxyz' }],
  ['in a family', 'abc👨‍👩‍👧defg', { beginning: 'abc', left_out_characters: 8, end: 'defg' }],
  ['in a cluster at the end', 'abcdefgh🇦🇹', { beginning: 'abcde', left_out_characters: 2, end: 'h🇦🇹' }],
])('a text %s', (_, text, shown) => {
  expect(showText(text, 10)).toEqual(shown)
})

test('a cut keeps clusters whole and counts what is left out', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 2, max: 60 }), (text, maxUnits) => {
      const shown = showText(text, maxUnits)
      if ('text' in shown) return void expect(shown.text).toBe(text)
      const { beginning, left_out_characters, end } = shown
      expect(beginning.length + left_out_characters + end.length).toBe(text.length)
      expect(beginning.length + end.length).toBeLessThanOrEqual(maxUnits)
      expect(text.startsWith(beginning) && text.endsWith(end)).toBe(true)
      const clusters = clustersOf(text)
      const first = clustersOf(beginning)
      const last = clustersOf(end)
      expect(clusters.slice(0, first.length)).toEqual(first)
      expect(clusters.slice(clusters.length - last.length)).toEqual(last)
    }),
  )
})

test.each([
  ['2026-09-08T12:31:05.000Z', 'UTC', { day: '2026-09-08', weekday: 'Tuesday', time: '12:31', offset: '+00:00' }],
  ['2026-09-08T22:00:00Z', 'Europe/Vienna', { day: '2026-09-09', weekday: 'Wednesday', time: '00:00', offset: '+02:00' }], // prettier-ignore
  ['2026-01-01T03:00:00Z', 'America/New_York', { day: '2025-12-31', weekday: 'Wednesday', time: '22:00', offset: '-05:00' }], // prettier-ignore
  ['2026-01-01T00:00:00+05:45', 'Asia/Kathmandu', { day: '2026-01-01', weekday: 'Thursday', time: '00:00', offset: '+05:45' }], // prettier-ignore
  ['0900-03-01T00:00:00Z', 'UTC', { day: '0900-03-01' }],
])('%s in %s', (instant, timeZone, expected) => {
  expect(civilTime(instant, timeZone)).toMatchObject({ ...expected, time_zone: timeZone })
})

test.each([
  ['2026-09-08', 'UTC'],
  ['2026-09-08T12:31:05Z', 'Mars/Olympus'],
])('%s in %s is no civil time', (instant, timeZone) => {
  expect(() => civilTime(instant, timeZone)).toThrow(RangeError)
})
