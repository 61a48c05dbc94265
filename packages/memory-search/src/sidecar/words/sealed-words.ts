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

  /** Every term, where it stands in `sections.terms`, with its postings. @throws {RangeError} damaged */
  *terms(): Generator<{ readonly start: number; readonly end: number; readonly list: PostingList }> {
    const reader = new ByteReader(this.sections.terms, 0)
    while (reader.at < reader.end) {
      const length = reader.varint()
      const start = reader.skip(length)
      yield { start, end: start + length, list: this.#postingsAt(reader) }
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

/** Bytes of postings that are written between two turns: about a millisecond. */
const TURN_BYTES = 16 * 1024

/**
 * Seals words, in turns: those of sealed slots, and of fresh ones after them, where the slots go to. Needs room for the
 * result besides. What is added to the fresh ones meanwhile is left out.
 * @param slotOf  new slot by old one, rising; -1: it is dropped
 * @throws {RangeError} damaged, or a sealed slot that `slotOf` does not know
 */
export function* sealing(former: SealedWords, fresh: FreshWords, slotOf: Int32Array): Generator<void, SealedWords> {
  const terms = new GrowingTerms(former.sections.terms.length)
  // Slots come closer to each other when some are dropped, never farther: what the lists take now is enough for most.
  const postings = new ByteWriter(former.sections.postings.length + fresh.postingBytes)
  const isTaken = new Uint8Array(fresh.lists)
  let turn = 0

  /** @returns whether others may have their turn */
  const write = (bytes: Uint8Array, start: number, end: number, lists: Lists): boolean => {
    const begin = postings.length
    const count = moved(lists, slotOf, postings)
    if (count > 0) {
      terms.add(bytes, start, end)
      terms.writer.varint(count)
      terms.writer.varint(postings.length - begin)
      terms.writer.varint(begin)
    }
    if (postings.length - turn < TURN_BYTES) return false
    turn = postings.length
    return true
  }
  const { terms: bytes } = former.sections
  for (const { start, end, list } of former.terms()) {
    const own = fresh.lists === 0 ? -1 : fresh.listOf(bytes, start, end)
    if (own >= 0) isTaken[own] = 1
    if (write(bytes, start, end, own < 0 ? { list } : { list, fresh: fresh.postings(own) })) yield
  }
  for (const { bytes: own, start, end, list } of fresh.terms()) {
    if (isTaken[list] === 0 && write(own, start, end, { fresh: fresh.postings(list) })) yield
  }
  return new SealedWords({ postings: postings.taken(), ...terms.fitted() })
}

/** The postings of a term. */
interface Lists {
  readonly list?: PostingList
  readonly fresh?: PostingList
}

/** @returns postings that were written */
function moved({ list, fresh }: Lists, slotOf: Int32Array, into: ByteWriter): number {
  const writer = new PostingWriter(into)
  let before = -1
  const put = ({ slot: former, quarters }: PostingCursor): void => {
    const slot = slotOf[former]
    if (slot === -1) return
    if (slot === undefined || slot <= before || slot >= MAX_SLOTS) throw damaged()
    writer.put(slot, quarters)
    before = slot
  }
  if (list !== undefined) for (const cursor = new PostingCursor(list); cursor.next();) put(cursor)
  if (fresh !== undefined) {
    // From here on they came after the sealing began.
    for (const cursor = new PostingCursor(fresh); cursor.next() && cursor.slot < slotOf.length;) put(cursor)
  }
  writer.end()
  return writer.count
}
