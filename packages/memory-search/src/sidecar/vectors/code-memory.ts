import { withRoom } from '../grown.js'
import { BLOCK_CODES, codeBytes, POSITION_BYTES, positionsOf } from './code-layout.js'
import type { CodeScan, CreateScan } from './code-scan.js'
import type { TableScale } from './query-tables.js'

/** The memory of a scan, parted: tables of the query, codes, gains, offsets, estimates. */
interface Parts {
  readonly kernel: CodeScan
  readonly tables: Uint8Array
  readonly codes: Uint8Array
  readonly gains: Float32Array
  readonly offsets: Float32Array
  readonly estimates: Float32Array
}

/** Room for so many slots, whole blocks. */
function partsOf(create: CreateScan, dimension: number, slots: number): Parts {
  const room = Math.ceil(slots / BLOCK_CODES) * BLOCK_CODES
  const floatBytes = room * Float32Array.BYTES_PER_ELEMENT
  const codesAt = positionsOf(dimension) * POSITION_BYTES
  const gainsAt = codesAt + codeBytes(dimension, room)
  const kernel = create(gainsAt + 3 * floatBytes)
  return {
    kernel,
    tables: new Uint8Array(kernel.buffer, 0, codesAt),
    codes: new Uint8Array(kernel.buffer, codesAt, gainsAt - codesAt),
    gains: new Float32Array(kernel.buffer, gainsAt, room),
    offsets: new Float32Array(kernel.buffer, gainsAt + floatBytes, room).fill(Number.NEGATIVE_INFINITY),
    estimates: new Float32Array(kernel.buffer, gainsAt + 2 * floatBytes, room),
  }
}

/** Codes and what goes with them, in the memory that is scanned; it grows by taking another one and copying. */
export class CodeMemory {
  #parts: Parts

  constructor(
    private readonly create: CreateScan,
    private readonly dimension: number,
    slots: number,
  ) {
    this.#parts = partsOf(create, dimension, slots)
  }

  get parts(): Omit<Parts, 'kernel'> {
    return this.#parts
  }

  /** Every byte that is held, room included. */
  get bytes(): number {
    return this.#parts.kernel.buffer.byteLength
  }

  /**
   * Makes room for so many slots; new ones have no vector. Parts taken before are not those of this memory any more.
   * @throws {RangeError} there is no memory left; nothing was changed
   */
  ensure(slots: number): void {
    const former = this.#parts
    if (slots <= former.gains.length) return
    const grown = partsOf(this.create, this.dimension, withRoom(slots))
    grown.codes.set(former.codes)
    grown.gains.set(former.gains)
    grown.offsets.set(former.offsets)
    this.#parts = grown
  }

  /** Fills the estimates of the first slots, whole blocks; the tables are filled. */
  scan(slots: number, { scale, base }: TableScale, constant: number): void {
    const { kernel, codes, tables, gains, offsets, estimates } = this.#parts
    kernel.scan(
      codes.byteOffset,
      Math.ceil(slots / BLOCK_CODES),
      positionsOf(this.dimension),
      tables.byteOffset,
      scale,
      base,
      constant,
      gains.byteOffset,
      offsets.byteOffset,
      estimates.byteOffset,
    )
  }
}
