import { ByteReader, damaged } from './bytes.js'
import { QUARTERS_OF_RUN, type PostingList } from './posting.js'
import { areEqual, compareTerms, hashOf, type Term } from './term.js'

/** What a file holds of the words: plain arrays, used as they are. */
export interface WordSections {
  /**
   * Every term in the order of `compareTerms`: its length, its UTF-8 bytes, the number of its postings, how many bytes these
   * take, and they themselves. The three numbers are varints.
   */
  readonly words: Uint8Array
  /** All hashes in as many ranges of the same width: where the terms of each begin in `words`. */
  readonly table: Uint32Array
}

export interface SealedTerm extends Term {
  readonly list: PostingList
}

/** Terms of a range of the table, on average. A search passes over half of them. */
const RANGE_TERMS = 4
const HASHES = 2 ** 32

/** Terms that are hashed between two turns: about a millisecond. */
const TURN_TERMS = 4_096

/** Words that were sealed: as small as they get, and never changed. */
export class SealedWords {
  constructor(readonly sections: WordSections) {}

  get bytes(): number {
    const { words, table } = this.sections
    return words.byteLength + table.byteLength
  }

  /** @returns undefined where no record holds the term  @throws {RangeError} damaged */
  find(bytes: Uint8Array, start: number, end: number): PostingList | undefined {
    const { words, table } = this.sections
    if (table.length === 0) return undefined
    const range = rangeOf(hashOf(bytes, start, end), table)
    const reader = new ByteReader(words, table[range] as number, Math.min(words.length, table[range + 1] ?? Infinity))
    while (reader.at < reader.end) {
      const length = reader.varint()
      const own = reader.skip(length)
      const list = postingsAt(reader)
      if (length === end - start && areEqual(words, own, bytes, start, length)) return list
    }
    return undefined
  }

  /** Every term, in their order. @throws {RangeError} damaged */
  *terms(): Generator<SealedTerm, void> {
    const { words: bytes } = this.sections
    let before: SealedTerm | undefined
    for (const reader = new ByteReader(bytes, 0); reader.at < reader.end;) {
      const length = reader.varint()
      const start = reader.skip(length)
      const end = start + length
      const term = { bytes, start, end, hash: hashOf(bytes, start, end), list: postingsAt(reader) }
      if (before !== undefined && compareTerms(before, term) >= 0) throw damaged()
      yield term
      before = term
    }
  }
}

function postingsAt(reader: ByteReader): PostingList {
  const [count, length] = [reader.varint(), reader.varint()]
  const start = reader.skip(length)
  // A byte is three postings at most.
  if (count > length * QUARTERS_OF_RUN.length) throw damaged()
  return { bytes: reader.bytes, start, end: start + length, count }
}

const rangeOf = (hash: number, { length }: Uint32Array): number => Math.floor((hash * length) / HASHES)

/** The table of words, made in turns. @param count  terms that there are */
export function* tableOf(words: Uint8Array, count: number): Generator<void, Uint32Array> {
  const table = new Uint32Array(Math.ceil(count / RANGE_TERMS))
  const reader = new ByteReader(words, 0)
  let ranges = 0
  for (let term = 0; term < count; term++) {
    const begin = reader.at
    const length = reader.varint()
    const start = reader.skip(length)
    const range = rangeOf(hashOf(words, start, start + length), table)
    postingsAt(reader)
    while (ranges <= range) table[ranges++] = begin
    if (term % TURN_TERMS === TURN_TERMS - 1) yield
  }
  return table.fill(words.length, ranges)
}
