import { PostingCursor, type PostingList } from './posting.js'

/**
 * Sets the bits of `value` in the marks of the slots in a list: the twin of `mark` in kernel/word-scan.ts. Slots that have no
 * mark are passed over.
 * @returns slots of the list whose mark had bit 1 before
 * @throws {RangeError} damaged
 */
export function markSlots(list: PostingList, marks: Uint8Array, value: number): number {
  let count = 0
  for (const cursor = new PostingCursor(list); cursor.next();) {
    if (cursor.slot >= marks.length) continue
    const before = marks[cursor.slot] as number
    count += before & 1
    marks[cursor.slot] = before | value
  }
  return count
}
