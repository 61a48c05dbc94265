import { ByteReader, ByteWriter, damaged } from './bytes.js'
import type { FreshWords } from './fresh-words.js'
import { MAX_SLOTS, PostingCursor, PostingWriter, QUARTERS_OF_RUN, type PostingList } from './posting.js'
import { findTerm, GrowingTerms } from './term-table.js'

/** What a file holds of the words: plain arrays, used as they are. To a term belong three varints: postings, their bytes, where these begin in `postings`. */
export interface WordSections {
  readonly postings: Uint8Array
  readonly terms: Uint8Array
  readonly table: Uint32Array
}

/** Words that were sealed: as small as they get, and never changed. */
export class SealedWords {
  constructor(readonly sections: WordSections) {}

  get bytes(): number {
    const { postings, terms, table } = this.sections
    return postings.byteLength + terms.byteLength + table.byteLength
  }

  /** @returns undefined where no record holds the term  @throws {RangeError} damaged */
  find(bytes: Uint8Array, start: number, end: number): PostingList | undefined {
    const place = findTerm(this.sections, bytes, start, end)
    return place < 0 ? undefined : this.#postingsAt(new ByteReader(this.sections.terms, place))
  }

  /** Calls for every term. @throws {RangeError} damaged */
  eachTerm(visit: (bytes: Uint8Array, start: number, end: number, postings: PostingList) => void): void {
    const reader = new ByteReader(this.sections.terms, 0)
    while (reader.at < reader.end) {
      const length = reader.varint()
      const start = reader.skip(length)
      visit(reader.bytes, start, start + length, this.#postingsAt(reader))
    }
  }

  #postingsAt(reader: ByteReader): PostingList {
    const [count, length, start] = [reader.varint(), reader.varint(), reader.varint()]
    const bytes = this.sections.postings
    const end = start + length
    // A byte is three postings at most.
    if (end > bytes.length || count > length * QUARTERS_OF_RUN.length) throw damaged()
    return { bytes, start, end, count }
  }
}

/**
 * Seals words: those of sealed slots, and of fresh ones after them, where the slots go to. Needs room for the result besides.
 * @param slotOf  new slot by old one, rising; -1: it is dropped
 * @throws {RangeError} damaged, or a slot that `slotOf` does not know
 */
export function sealed(former: SealedWords, fresh: FreshWords, slotOf: Int32Array): SealedWords {
  const terms = new GrowingTerms(former.sections.terms.length)
  // Slots come closer to each other when some are dropped, never farther: what the lists take now is enough for most.
  const postings = new ByteWriter(former.sections.postings.length + fresh.postingBytes)
  const isTaken = new Uint8Array(fresh.lists)

  const write = (bytes: Uint8Array, start: number, end: number, lists: readonly PostingList[]): void => {
    const begin = postings.length
    const count = moved(lists, slotOf, postings)
    if (count === 0) return
    terms.add(bytes, start, end)
    terms.writer.varint(count)
    terms.writer.varint(postings.length - begin)
    terms.writer.varint(begin)
  }
  former.eachTerm((bytes, start, end, list) => {
    const own = fresh.lists === 0 ? -1 : fresh.listOf(bytes, start, end)
    if (own < 0) return write(bytes, start, end, [list])
    isTaken[own] = 1
    write(bytes, start, end, [list, fresh.postings(own)])
  })
  fresh.eachTerm((bytes, start, end, own) => {
    if (isTaken[own] === 0) write(bytes, start, end, [fresh.postings(own)])
  })
  return new SealedWords({ postings: postings.taken(), ...terms.fitted() })
}

/** @returns postings that were written */
function moved(lists: readonly PostingList[], slotOf: Int32Array, into: ByteWriter): number {
  const writer = new PostingWriter(into)
  let before = -1
  for (const list of lists) {
    const cursor = new PostingCursor(list)
    while (cursor.next()) {
      const slot = slotOf[cursor.slot]
      if (slot === -1) continue
      if (slot === undefined || slot <= before || slot >= MAX_SLOTS) throw damaged()
      writer.put(slot, cursor.quarters)
      before = slot
    }
  }
  writer.end()
  return writer.count
}
