import { ByteReader, ByteWriter } from './bytes.js'
import { areEqual, hashOf } from './term.js'

/** Places of the table for each term, at the least: more are probed in a fuller one. */
const SPARSENESS = 1.3
const FIRST_PLACES = 64

/**
 * Terms that become more, by their UTF-8 bytes. `terms` holds them one after the other: length as varint, bytes, and what
 * belongs to the term, which is written right after it was added.
 */
export class GrowingTerms {
  readonly writer = new ByteWriter()
  /** Open addressing with linear probing: 1 + where a term begins, 0: free. Some places always are. */
  #table = new Uint32Array()
  #count = 0

  get terms(): Uint8Array {
    return this.writer.bytes
  }
  get count(): number {
    return this.#count
  }
  get bytes(): number {
    return this.writer.bytes.byteLength + this.#table.byteLength
  }

  /** @returns where what belongs to the term begins in `terms`; -1: it is not there */
  find(bytes: Uint8Array, start: number, end: number): number {
    const { terms } = this
    const table = this.#table
    if (table.length === 0) return -1
    for (let place = hashOf(bytes, start, end) % table.length; ; place = next(place, table)) {
      const entry = table[place] as number
      if (entry === 0) return -1
      const found = payloadIfEqual(terms, entry - 1, bytes, start, end)
      if (found >= 0) return found
    }
  }

  /** The term must not be there yet. */
  add(bytes: Uint8Array, start: number, end: number): void {
    this.#count++
    if (this.#count * SPARSENESS > this.#table.length) this.#grow()
    putTerm(this.#table, hashOf(bytes, start, end), this.writer.length)
    this.writer.varint(end - start)
    this.writer.append(bytes, start, end)
  }

  #grow(): void {
    const { terms } = this
    const grown = new Uint32Array(Math.max(FIRST_PLACES, this.#table.length * 2))
    for (const entry of this.#table) {
      if (entry === 0) continue
      const reader = new ByteReader(terms, entry - 1)
      const length = reader.varint()
      putTerm(grown, hashOf(terms, reader.at, reader.at + length), entry - 1)
    }
    this.#table = grown
  }
}

const next = (place: number, table: Uint32Array): number => (place + 1 === table.length ? 0 : place + 1)

function payloadIfEqual(terms: Uint8Array, entry: number, bytes: Uint8Array, start: number, end: number): number {
  let own = terms[entry] as number
  let at = entry + 1
  // Nearly all terms are shorter than 128 bytes.
  if (own >= 0x80) {
    const reader = new ByteReader(terms, entry)
    own = reader.varint()
    at = reader.at
  }
  return own === end - start && areEqual(terms, at, bytes, start, own) ? at + own : -1
}

function putTerm(table: Uint32Array, hash: number, start: number): void {
  let place = hash % table.length
  while (table[place] !== 0) place = next(place, table)
  table[place] = start + 1
}
