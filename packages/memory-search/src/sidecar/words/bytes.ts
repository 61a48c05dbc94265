import { grown } from '../grown.js'

/** Numbers are varints: seven bits a byte, the lowest first, below 2^35. */
const MORE = 0x80
const LOW_BITS = 0x7f
/** A varint of 35 bits; anything longer is not one of ours. */
const MAX_VARINT_BYTES = 5
/** Up to so many, a view to `set` costs more than they do. */
const FEW_BYTES = 64

/** Bytes written one after the other; the array doubles when it is full. */
export class ByteWriter {
  bytes: Uint8Array
  length = 0

  constructor(capacity = 0) {
    this.bytes = new Uint8Array(capacity)
  }

  /** @param value  a whole number, 0..2^35 - 1 */
  varint(value: number): void {
    this.#makeRoom(MAX_VARINT_BYTES)
    let rest = value
    while (rest >= MORE) {
      this.bytes[this.length++] = MORE | (rest % MORE)
      rest = Math.floor(rest / MORE)
    }
    this.bytes[this.length++] = rest
  }

  append(from: Uint8Array, start = 0, end = from.length): void {
    this.#makeRoom(end - start)
    if (end - start > FEW_BYTES) {
      this.bytes.set(from.subarray(start, end), this.length)
      this.length += end - start
      return
    }
    for (let at = start; at < end; at++) this.bytes[this.length++] = from[at] as number
  }

  clear(): void {
    this.length = 0
  }

  /** What was written, in an array of just its size. */
  taken(): Uint8Array {
    return this.length === this.bytes.length ? this.bytes : this.bytes.slice(0, this.length)
  }

  #makeRoom(count: number): void {
    const needed = this.length + count
    if (needed <= this.bytes.length) return
    this.bytes = grown(this.bytes.subarray(0, this.length), new Uint8Array(Math.max(needed, this.bytes.length * 2, 64)))
  }
}

/** Reads from `at` on. @throws {RangeError} of each reading: the bytes end before it does */
export class ByteReader {
  constructor(
    readonly bytes: Uint8Array,
    public at: number,
    readonly end = bytes.length,
  ) {}

  varint(): number {
    let value = 0
    for (let scale = 1, count = 0; count < MAX_VARINT_BYTES; count++, scale *= MORE) {
      if (this.at >= this.end) break
      const byte = this.bytes[this.at++] as number
      value += (byte & LOW_BITS) * scale
      if (byte < MORE) return value
    }
    throw damaged()
  }

  /** @returns where the `count` bytes that were passed over begin */
  skip(count: number): number {
    const start = this.at
    if (count > this.end - start) throw damaged()
    this.at += count
    return start
  }
}

export const damaged = (): RangeError =>
  new RangeError('The words of a sidecar are damaged. Nothing was changed. Build it anew from the index.')
