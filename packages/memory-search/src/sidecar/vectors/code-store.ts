import { kernelOrTwin, type Kernel } from '../../wasm/kernel-or-twin.js'
import { withRoom } from '../grown.js'
import { BLOCK_CODES, codeBytes, copyCode, paddedDimension, positionsOf, writeCode } from './code-layout.js'
import { CodeMemory } from './code-memory.js'
import { simdScan } from './code-scan.js'
import { Encoder } from './encoder.js'
import { plainScan } from './plain-scan.js'
import { fillTables } from './query-tables.js'

/** What `load` fills: the memory that is scanned, of as many slots as were asked for. */
export interface CodePlace {
  readonly codes: Uint8Array
  readonly gains: Float32Array
  readonly offsets: Float32Array
}

export interface CodeSections extends CodePlace {
  readonly mean: Float32Array
}

interface StoreOptions {
  readonly dimension: number
  /** Of the vectors, about; it is kept as long as the codes are. Zeros where none is known: estimates are less close. */
  readonly mean: Float32Array
  /** Default: SIMD where the platform has it. */
  readonly kernel?: Kernel
}

/**
 * By how much an estimate is off, by gain and length of what is left of the query: the signs times the gain are the vector of
 * signs nearest to o along it, and what they have beside it is √(gain² − |o|²/D) · √D long, of which |o|²/D is 2/π of gain² where
 * the parts of o are normal, as rotating makes them; a query is to it as any direction is.
 */
const ERROR_BY_GAIN = Math.sqrt(1 - 2 / Math.PI)

const NO_VECTOR = { gain: 0, offset: Number.NEGATIVE_INFINITY }
/** Slots that are copied between two turns: two milliseconds at 768 dimensions. */
export const TURN_SLOTS = 2_048
/** Of a vector: nothing overflows below it, and what is longer was not brought to unit length. */
const MAX_SQUARES = 4

/**
 * Vectors of unit length as one bit a dimension, by slot, and estimates of their cosines with a query (SEA-18): close enough that
 * the nearest are among the best few hundred, of which the exact cosine is asked then. 104 bytes a slot at 768 dimensions,
 * and 4 for its estimate. Estimates are the same on every platform, bit for bit.
 */
export class CodeStore {
  readonly dimension: number
  readonly mean: Float32Array
  readonly #memory: CodeMemory
  readonly #encoder: Encoder
  readonly #kernel: Kernel | undefined
  /** <c, c> */
  readonly #meanSquared: number
  #size = 0
  /** Length of what is left of the last query without the mean. */
  #queryLength = 0

  /**
   * @param options.capacity  slots to make room for at once; it grows by itself
   * @throws {RangeError} dimensions not of 1..65,536, a mean of other dimensions or not finite, SIMD asked for where there is
   *   none, or no memory left
   */
  static create(options: StoreOptions & { readonly capacity?: number }): CodeStore {
    return new CodeStore(options, options.capacity ?? 0)
  }

  /**
   * A store of `sections()` that were kept. `fill` writes them straight into the memory that is scanned.
   * @throws {RangeError} as `create`; and whatever `fill` throws
   */
  static load(options: StoreOptions & { readonly size: number }, fill: (place: CodePlace) => void): CodeStore {
    const { dimension, size } = options
    const store = new CodeStore(options, withRoom(size))
    store.#size = size
    const { codes, gains, offsets } = store.#memory.parts
    fill({
      codes: codes.subarray(0, codeBytes(dimension, size)),
      gains: gains.subarray(0, size),
      offsets: offsets.subarray(0, size),
    })
    return store
  }

  private constructor({ dimension, mean, kernel }: StoreOptions, slots: number) {
    paddedDimension(dimension) // checks it
    this.dimension = dimension
    this.#check(mean)
    this.mean = mean.slice()
    this.#kernel = kernel
    this.#encoder = new Encoder(this.mean)
    this.#meanSquared = this.#encoder.alongMean(this.mean)
    this.#memory = new CodeMemory(kernelOrTwin(simdScan(), plainScan, kernel), dimension, slots)
  }

  /** Slots 0..size-1 were set, or skipped. */
  get size(): number {
    return this.#size
  }

  /** Bytes of memory it holds, room to grow included. */
  get bytes(): number {
    return this.#memory.bytes
  }

  /**
   * Keeps the code of a vector of unit length; `undefined`: the slot has none.
   * @throws {RangeError} other dimensions, not finite, no slot number, or no memory left; nothing was changed
   */
  set(slot: number, vector: Float32Array | undefined): void {
    if (!Number.isSafeInteger(slot) || slot < 0) throw new RangeError(`${slot} is not the number of a slot.`)
    if (vector !== undefined) this.#check(vector)
    this.#memory.ensure(slot + 1)
    const { codes, gains, offsets } = this.#memory.parts
    const { gain, offset } = vector === undefined ? NO_VECTOR : this.#encoder.encode(vector)
    if (vector !== undefined) writeCode(codes, slot, this.#encoder.nibbles)
    gains[slot] = gain
    offsets[slot] = offset
    this.#size = Math.max(this.#size, slot + 1)
  }

  /**
   * About the cosine of each slot with a query of unit length; -Infinity where it has no vector.
   * @returns by slot, `size` of them; a view, valid until the next call of `set` or `estimates`
   * @throws {RangeError} other dimensions, or not finite
   */
  estimates(query: Float32Array): Float32Array {
    this.#check(query)
    const residual = this.#encoder.residual(query)
    this.#queryLength = Math.sqrt(residual.reduce((sum, part) => sum + part * part, 0))
    const scale = fillTables(residual, this.#memory.parts.tables)
    this.#memory.scan(this.#size, scale, this.#encoder.alongMean(query) - this.#meanSquared)
    return this.#memory.parts.estimates.subarray(0, this.#size)
  }

  /** Standard error of the estimate of a slot that has a vector, for the query that was asked last. */
  errorOf(slot: number): number {
    return ERROR_BY_GAIN * (this.#memory.parts.gains[slot] as number) * this.#queryLength
  }

  /**
   * Another store whose slot i is slot `slots[i]` of this one, in turns. Codes are copied, nothing is encoded anew. Other
   * slots of this one may be set meanwhile.
   * @throws {RangeError} a slot that is not of this store, or no memory left
   */
  *compacting(slots: Uint32Array): Generator<void, CodeStore> {
    const { dimension, mean } = this
    const kernel = this.#kernel === undefined ? {} : { kernel: this.#kernel }
    const store = new CodeStore({ dimension, mean, ...kernel }, withRoom(slots.length))
    store.#size = slots.length
    const kept = this.#unmovedSlots(slots)
    store.#memory.parts.codes.set(this.#memory.parts.codes.subarray(0, codeBytes(dimension, kept)))
    for (let begin = 0; begin < slots.length; begin += TURN_SLOTS) {
      if (begin > 0) yield
      this.#copy(slots, { begin, end: Math.min(begin + TURN_SLOTS, slots.length), kept }, store)
    }
    return store
  }

  /** Copies some of the slots; codes of the first `kept` are there already. */
  #copy(
    slots: Uint32Array,
    { begin, end, kept }: { readonly begin: number; readonly end: number; readonly kept: number },
    into: CodeStore,
  ): void {
    const [from, place] = [this.#memory.parts, into.#memory.parts]
    const positions = positionsOf(this.dimension)
    for (let slot = begin; slot < end; slot++) {
      const former = slots[slot] as number
      if (former >= this.#size) throw new RangeError(`Slot ${former} is not among ${this.#size}.`)
      place.gains[slot] = from.gains[former] as number
      place.offsets[slot] = from.offsets[former] as number
      if (slot >= kept) copyCode(from.codes, former, place.codes, slot, positions)
    }
  }

  /** Copies of slots 0..size-1, for the file: what is set meanwhile does not reach them. */
  sections(): CodeSections {
    const { codes, gains, offsets } = this.#memory.parts
    return {
      codes: codes.slice(0, codeBytes(this.dimension, this.#size)),
      gains: gains.slice(0, this.#size),
      offsets: offsets.slice(0, this.#size),
      mean: this.mean.slice(),
    }
  }

  /** Slots from 0, in whole blocks, that keep their place. */
  #unmovedSlots(slots: Uint32Array): number {
    const moved = slots.findIndex((former, slot) => former !== slot)
    const kept = moved === -1 ? slots.length : moved
    return kept - (kept % BLOCK_CODES)
  }

  #check(vector: Float32Array): void {
    if (vector.length !== this.dimension) {
      throw new RangeError(`A vector of ${vector.length} dimensions does not fit among those of ${this.dimension}.`)
    }
    let squares = 0
    for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2
    if (!(squares <= MAX_SQUARES)) throw new RangeError('A vector has to be finite, and about of unit length.')
  }
}
