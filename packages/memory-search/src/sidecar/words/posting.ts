import { damaged, type ByteWriter } from './bytes.js'

/**
 * A posting says that the record in a slot holds a word, and how often, weighted: one in its body counts 1, in the record
 * before it .5, in the one before that .25, a tag 0 (SEA-9). So in quarters it is a whole number. It is written as one
 * varint, `(slots passed over since the posting before) * 16 + class`. Classes are the usual counts of quarters, and two more:
 * the three postings that a word makes in a conversation, where it is in a record and in the context of the two after it;
 * and one that says that the quarters follow, as a varint.
 */
export const QUARTERS_OF_CLASS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] as const
/** Quarters of the postings of a run, in adjacent slots. */
export const RUN = QUARTERS_OF_CLASS.length
export const QUARTERS_OF_RUN = [4, 2, 1] as const
export const QUARTERS_FOLLOW = RUN + 1
export const CLASS_BITS = 4
export const CLASS_MASK = 15

/** Quarters of one token in each of the four columns. */
export const QUARTERS_OF_COLUMN = [4, 2, 1, 0] as const

/** The first slot that there cannot be: gaps times sixteen have to fit into 31 bits. */
export const MAX_SLOTS = 2 ** 27

const MORE = 0x80
const LOW_BITS = 0x7f

const CLASS_OF_QUARTERS = new Uint8Array(Math.max(...QUARTERS_OF_CLASS) + 1).fill(QUARTERS_FOLLOW)
QUARTERS_OF_CLASS.forEach((quarters, place) => (CLASS_OF_QUARTERS[quarters] = place))

/** @param before  slot of the posting before it in the list; -1: it is the first */
export function writePosting(into: ByteWriter, before: number, slot: number, quarters: number): void {
  const place = CLASS_OF_QUARTERS[quarters] ?? QUARTERS_FOLLOW
  into.varint(codeOf(before, slot, place))
  if (place === QUARTERS_FOLLOW) into.varint(quarters)
}

const codeOf = (before: number, slot: number, place: number): number => (slot - before - 1) * (CLASS_MASK + 1) + place

/** Writes a list, runs as one. */
export class PostingWriter {
  count = 0
  #before = -1
  /** Postings of what may become a run, which ends before slot `#next`, that wait for the others. */
  #waiting = 0
  #next = 0

  constructor(private readonly into: ByteWriter) {}

  /** @param slot  above all before it */
  put(slot: number, quarters: number): void {
    this.count++
    if (this.#waiting > 0 && (slot !== this.#next || quarters !== QUARTERS_OF_RUN[this.#waiting])) this.end()
    if (this.#waiting === 0 && quarters !== QUARTERS_OF_RUN[0]) {
      writePosting(this.into, this.#before, slot, quarters)
      this.#before = slot
      return
    }
    this.#waiting++
    this.#next = slot + 1
    if (this.#waiting < QUARTERS_OF_RUN.length) return
    this.into.varint(codeOf(this.#before, slot + 1 - QUARTERS_OF_RUN.length, RUN))
    this.#waiting = 0
    this.#before = slot
  }

  /** Writes what waits; to be called at the end of the list. */
  end(): void {
    for (let at = 0; at < this.#waiting; at++) {
      const slot = this.#next - this.#waiting + at
      writePosting(this.into, this.#before, slot, QUARTERS_OF_RUN[at] as number)
      this.#before = slot
    }
    this.#waiting = 0
  }
}

/** Where the postings of a word are, by rising slot. */
export interface PostingList {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
  /** Postings in it. */
  readonly count: number
}

/** A walk over a list. Nonsense ends it: every one or three postings take a byte. */
export class PostingCursor {
  slot = -1
  quarters = 0
  readonly #bytes: Uint8Array
  readonly #end: number
  #at: number
  /** Postings of the present run up to this one; 0: of none. */
  #inRun = 0

  constructor({ bytes, start, end }: PostingList) {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
  }

  /** @returns false at the end  @throws {RangeError} the list is cut off, or beyond every slot there can be */
  next(): boolean {
    if (this.#inRun > 0 && this.#inRun < QUARTERS_OF_RUN.length) {
      this.slot++
      this.quarters = QUARTERS_OF_RUN[this.#inRun++] as number
      return true
    }
    this.#inRun = 0
    if (this.#at >= this.#end) return false
    const code = this.#varint()
    const place = code & CLASS_MASK
    this.slot += (code >>> CLASS_BITS) + 1
    if (this.slot >= MAX_SLOTS) throw damaged()
    if (place === RUN) {
      this.#inRun = 1
      this.quarters = QUARTERS_OF_RUN[0]
    } else this.quarters = place === QUARTERS_FOLLOW ? this.#varint() : (QUARTERS_OF_CLASS[place] as number)
    return true
  }

  #varint(): number {
    let byte = this.#next()
    if (byte < MORE) return byte
    let value = byte & LOW_BITS
    for (let shift = 7; shift < 35; shift += 7) {
      byte = this.#next()
      value |= (byte & LOW_BITS) << shift
      if (byte < MORE) return value >>> 0
    }
    throw damaged()
  }

  #next(): number {
    if (this.#at >= this.#end) throw damaged()
    return this.#bytes[this.#at++] as number
  }
}
