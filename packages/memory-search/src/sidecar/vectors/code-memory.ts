import { PAGE_BYTES } from '../../wasm/instantiate.js'
import { BLOCK_CODES, codeBytes, POSITION_BYTES, positionsOf } from './code-layout.js'
import type { CodeScan } from './code-scan.js'
import type { TableScale } from './query-tables.js'

/** Room is made for an eighth more than is needed, and for this many slots at least: growing moves little, and slack is little. */
const MIN_SLACK = 256

/** The memory of a scan, parted: tables of the query, codes, gains, offsets, estimates. Codes never move. */
export class CodeMemory {
  /** Slots that there is room for. */
  room = 0
  tables = new Uint8Array()
  codes = new Uint8Array()
  gains = new Float32Array()
  offsets = new Float32Array()
  estimates = new Float32Array()

  constructor(
    private readonly kernel: CodeScan,
    private readonly dimension: number,
  ) {
    this.#reserve(0)
  }

  /** Every byte that is held, room included. */
  get bytes(): number {
    return this.kernel.memory.buffer.byteLength
  }

  /**
   * Makes room for so many slots; new ones have no vector. Views taken before are detached.
   * @throws {RangeError} there is no memory left; nothing was changed
   */
  ensure(slots: number): void {
    if (slots > this.room) this.#reserve(slots + Math.max(MIN_SLACK, slots >> 3))
  }

  /** Fills `estimates` of the first slots, whole blocks; `tables` are filled. */
  scan(slots: number, { scale, base }: TableScale, constant: number): void {
    const blocks = Math.ceil(slots / BLOCK_CODES)
    const { codes, tables, gains, offsets, estimates } = this
    const places = [gains.byteOffset, offsets.byteOffset, estimates.byteOffset] as const
    this.kernel.scan(
      codes.byteOffset,
      blocks,
      positionsOf(this.dimension),
      tables.byteOffset,
      scale,
      base,
      constant,
      ...places,
    )
  }

  #reserve(slots: number): void {
    const [former, formerGains, formerOffsets] = [this.room, this.gains.byteOffset, this.offsets.byteOffset]
    const formerEnd = this.estimates.byteOffset + this.estimates.byteLength
    const room = Math.ceil(slots / BLOCK_CODES) * BLOCK_CODES
    const floatBytes = room * Float32Array.BYTES_PER_ELEMENT
    const codesAt = positionsOf(this.dimension) * POSITION_BYTES
    const gainsAt = codesAt + codeBytes(this.dimension, room)
    const offsetsAt = gainsAt + floatBytes
    const estimatesAt = offsetsAt + floatBytes
    const pages = Math.ceil((estimatesAt + floatBytes - this.bytes) / PAGE_BYTES)
    if (pages > 0) this.kernel.memory.grow(pages)

    const { buffer } = this.kernel.memory
    const all = new Uint8Array(buffer)
    const formerBytes = former * Float32Array.BYTES_PER_ELEMENT
    // The last first: what moves up must not be written over before.
    all.copyWithin(offsetsAt, formerOffsets, formerOffsets + formerBytes)
    all.copyWithin(gainsAt, formerGains, formerGains + formerBytes)
    this.tables = new Uint8Array(buffer, 0, codesAt)
    this.codes = new Uint8Array(buffer, codesAt, gainsAt - codesAt)
    this.gains = new Float32Array(buffer, gainsAt, room)
    this.offsets = new Float32Array(buffer, offsetsAt, room)
    this.estimates = new Float32Array(buffer, estimatesAt, room)
    // Zero where other things stood; behind that it is, and pages that nobody touched take no memory.
    this.codes.fill(0, codeBytes(this.dimension, former), Math.max(0, formerEnd - codesAt))
    this.gains.fill(0, former)
    this.offsets.fill(Number.NEGATIVE_INFINITY, former)
    this.room = room
  }
}
