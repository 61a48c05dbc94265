/**
 * Cosine of two vectors of unit length, in double precision and always in the same order of additions, so that it is the
 * same on every platform (SEA-16), which SIMD sums are not.
 * @throws {RangeError} other lengths, or a number that is not finite
 */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) {
    throw new RangeError(
      `Two vectors of one model have the same length; ${a.length} and ${b.length} cannot be compared.`,
    )
  }
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number)
  if (!Number.isFinite(sum)) throw new RangeError('A vector holds a number that is not finite.')
  return Math.max(-1, Math.min(1, sum))
}
