import { expect, test } from 'vitest'
import { emptyDayDocument } from '@mono-agent/memory-store'
import { DayFileCache, type KnownDay } from '../../src/canonical/day-file-cache.js'

const day: KnownDay = {
  identity: undefined,
  digest: undefined,
  document: emptyDayDocument('2026-05-01'),
  isDurable: false,
}

test('eight day files are kept; a ninth takes the place of the one longest unused', () => {
  const cache = new DayFileCache()
  const files = ['1', '2', '3', '4', '5', '6', '7', '8']
  for (const file of files) cache.keep(file, day)
  expect(files.filter((file) => cache.get(file) === undefined)).toEqual([])
  cache.get('1')
  cache.keep('2', { ...day, isDurable: true })
  cache.keep('9', day)
  expect(cache.get('3')).toBeUndefined()
  expect(cache.get('1')).toBe(day)
  expect(cache.get('2')).toMatchObject({ isDurable: true })
  cache.forget('1')
  expect(cache.get('1')).toBeUndefined()
})
