/** The mean of vectors that are told one by one; zeros of none. */
export class RunningMean {
  readonly #sums: Float64Array
  #count = 0

  constructor(dimension: number) {
    this.#sums = new Float64Array(dimension)
  }

  /** @throws {RangeError} a vector of another dimension */
  add(vector: Float32Array): void {
    const sums = this.#sums
    if (vector.length !== sums.length) {
      throw new RangeError(`A vector of ${vector.length} dimensions stands among vectors of ${sums.length}.`)
    }
    for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] as number) + (vector[at] as number)
    this.#count++
  }

  get value(): Float32Array {
    return Float32Array.from(this.#sums, (sum) => (this.#count === 0 ? 0 : sum / this.#count))
  }
}
