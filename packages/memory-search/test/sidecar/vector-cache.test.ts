import { expect, test } from 'vitest'
import { MAX_CACHED_BYTES, VectorCache } from '../../src/sidecar/vector-cache.js'

const DIMENSION = 1_024
const BYTES = 4 * DIMENSION
const ROOM = MAX_CACHED_BYTES / BYTES

function counted() {
  const asked: number[] = []
  const read = (row: number): Float32Array | undefined => {
    asked.push(row)
    return row < 0 ? undefined : new Float32Array(DIMENSION).fill(row)
  }
  return { asked, read }
}

test('a vector is read once, until it is said that it changed', () => {
  const cache = new VectorCache()
  const { asked, read } = counted()
  expect(cache.get(7, read)?.[0]).toBe(7)
  expect(cache.get(7, read)?.[0]).toBe(7)
  cache.forget(7)
  expect(cache.bytes).toBe(0)
  cache.get(7, read)
  expect(asked).toEqual([7, 7])
  expect(cache.bytes).toBe(BYTES)
})

test('that there is none is not kept', () => {
  const cache = new VectorCache()
  const { asked, read } = counted()
  expect([cache.get(-1, read), cache.get(-1, read)]).toEqual([undefined, undefined])
  expect(asked).toEqual([-1, -1])
})

test.each([
  { name: 'at its room it keeps all', rows: ROOM, again: [0, 1, ROOM - 1], isRead: [] },
  { name: 'above it the first one goes', rows: ROOM + 1, again: [1, ROOM, 0], isRead: [0] },
])('$name', ({ rows, again, isRead }) => {
  const cache = new VectorCache()
  const { asked, read } = counted()
  for (let row = 0; row < rows; row++) cache.get(row, read)
  expect(cache.bytes).toBe(Math.min(rows, ROOM) * BYTES)
  asked.length = 0
  for (const row of again) cache.get(row, read)
  expect(asked).toEqual(isRead)
  expect(cache.bytes).toBeLessThanOrEqual(MAX_CACHED_BYTES)
})

test('one that is larger than all its room is given and not kept', () => {
  const cache = new VectorCache()
  expect(cache.get(1, () => new Float32Array(MAX_CACHED_BYTES))).toHaveLength(MAX_CACHED_BYTES)
  expect(cache.bytes).toBe(0)
})
