import { ByteWriter, damaged } from './bytes.js'
import type { FreshTerm } from './fresh-order.js'
import type { FreshWords } from './fresh-words.js'
import { MAX_SLOTS, PostingCursor, PostingWriter, type PostingList } from './posting.js'
import { SealedWords, tableOf, type SealedTerm } from './sealed-words.js'
import { compareTerms, type Term } from './term.js'

/** Bytes that are written between two turns: about a millisecond. */
const TURN_BYTES = 16 * 1024

/**
 * Seals words, in turns: those of sealed slots, and of fresh ones after them, where the slots go to. Needs room for the
 * result besides. What is added to the fresh ones meanwhile is left out.
 * @param slotOf  new slot by old one, rising; -1: it is dropped
 * @throws {RangeError} damaged, or a sealed slot that `slotOf` does not know
 */
export function* sealing(former: SealedWords, fresh: FreshWords, slotOf: Int32Array): Generator<void, SealedWords> {
  // Slots come closer to each other when some are dropped, never farther: what the lists take now is enough for most.
  const into = new ByteWriter(former.sections.words.length + fresh.contentBytes)
  const postings = new ByteWriter()
  let terms = 0
  let turn = 0
  for (const { sealed, added } of merged(former.terms(), yield* fresh.inOrder())) {
    postings.clear()
    const count = moved(sealed?.list, added && fresh.postings(added.list), slotOf, postings)
    if (count === 0) continue
    const { bytes, start, end } = (sealed ?? added) as Term
    into.varint(end - start)
    into.append(bytes, start, end)
    into.varint(count)
    into.varint(postings.length)
    into.append(postings.bytes, 0, postings.length)
    terms++
    if (into.length - turn < TURN_BYTES) continue
    turn = into.length
    yield
  }
  const words = into.taken()
  return new SealedWords({ words, table: yield* tableOf(words, terms) })
}

/** A term as it is in either, or in both. */
interface Merged {
  readonly sealed: SealedTerm | undefined
  readonly added: FreshTerm | undefined
}

/** Every term once, in their order. */
function* merged(former: Generator<SealedTerm, void>, fresh: Generator<FreshTerm, void>): Generator<Merged> {
  const take = <T>(from: Generator<T, void>): T | undefined => from.next().value ?? undefined
  let [sealed, added] = [take(former), take(fresh)]
  while (sealed !== undefined || added !== undefined) {
    const order = sealed === undefined ? 1 : added === undefined ? -1 : compareTerms(sealed, added)
    yield { sealed: order <= 0 ? sealed : undefined, added: order >= 0 ? added : undefined }
    if (order <= 0) sealed = take(former)
    if (order >= 0) added = take(fresh)
  }
}

/** Writes the postings of a term. @returns how many */
function moved(
  list: PostingList | undefined,
  fresh: PostingList | undefined,
  slotOf: Int32Array,
  into: ByteWriter,
): number {
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
