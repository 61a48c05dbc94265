import { grown } from '../grown.js'

/** Slices come from blocks of this size. */
const BLOCK_BITS = 16
const BLOCK_BYTES = 1 << BLOCK_BITS
const OFFSET_MASK = BLOCK_BYTES - 1
/** Every slice begins with the address of the next one, the lowest byte first. */
const LINK_BYTES = 4
/** Bytes in the first slice of a list; each further one has twice as many, up to the largest. Most words are in one record. */
const FIRST_SLICE = 8
const LARGEST_SLICE = 4_096 - LINK_BYTES

const nextSize = (size: number): number => (size === 0 ? FIRST_SLICE : Math.min(size * 2, LARGEST_SLICE))

/**
 * Lists of bytes that all grow at once, in little more than what they hold: each is a chain of ever larger slices of common
 * blocks, so that nothing is moved when it grows. Lists have numbers from 0; those never written to are empty.
 */
export class PostingPool {
  readonly #blocks: Uint8Array[] = []
  /** Taken of the last block. */
  #taken = BLOCK_BYTES
  #heads = new Uint32Array()
  /** Where the next byte of a list goes, where its last slice ends, and how long that one is. */
  #tails = new Uint32Array()
  #ends = new Uint32Array()
  #sizes = new Uint16Array()
  #lengths = new Uint32Array()

  get bytes(): number {
    return this.#blocks.length * BLOCK_BYTES + this.#heads.length * 18
  }

  /** Bytes of a list. */
  lengthOf(list: number): number {
    return this.#lengths[list] ?? 0
  }

  /** Adds the first `length` of these bytes to a list. */
  append(list: number, bytes: Uint8Array, length: number): void {
    if (list >= this.#heads.length) this.#makeRoom(list)
    let tail = this.#tails[list] as number
    for (let at = 0; at < length; at++) {
      if (tail === this.#ends[list]) tail = this.#addSlice(list)
      const block = this.#blocks[tail >>> BLOCK_BITS] as Uint8Array
      block[tail & OFFSET_MASK] = bytes[at] as number
      tail++
    }
    this.#tails[list] = tail
    this.#lengths[list] = (this.#lengths[list] as number) + length
  }

  /** A list in one piece. */
  read(list: number): Uint8Array {
    const whole = new Uint8Array(this.lengthOf(list))
    let address = this.#heads[list] as number
    for (let at = 0, size = FIRST_SLICE; at < whole.length; size = nextSize(size)) {
      const block = this.#blocks[address >>> BLOCK_BITS] as Uint8Array
      const link = address & OFFSET_MASK
      const start = link + LINK_BYTES
      const count = Math.min(whole.length - at, size)
      for (let from = start; from < start + count; from++) whole[at++] = block[from] as number
      address = readLink(block, link)
    }
    return whole
  }

  /** @returns where its first byte goes */
  #addSlice(list: number): number {
    const last = this.#sizes[list] as number
    const size = nextSize(last)
    const address = this.#take(LINK_BYTES + size)
    if (last === 0) this.#heads[list] = address
    else {
      const before = (this.#ends[list] as number) - last - LINK_BYTES
      writeLink(this.#blocks[before >>> BLOCK_BITS] as Uint8Array, before & OFFSET_MASK, address)
    }
    this.#sizes[list] = size
    this.#ends[list] = address + LINK_BYTES + size
    return address + LINK_BYTES
  }

  #take(count: number): number {
    if (this.#taken + count > BLOCK_BYTES) {
      this.#blocks.push(new Uint8Array(BLOCK_BYTES))
      this.#taken = 0
    }
    const offset = this.#taken
    this.#taken += count
    return (this.#blocks.length - 1) * BLOCK_BYTES + offset
  }

  #makeRoom(list: number): void {
    const lists = Math.max(64, list + 1 + (list >> 1))
    this.#heads = grown(this.#heads, new Uint32Array(lists))
    this.#tails = grown(this.#tails, new Uint32Array(lists))
    this.#ends = grown(this.#ends, new Uint32Array(lists))
    this.#sizes = grown(this.#sizes, new Uint16Array(lists))
    this.#lengths = grown(this.#lengths, new Uint32Array(lists))
  }
}

const readLink = (block: Uint8Array, at: number): number =>
  ((block[at] as number) |
    ((block[at + 1] as number) << 8) |
    ((block[at + 2] as number) << 16) |
    ((block[at + 3] as number) << 24)) >>>
  0

function writeLink(block: Uint8Array, at: number, address: number): void {
  for (let byte = 0; byte < LINK_BYTES; byte++) block[at + byte] = (address >>> (8 * byte)) & 0xff
}
