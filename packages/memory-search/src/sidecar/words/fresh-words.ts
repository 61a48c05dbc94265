import type { WordColumns } from '../../sqlite/full-text.js'
import { grown } from '../grown.js'
import { ByteReader, ByteWriter } from './bytes.js'
import { inOrder, type FreshTerm } from './fresh-order.js'
import { MAX_SLOTS, QUARTERS_OF_COLUMN, writePosting, type PostingList } from './posting.js'
import { PostingPool } from './posting-pool.js'
import { GrowingTerms } from './term-table.js'

/** Most tokens of a record, for its length is kept in 16 bits. Three sentences of 2,048 bytes and tags have a third of it at most. */
export const MAX_TOKENS = 0xffff

const SPACE = 0x20
/** In `#quarters`: the record that is being added does not hold the term. */
const ABSENT = -1

const encoder = new TextEncoder()

/** Words of records that were added one by one and are not sealed yet. What belongs to a term is the number of its list. */
export class FreshWords {
  readonly #terms = new GrowingTerms()
  readonly #pool = new PostingPool()
  readonly #posting = new ByteWriter(16)
  /** By list: its postings, slot of the last one, and what the record that is being added comes to. */
  #counts = new Int32Array()
  #last = new Int32Array()
  #quarters = new Int32Array()
  /** Lists that the record that is being added belongs to. */
  #touched: number[] = []
  #text = new Uint8Array()
  #records = 0
  #slots = 0

  get records(): number {
    return this.#records
  }
  /** All slots are below. */
  get slots(): number {
    return this.#slots
  }
  get lists(): number {
    return this.#terms.count
  }
  get bytes(): number {
    return this.#terms.bytes + this.#pool.bytes + 3 * this.#counts.byteLength + this.#text.byteLength
  }

  /** @returns tokens of the record  @throws {RangeError} more than `MAX_TOKENS`; nothing was added */
  add(slot: number, columns: WordColumns): number {
    if (!Number.isInteger(slot) || slot < this.#slots || slot >= MAX_SLOTS) {
      throw new RangeError(`Slot ${slot} is not between ${this.#slots} and ${MAX_SLOTS - 1}. Nothing was added.`)
    }
    let tokens = 0
    for (let column = 0; column < columns.length; column++) {
      tokens += this.#count(columns[column] as string, QUARTERS_OF_COLUMN[column] as number)
    }
    const touched = this.#touched
    this.#touched = []
    const fits = tokens <= MAX_TOKENS
    for (const list of touched) {
      if (fits) this.#append(list, slot, this.#quarters[list] as number)
      this.#quarters[list] = ABSENT
    }
    if (!fits) throw new RangeError(`A record has ${tokens} words; the limit is ${MAX_TOKENS}. Nothing was added.`)
    this.#slots = slot + 1
    this.#records++
    return tokens
  }

  /** @returns undefined where no record holds the term */
  find(bytes: Uint8Array, start: number, end: number): PostingList | undefined {
    const list = this.listOf(bytes, start, end)
    return list < 0 ? undefined : this.postings(list)
  }

  /** @returns the number of its list; -1: it has none */
  listOf(bytes: Uint8Array, start: number, end: number): number {
    const place = this.#terms.find(bytes, start, end)
    return place < 0 ? -1 : new ByteReader(this.#terms.terms, place).varint()
  }

  postings(list: number): PostingList {
    const bytes = this.#pool.read(list)
    return { bytes, start: 0, end: bytes.length, count: this.#counts[list] as number }
  }

  /** Every term that is there when this begins, in the order of sealed ones, after some turns in which they are sorted. */
  inOrder(): Generator<void, Generator<FreshTerm, void>> {
    return inOrder(this.#terms)
  }

  /** Bytes of all terms and postings. */
  get contentBytes(): number {
    let sum = this.#terms.writer.length
    for (let list = 0; list < this.lists; list++) sum += this.#pool.lengthOf(list)
    return sum
  }

  #count(text: string, quarters: number): number {
    if (text.length * 3 > this.#text.length) this.#text = new Uint8Array(text.length * 3)
    const bytes = this.#text
    const { written } = encoder.encodeInto(text, bytes)
    let tokens = 0
    for (let start = 0; start < written;) {
      let end = start
      while (end < written && bytes[end] !== SPACE) end++
      if (end > start) {
        tokens++
        this.#touch(bytes, start, end, quarters)
      }
      start = end + 1
    }
    return tokens
  }

  #touch(bytes: Uint8Array, start: number, end: number, quarters: number): void {
    let list = this.listOf(bytes, start, end)
    if (list < 0) list = this.#addTerm(bytes, start, end)
    const sofar = this.#quarters[list] as number
    if (sofar === ABSENT) this.#touched.push(list)
    this.#quarters[list] = (sofar === ABSENT ? 0 : sofar) + quarters
  }

  #addTerm(bytes: Uint8Array, start: number, end: number): number {
    const list = this.#terms.count
    this.#terms.add(bytes, start, end)
    this.#terms.writer.varint(list)
    if (list >= this.#counts.length) this.#makeRoom(list)
    this.#last[list] = -1
    this.#quarters[list] = ABSENT
    return list
  }

  #append(list: number, slot: number, quarters: number): void {
    this.#posting.clear()
    writePosting(this.#posting, this.#last[list] as number, slot, quarters)
    this.#pool.append(list, this.#posting.bytes, this.#posting.length)
    this.#last[list] = slot
    this.#counts[list] = (this.#counts[list] as number) + 1
  }

  #makeRoom(list: number): void {
    const lists = Math.max(64, list + 1 + (list >> 1))
    this.#counts = grown(this.#counts, new Int32Array(lists))
    this.#last = grown(this.#last, new Int32Array(lists))
    this.#quarters = grown(this.#quarters, new Int32Array(lists))
  }
}
