import { positionsOf, POSITION_DIMENSIONS } from './code-layout.js'
import { Rotation } from './rotation.js'

/** What goes with the bits of a code: <x, q> is about `gain * sum(+-q'_i) + offset + <c, q> - <c, c>`. */
export interface Correction {
  /** |o|^2 / sum|o_i| of the rotated o = x - c; 0 where o is 0. */
  readonly gain: number
  /** <x, c> */
  readonly offset: number
}

/**
 * One bit a dimension: the signs of R(x - c), with c the mean of the vectors. The signs times the gain are the vector of signs
 * nearest to being right on average about <x, q> (the estimator of RaBitQ, Gao & Long 2024, less its random codebook).
 */
export class Encoder {
  /** The code of the last vector, a nibble a byte; bit j of position m is the sign of rotated dimension 4m + j. */
  readonly nibbles: Uint8Array
  readonly #rotation: Rotation
  readonly #mean: Float32Array

  /** @param mean  c; zeros where none is known  @throws {RangeError} not of 1..65,536 dimensions */
  constructor(mean: Float32Array) {
    this.#mean = mean
    this.#rotation = new Rotation(mean.length)
    this.nibbles = new Uint8Array(positionsOf(mean.length))
  }

  /** R(x - c): scratch, valid until the next call. Of a query too. */
  residual(vector: Float32Array): Float64Array {
    return this.#rotation.rotate(vector, this.#mean)
  }

  /** <x, c> in double precision. */
  alongMean(vector: Float32Array): number {
    let sum = 0
    for (let at = 0; at < vector.length; at++) sum += (vector[at] as number) * (this.#mean[at] as number)
    return sum
  }

  /** Leaves the code of the vector in `nibbles`. */
  encode(vector: Float32Array): Correction {
    const residual = this.residual(vector)
    let squares = 0
    let absolute = 0
    for (let position = 0; position < this.nibbles.length; position++) {
      let nibble = 0
      for (let bit = 0; bit < POSITION_DIMENSIONS; bit++) {
        const value = residual[position * POSITION_DIMENSIONS + bit] as number
        squares += value * value
        absolute += Math.abs(value)
        nibble |= Number(value >= 0) << bit
      }
      this.nibbles[position] = nibble
    }
    return { gain: absolute === 0 ? 0 : squares / absolute, offset: this.alongMean(vector) }
  }
}
