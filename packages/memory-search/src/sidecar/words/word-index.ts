import type { WordColumns } from '../../sqlite/full-text.js'
import { FreshWords } from './fresh-words.js'
import { markSlots } from './mark-slots.js'
import type { PostingList } from './posting.js'
import type { Marking, ScoreBoard } from './score-board.js'
import { SealedWords, type WordSections } from './sealed-words.js'
import { sealing } from './sealing.js'

const encoder = new TextEncoder()

const PLAIN: Marking = { mark: markSlots }

/**
 * The words of all records by slot, as the full-text index has them (SEA-9, SEA-19): which records hold a token, and what it
 * counts there. Tokens are in the form of `ftsToken`. Slots come in rising order and are never taken back: who asks knows
 * which are dead. Words of records that were added are fresh; compacting seals them, in a third of the room.
 */
export class WordIndex {
  readonly #sealed: SealedWords
  readonly #fresh = new FreshWords()

  private constructor(words: SealedWords) {
    this.#sealed = words
  }

  static empty(): WordIndex {
    return WordIndex.load({ words: new Uint8Array(), table: new Uint32Array() })
  }

  /**
   * Of what `sections` gave; the arrays are kept, and nothing is read yet. Arrays of anything else are safe too: then the
   * methods find nothing, or throw a RangeError.
   */
  static load(sections: WordSections): WordIndex {
    return new WordIndex(new SealedWords(sections))
  }

  /** Records added since the words were sealed. */
  get freshRecords(): number {
    return this.#fresh.records
  }
  /** Of memory that it holds. */
  get bytes(): number {
    return this.#sealed.bytes + this.#fresh.bytes
  }

  /**
   * Adds the words of a record.
   * @param slot  above all before it, below `MAX_SLOTS`
   * @returns its tokens, all columns together
   * @throws {RangeError} the slot is another one, or there are more than 65,535 tokens; nothing was added
   */
  add(slot: number, columns: WordColumns): number {
    return this.#fresh.add(slot, columns)
  }

  /**
   * Live records that hold the token in any column.
   * @param live  by slot, 1: live  @param dead  slots that are not; with 0 nobody looks at `live`, and nothing is walked
   * @throws {RangeError} damaged
   */
  frequency(token: string, live: Uint8Array, dead: number, marking: Marking = PLAIN): number {
    let frequency = 0
    for (const list of this.#lists(token)) frequency += dead === 0 ? list.count : marking.mark(list, live, 0)
    return frequency
  }

  /**
   * Adds what one token comes to in bm25 to the scores of all slots that hold it, dead ones too. Called for the words of a
   * query in their order, the sums are those of FTS5 to the last bit, given its weights: logarithms of two libraries may differ.
   * @param inverseFrequency  weight of the token
   * @throws {RangeError} damaged
   */
  addScores(token: string, inverseFrequency: number, board: ScoreBoard): void {
    for (const list of this.#lists(token)) board.add(list, inverseFrequency)
  }

  /** Sets the bits of `value` in the mask of every slot that holds the token, dead ones too. @throws {RangeError} damaged */
  mark(token: string, mask: Uint8Array, value: number, marking: Marking = PLAIN): void {
    for (const list of this.#lists(token)) marking.mark(list, mask, value)
  }

  /**
   * The same words with all of them sealed, in turns of about a millisecond. This one stays as it is; records may be added
   * to it meanwhile, and are left out.
   * @param slotOf  new slot by old one, rising; -1: it is dropped. Of all slots that there are when this begins
   * @throws {RangeError} damaged, or a sealed slot that `slotOf` does not know
   */
  *compacting(slotOf: Int32Array): Generator<void, WordIndex> {
    return new WordIndex(yield* sealing(this.#sealed, this.#fresh, slotOf))
  }

  /** What a file holds of it. @throws {RangeError} words are fresh: compact first */
  sections(): WordSections {
    if (this.freshRecords > 0) {
      throw new RangeError(`${this.freshRecords} records are not sealed yet. Nothing was written. Compact first.`)
    }
    return this.#sealed.sections
  }

  /** Lists of a token, the sealed one first. */
  #lists(token: string): PostingList[] {
    const bytes = encoder.encode(token)
    const lists = [this.#sealed.find(bytes, 0, bytes.length), this.#fresh.find(bytes, 0, bytes.length)]
    return lists.filter((list) => list !== undefined)
  }
}
