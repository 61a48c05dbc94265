import type { PostingList } from './posting.js'

/** Walks over postings, while one query is answered: sums of bm25 by slot, and marks. */
export interface ScoreBoard extends Marking {
  /** Slots that there is room for. */
  readonly room: number
  /** By slot. A view: it is written to by each `add`, and emptied by the next query. */
  readonly scores: Float64Array
  /** Of memory that it holds. */
  readonly bytes: number
  /**
   * Begins with 0 for every slot.
   * @param lengths  tokens by slot, of no more slots than there is room for
   * @param averageLength  tokens of a record; above 0 where any record has some
   * @throws {RangeError} more slots than there is room for
   */
  begin(lengths: Uint16Array, averageLength: number): void
  /** Adds what a word of this weight comes to for the slots in the list. */
  add(list: PostingList, weight: number): void
}

/** Marks slots. */
export interface Marking {
  /** `markSlots`, with its errors. */
  mark(list: PostingList, marks: Uint8Array, value: number): number
}

/** @throws {RangeError} there is none for so many slots */
export function requireRoom(room: number, slots: number): void {
  if (slots > room) throw new RangeError(`There is room for the scores of ${room} slots, not of ${slots}.`)
}
