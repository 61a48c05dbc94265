import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  codeBytes,
  copyCode,
  paddedDimension,
  positionsOf,
  writeCode,
} from '../../../src/sidecar/vectors/code-layout.js'

const SLOTS = 100
const DIMENSION = 20
const POSITIONS = positionsOf(DIMENSION)

/** What a code is, by the description of the layout alone. */
const nibbleAt = (codes: Uint8Array, slot: number, position: number): number => {
  const [block, within] = [Math.floor(slot / 32), slot % 32]
  const byte = codes[(block * POSITIONS + position) * 16 + (within % 16)] as number
  return within < 16 ? byte & 15 : byte >> 4
}
const codeAt = (codes: Uint8Array, slot: number): number[] =>
  Array.from({ length: POSITIONS }, (_, position) => nibbleAt(codes, slot, position))

const code = fc.array(fc.nat(15), { minLength: POSITIONS, maxLength: POSITIONS })
const slot = fc.nat(SLOTS - 1)

test('codes written and copied, over others too, are read back; the rest stays', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(slot, fc.oneof(code, slot)), { maxLength: 60 }), (steps) => {
      const codes = new Uint8Array(codeBytes(DIMENSION, SLOTS))
      const model = Array.from({ length: SLOTS }, () => Array.from({ length: POSITIONS }, () => 0))
      for (const [target, what] of steps) {
        if (typeof what === 'number') copyCode(codes, what, codes, target, POSITIONS)
        else writeCode(codes, target, Uint8Array.from(what))
        model[target] = typeof what === 'number' ? (model[what] as number[]) : what
      }
      expect(model.map((_, each) => codeAt(codes, each))).toEqual(model)
    }),
  )
})

test.each([
  { dimension: 1, padded: 16, slots: 1, bytes: 64 },
  { dimension: 16, padded: 16, slots: 32, bytes: 64 },
  { dimension: 17, padded: 32, slots: 33, bytes: 256 },
  { dimension: 768, padded: 768, slots: 100_000, bytes: 9_600_000 },
  { dimension: 768, padded: 768, slots: 0, bytes: 0 },
])('$slots slots of $dimension dimensions take $bytes bytes', ({ dimension, padded, slots, bytes }) => {
  expect(paddedDimension(dimension)).toBe(padded)
  expect(codeBytes(dimension, slots)).toBe(bytes)
})
