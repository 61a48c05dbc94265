import { describe, expect, test } from 'vitest'
import { freezeRange, MAX_SNAPSHOT_BYTES, MAX_SNAPSHOT_ENTRIES } from '../../src/journal/frozen-range.js'
import { entries, entry, RANGE, snapshotOf } from '../tools/support/fake-port.js'

describe('a range that was taken over from a store (REC-23)', () => {
  test.each([
    [MAX_SNAPSHOT_ENTRIES - 1, MAX_SNAPSHOT_ENTRIES - 1, { complete: true }],
    [MAX_SNAPSHOT_ENTRIES, MAX_SNAPSHOT_ENTRIES, { complete: true }],
    [MAX_SNAPSHOT_ENTRIES + 1, MAX_SNAPSHOT_ENTRIES, { complete: false, stoppedBy: 'entries' }],
  ])('of %d entries holds %d', (given, held, coverage) => {
    const range = freezeRange(RANGE, 10, snapshotOf(entries(given)))
    expect(range.entries).toHaveLength(held)
    expect(range.coverage).toEqual(coverage)
  })

  test.each([
    [-1, true],
    [0, true],
    [1, false],
  ])('%d bytes beside 2 MiB: whole %s', (beyond, isWhole) => {
    const frame = Buffer.byteLength(JSON.stringify([entry(0, { text: '' })]))
    const text = 'x'.repeat(MAX_SNAPSHOT_BYTES - frame + beyond)
    const range = freezeRange(RANGE, 10, snapshotOf([entry(0, { text })]))
    expect(range.entries).toHaveLength(isWhole ? 1 : 0)
    expect(range.coverage).toEqual(isWhole ? { complete: true } : { complete: false, stoppedBy: 'bytes' })
  })

  test('says what the store says of its scan', () => {
    const coverage = { complete: false, stoppedBy: 'bytes' } as const
    expect(freezeRange(RANGE, 10, snapshotOf(entries(2), coverage)).coverage).toEqual(coverage)
  })

  test('is not altered by what the store does with its own afterwards', () => {
    const given = entries(2)
    const range = freezeRange(RANGE, 10, snapshotOf(given))
    Object.assign(given[0] as object, { text: 'Altered.' })
    given.pop()
    expect(range.entries.map(({ text }) => text)).toEqual(['Entry 0.', 'Entry 1.'])
  })
})
