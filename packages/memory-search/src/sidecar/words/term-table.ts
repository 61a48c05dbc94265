import { ByteReader, ByteWriter } from './bytes.js'

/**
 * Terms by their UTF-8 bytes. `terms` holds them one after the other: length as varint, bytes, and what belongs to the term.
 * `table` is open addressing with linear probing: 1 + where a term begins, 0: free. Both are files as they are.
 */
export interface Terms {
  readonly terms: Uint8Array
  readonly table: Uint32Array
}

/** Places of the table for each term: more are probed in a fuller one, a search looks up few. */
const SPARSENESS = 1.3
const FIRST_PLACES = 64

/** FNV-1a, 32 bits, constants of its authors (Fowler, Noll, Vo), and the upper bits mixed down: a table is of any size. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/**
 * Looks a term up.
 * @returns where what belongs to it begins in `terms`; -1: it is not there
 * @throws {RangeError} damaged
 */
export function findTerm({ terms, table }: Terms, bytes: Uint8Array, start: number, end: number): number {
  const places = table.length
  if (places === 0) return -1
  let place = hashOf(bytes, start, end) % places
  // Bounded, though a table always has free places: one that was read from a file may not.
  for (let probed = 0; probed < places; probed++) {
    const entry = table[place] as number
    if (entry === 0) return -1
    const found = payloadIfEqual(terms, entry - 1, bytes, start, end)
    if (found >= 0) return found
    place = place + 1 === places ? 0 : place + 1
  }
  return -1
}

function payloadIfEqual(terms: Uint8Array, entry: number, bytes: Uint8Array, start: number, end: number): number {
  const length = end - start
  let own = terms[entry] as number
  let at = entry + 1
  // Nearly all terms are shorter than 128 bytes.
  if (!(own < 0x80)) {
    const reader = new ByteReader(terms, entry)
    own = reader.varint()
    at = reader.at
  }
  if (own !== length) return -1
  for (let offset = 0; offset < length; offset++) if (terms[at + offset] !== bytes[start + offset]) return -1
  return at + length
}

/** Terms that become more. What belongs to a term is written right after it was added. */
export class GrowingTerms implements Terms {
  readonly writer: ByteWriter
  table: Uint32Array = new Uint32Array()
  #count = 0

  constructor(capacity = 0) {
    this.writer = new ByteWriter(capacity)
  }

  get terms(): Uint8Array {
    return this.writer.bytes
  }
  get count(): number {
    return this.#count
  }
  get bytes(): number {
    return this.writer.bytes.byteLength + this.table.byteLength
  }

  /** The term must not be there yet. */
  add(bytes: Uint8Array, start: number, end: number): void {
    this.#count++
    if (this.#count * SPARSENESS > this.table.length) {
      this.table = rehashed(this, Math.max(FIRST_PLACES, this.table.length * 2))
    }
    putTerm(this.table, hashOf(bytes, start, end), this.writer.length)
    this.writer.varint(end - start)
    this.writer.append(bytes, start, end)
  }

  /** The same in arrays of just their size. */
  fitted(): Terms {
    return { terms: this.writer.taken(), table: rehashed(this, Math.ceil(this.#count * SPARSENESS)) }
  }
}

function rehashed({ terms, table }: Terms, places: number): Uint32Array {
  const next = new Uint32Array(places)
  for (const entry of table) {
    if (entry === 0) continue
    const reader = new ByteReader(terms, entry - 1)
    const length = reader.varint()
    putTerm(next, hashOf(terms, reader.at, reader.at + length), entry - 1)
  }
  return next
}

function putTerm(table: Uint32Array, hash: number, start: number): void {
  let place = hash % table.length
  while (table[place] !== 0) place = place + 1 === table.length ? 0 : place + 1
  table[place] = start + 1
}
