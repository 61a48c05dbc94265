import fc from 'fast-check'

export function unit(values: readonly number[]): Float32Array {
  const length = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
  return Float32Array.from(values, (value) => value / length)
}

/** The dimensions of common models, the smallest ones, ones that no power of two divides, the last with tables of full fineness and one beyond. */
export const DIMENSIONS = [1, 3, 16, 100, 384, 512, 768, 1_024, 1_536, 3_072, 4_096, 4_100]

/** Mulberry32: the same numbers in every run. @returns 0 to 1 */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Standard normal numbers, by Box and Muller. */
export function normals(seed: number): () => number {
  const next = seeded(seed)
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}

/** Vectors of unit length drawn from a normal distribution. */
export function normalVectors(count: number, dimension: number, seed: number): Float32Array[] {
  const next = normals(seed)
  return Array.from({ length: count }, () => unit(Array.from({ length: dimension }, next)))
}

/** Of unit length: whole numbers, so that there are many zeroes and equal values; or one value that is all of it; or tiny ones beside it. */
export const vectorOf = (dimension: number): fc.Arbitrary<Float32Array> =>
  fc
    .record({
      values: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: dimension, maxLength: dimension }),
      spike: fc.constantFrom(0, 0, 1, -1e6),
      at: fc.nat(dimension - 1),
    })
    .map(({ values, spike, at }) => {
      const all = values.map((value, place) => (place === at && spike !== 0 ? spike : value))
      return unit(all.every((value) => value === 0) ? all.map(() => 1) : all)
    })
