import { expect, test } from 'vitest'
import { monthNames } from '../../src/query/month-names.js'
import { CLDR, DATE_MARKS } from '../../src/query/month-table.js'
import { platformDateMarks, platformMonthNames, platformMonthTable } from './platform-months.js'

// To make the table anew, of the locale data of another version: put its number (`process.versions.cldr`) into the table, and
// run this file with `-u` behind its name.
const isOfPlatform = process.versions['cldr'] === CLDR

test.runIf(isOfPlatform)('the table is what the platform says, line by line', async () => {
  await expect(platformMonthTable()).toMatchFileSnapshot('../../src/query/month-table.ts')
})

test.runIf(isOfPlatform)('the names are what the platform says, each of its month', () => {
  expect(new Map([...monthNames()].sort())).toEqual(new Map([...platformMonthNames()].sort()))
})

test('other versions of the locale data spell a few names otherwise, and no month is another', () => {
  const ofPlatform = platformMonthNames()
  const names = monthNames()
  const shared = [...names].filter(([name]) => ofPlatform.has(name))
  expect(shared.length).toBeGreaterThan(0.9 * names.size)
  expect(shared.filter(([name, month]) => ofPlatform.get(name) !== month)).toEqual([])
  expect(DATE_MARKS).toEqual(platformDateMarks())
})
