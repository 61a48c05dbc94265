import { expect, test } from 'vitest'
import {
  lineFingerprints,
  NO_PROFILE,
  NOTHING_SERVED,
  profileFingerprint,
  unserved,
  type Served,
} from '../../src/policy/receipts.js'
import { block, line } from '../turn/support.js'

const KEY = line('m-1', '- – The key hangs behind the door.')
const TEA = line('m-2', '- – Morgan prefers green tea.')
const PROFILE = block('profile', line('m-3', '- Vegetarian.'), line('m-4', '- Lives in Lund.'))
const BLOCKS = [PROFILE, block('relevant', KEY, TEA)]

const served = (blocks: typeof BLOCKS): Served => ({
  lines: new Set(lineFingerprints(blocks)),
  profile: profileFingerprint(blocks),
})

test('to a session that holds nothing all is new', () => {
  expect(unserved(BLOCKS, NOTHING_SERVED, true)).toEqual(BLOCKS)
})

test('what a session holds is not repeated, nor are headings of it', () => {
  expect(unserved(BLOCKS, served(BLOCKS), true)).toEqual([])
})

test('lines are left out one by one', () => {
  expect(unserved([block('relevant', KEY, TEA)], served([block('relevant', TEA)]), true)).toEqual([
    block('relevant', KEY),
  ])
})

test.each([
  { name: 'that stands otherwise now', next: [block('relevant', line('m-1', `${KEY.text} (superseded)`))] },
  { name: 'under another heading', next: [block('background', KEY)] },
])('a line $name is new', ({ next }) => {
  expect(unserved(next, served([block('relevant', KEY)]), true)).toEqual(next)
})

test('an item mark that was put before a line makes no other line of it', () => {
  const [rendered] = lineFingerprints([block('relevant', line('m-1', '- Key.'))])
  expect(lineFingerprints([block('relevant', line('m-1', 'Key.'))])).toEqual([rendered])
})

test('a profile of which one entry changed comes whole', () => {
  const changed = block('profile', line('m-3', '- Vegetarian.'), line('m-5', '- Lives in Malmö.'))
  expect(unserved([changed], served(BLOCKS), true)).toEqual([changed])
})

test('a profile that became empty is said once', () => {
  const [emptied, ...others] = unserved([block('relevant', KEY)], served(BLOCKS), true)
  expect(emptied).toMatchObject({ kind: 'profile', lines: [{ text: expect.stringContaining('empty'), memoryIds: [] }] })
  expect(others).toEqual([])
  expect(unserved([], { ...served(BLOCKS), profile: NO_PROFILE }, true)).toEqual([])
})

test('a turn that may not be shown a profile says nothing of its absence', () => {
  expect(unserved([], served(BLOCKS), false)).toEqual([])
})

test('a profile without entries is none', () => {
  expect(profileFingerprint([block('profile')])).toBe(NO_PROFILE)
  expect(profileFingerprint([])).toBe(NO_PROFILE)
})
