import { paddedDimension } from './code-layout.js'

/** Part of the format: another seed gives other codes. */
const SEED = 0x6d656d6f
const ROUNDS = 2

interface Round {
  /** Where the value of each place comes from. */
  readonly from: Uint32Array
  /** +-1 / sqrt(block): the flip of the sign, and what keeps the length. */
  readonly factor: Float64Array
}

/** Mulberry32 (Tommy Ettinger, public domain): whole numbers of 32 bits, the same everywhere. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

function createRound(length: number, block: number, next: () => number): Round {
  const from = Uint32Array.from({ length }, (_, at) => at)
  for (let at = length - 1; at > 0; at--) {
    const other = next() % (at + 1)
    const kept = from[at] as number
    from[at] = from[other] as number
    from[other] = kept
  }
  const scale = 1 / Math.sqrt(block)
  return { from, factor: Float64Array.from({ length }, () => ((next() & 1) === 0 ? scale : -scale)) }
}

/** One pass over all butterflies of four values that lie a step, a power of four, from each other: two stages at once. */
function passOfFour(values: Float64Array, step: number): void {
  const within = step - 1
  for (let butterfly = 0; butterfly < values.length / 4; butterfly++) {
    const at = ((butterfly & ~within) << 2) | (butterfly & within)
    const a = values[at] as number
    const b = values[at + step] as number
    const c = values[at + 2 * step] as number
    const d = values[at + 3 * step] as number
    const sum = a + b
    const difference = a - b
    const sumAfter = c + d
    const differenceAfter = c - d
    values[at] = sum + sumAfter
    values[at + step] = difference + differenceAfter
    values[at + 2 * step] = sum - sumAfter
    values[at + 3 * step] = difference - differenceAfter
  }
}

/** One pass over all butterflies of two values. */
function passOfTwo(values: Float64Array, step: number): void {
  const within = step - 1
  for (let butterfly = 0; butterfly < values.length / 2; butterfly++) {
    const at = ((butterfly & ~within) << 1) | (butterfly & within)
    const a = values[at] as number
    const b = values[at + step] as number
    values[at] = a + b
    values[at + step] = a - b
  }
}

/** Hadamard transform of each block of `values`, not scaled. Loops are flat and functions small: engines like them best. */
function transform(values: Float64Array, block: number): void {
  let step = 1
  for (; step * 4 <= block; step *= 4) passOfFour(values, step)
  if (step < block) passOfTwo(values, step)
}

/** target[i] = source[from[i]] * factor[i] */
function permute(source: Float64Array, { from, factor }: Round, target: Float64Array): void {
  for (let at = 0; at < target.length; at++) {
    target[at] = (source[from[at] as number] as number) * (factor[at] as number)
  }
}

/**
 * A fixed rotation of space that spreads every dimension over many: one bit a dimension is worth the same then, also where a
 * few dimensions of a model are far larger than the rest. Twice: permute, flip signs, Hadamard transform in blocks of the
 * largest power of two that divides the padded length. Lengths and inner products stay. Deterministic, on every platform.
 */
export class Rotation {
  /** Length of what goes in and comes out: the dimension, padded with zeros. */
  readonly length: number
  readonly #block: number
  readonly #rounds: readonly Round[]
  readonly #scratch: readonly [Float64Array, Float64Array]

  /** @throws {RangeError} not a whole number of 1..65,536 */
  constructor(dimension: number) {
    this.length = paddedDimension(dimension)
    this.#block = this.length & -this.length
    const next = generator(SEED)
    this.#rounds = Array.from({ length: ROUNDS }, () => createRound(this.length, this.#block, next))
    this.#scratch = [new Float64Array(this.length), new Float64Array(this.length)]
  }

  /**
   * The rotated vector - origin.
   * @param vector  as many values as the dimension; @param origin  as many
   * @returns scratch of this rotation, valid until the next call
   */
  rotate(vector: Float32Array, origin: Float32Array): Float64Array {
    let [source, target] = this.#scratch
    source.fill(0)
    for (let at = 0; at < vector.length; at++) source[at] = (vector[at] as number) - (origin[at] as number)
    for (const round of this.#rounds) {
      permute(source, round, target)
      transform(target, this.#block)
      ;[source, target] = [target, source]
    }
    return source
  }
}
