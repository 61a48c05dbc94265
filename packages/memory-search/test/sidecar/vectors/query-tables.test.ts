import { expect, test } from 'vitest'
import { fillTables } from '../../../src/sidecar/vectors/query-tables.js'
import { normalVectors } from './vectors.js'

test.each([
  { positions: 4, most: 63 },
  { positions: 1_024, most: 63 },
  { positions: 1_044, most: 62 },
  { positions: 4_096, most: 15 },
  { positions: 16_384, most: 3 },
])('$positions positions: entries up to $most, whose sum stays within 16 bits', ({ positions, most }) => {
  const tables = new Uint8Array(positions * 16)
  fillTables(new Float64Array(positions * 4).fill(-1), tables) // all as wide as the widest
  expect(tables.reduce((a, b) => Math.max(a, b))).toBe(most)
  let sum = 0
  for (let position = 0; position < positions; position++)
    sum += Math.max(...tables.subarray(position * 16, position * 16 + 16))
  expect(sum).toBeLessThanOrEqual(65_535)
})

test('the entries of a code give its sum of signed values, within half a step a position', () => {
  for (const vector of normalVectors(20, 64, 1)) {
    const rotated = Float64Array.from(vector)
    const tables = new Uint8Array(16 * 16)
    const { scale, base } = fillTables(rotated, tables)
    for (const code of normalVectors(20, 64, 2)) {
      let [entries, exact] = [0, 0]
      for (let position = 0; position < 16; position++) {
        let nibble = 0
        for (let bit = 0; bit < 4; bit++) {
          const isSet = (code[position * 4 + bit] as number) >= 0
          if (isSet) nibble |= 1 << bit
          exact += (isSet ? 1 : -1) * (rotated[position * 4 + bit] as number)
        }
        entries += tables[position * 16 + nibble] as number
      }
      expect(Math.abs(entries * scale + base - exact)).toBeLessThanOrEqual((16 * scale) / 2 + 1e-9)
    }
  }
})

test('a query that is the mean has tables of zeros, and nothing is divided by zero', () => {
  const tables = new Uint8Array(64).fill(9)
  expect(fillTables(new Float64Array(16), tables)).toEqual({ scale: 0, base: 0 })
  expect(tables).toEqual(new Uint8Array(64))
})
