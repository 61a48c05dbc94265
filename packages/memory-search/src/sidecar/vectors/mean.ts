/**
 * The mean of vectors; zeros of none.
 * @throws {RangeError} a vector of another dimension
 */
export function meanOf(vectors: Iterable<Float32Array>, dimension: number): Float32Array {
  const sums = new Float64Array(dimension)
  let count = 0
  for (const vector of vectors) {
    if (vector.length !== dimension) {
      throw new RangeError(`A vector of ${vector.length} dimensions stands among vectors of ${dimension}.`)
    }
    for (let at = 0; at < dimension; at++) sums[at] = (sums[at] as number) + (vector[at] as number)
    count++
  }
  return Float32Array.from(sums, (sum) => (count === 0 ? 0 : sum / count))
}
