/**
 * Cosine of two vectors of unit length, in double precision and always in the same order of additions, so that it is the
 * same on every platform (SEA-16), which SIMD sums are not. Four sums side by side, for one alone would wait for each
 * addition before it begins the next: element `i` goes to sum `i % 4`, what is left over to the first, and the four are
 * added from the first to the last.
 * @throws {RangeError} other lengths, or a number that is not finite
 */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) {
    throw new RangeError(
      `Two vectors of one model have the same length; ${a.length} and ${b.length} cannot be compared.`,
    )
  }
  const inFours = a.length - (a.length % 4)
  let [sum0, sum1, sum2, sum3] = [0, 0, 0, 0]
  for (let at = 0; at < inFours; at += 4) {
    sum0 += (a[at] as number) * (b[at] as number)
    sum1 += (a[at + 1] as number) * (b[at + 1] as number)
    sum2 += (a[at + 2] as number) * (b[at + 2] as number)
    sum3 += (a[at + 3] as number) * (b[at + 3] as number)
  }
  for (let at = inFours; at < a.length; at++) sum0 += (a[at] as number) * (b[at] as number)
  const sum = sum0 + sum1 + sum2 + sum3
  if (!Number.isFinite(sum)) throw new RangeError('A vector holds a number that is not finite.')
  return Math.max(-1, Math.min(1, sum))
}
