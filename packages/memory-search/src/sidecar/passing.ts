/** Times a byte, it stands four times. */
const EACH_OF_FOUR = 0x01010101
const FOUR = Int32Array.BYTES_PER_ELEMENT

/**
 * Makes a mask of marks: 1 where a mark has all bits of `wanted` and none of `unwanted`, and the slot is live; else 0. Four slots
 * are looked at together and without a branch: there are many, and whether one passes is hard to foretell.
 * @param marks  a byte a slot; becomes the mask
 * @param live  1 or 0 by slot, for as many slots or more
 * @param unwanted  shares no bit with `wanted`
 * @throws {RangeError} `marks` or `live` begins at no multiple of four bytes of its buffer
 */
export function passing(marks: Uint8Array, live: Uint8Array, wanted: number, unwanted: number): Uint8Array {
  const looked = wanted | unwanted
  const fours = Math.floor(marks.length / FOUR)
  const marksOfFour = new Int32Array(marks.buffer, marks.byteOffset, fours)
  const liveOfFour = new Int32Array(live.buffer, live.byteOffset, fours)
  const lookedOfFour = (looked * EACH_OF_FOUR) | 0
  const wantedOfFour = (wanted * EACH_OF_FOUR) | 0
  for (let at = 0; at < fours; at++) {
    // What is not as wanted, gathered in the lowest bit of each byte; what comes over from the next byte stays above it.
    let amiss = ((marksOfFour[at] as number) & lookedOfFour) ^ wantedOfFour
    amiss |= amiss >>> 4
    amiss |= amiss >>> 2
    amiss |= amiss >>> 1
    marksOfFour[at] = ~amiss & (liveOfFour[at] as number)
  }
  for (let slot = fours * FOUR; slot < marks.length; slot++) {
    marks[slot] = Number(((marks[slot] as number) & looked) === wanted) & (live[slot] as number)
  }
  return marks
}
