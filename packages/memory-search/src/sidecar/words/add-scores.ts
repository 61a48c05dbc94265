import { CLASS_BITS, CLASS_MASK, QUARTERS_OF_RUN, RUN, type PostingList } from './posting.js'
import { KEPT_LENGTHS, KEPT_QUARTERS, type Saturation } from './saturation.js'

const MORE = 0x80
/** A longer varint is nonsense: bits of five bytes are all there are. */
const MAX_SHIFT = 28
const LOW_BITS = 0x7f

const [IN_BODY, IN_BEFORE1, IN_BEFORE2] = QUARTERS_OF_RUN

/**
 * Adds what a word comes to in bm25 to the scores of the slots in a list: the twin of kernel/word-scan.ts. The loop reads the
 * postings itself (`posting.ts`), and takes what is usual from the table. Whatever the bytes say, it ends with them and stays
 * within the arrays: from the first code on that makes no sense nothing counts.
 * @param slots  all that there are; no more than `lengths` and `scores` have
 */
export function addListScores(
  { bytes, start, end }: PostingList,
  weight: number,
  lengths: Uint16Array,
  saturation: Saturation,
  scores: Float64Array,
  slots: number,
): void {
  const { kept } = saturation
  let slot = -1
  let at = start
  while (at < end) {
    let code = bytes[at++] as number
    if (code >= MORE) {
      code &= LOW_BITS
      let byte = MORE
      for (let shift = 7; byte >= MORE; shift += 7) {
        if (at >= end || shift > MAX_SHIFT) return
        byte = bytes[at++] as number
        code |= (byte & LOW_BITS) << shift
      }
    }
    slot += (code >>> CLASS_BITS) + 1
    if (slot >= slots) return
    let quarters = code & CLASS_MASK // a class below those two is its quarters
    if (quarters >= RUN) {
      if (quarters === RUN) {
        if (slot + 2 >= slots) return
        scores[slot] = (scores[slot] as number) + weight * saturation.of(IN_BODY, lengths[slot] as number)
        slot++
        scores[slot] = (scores[slot] as number) + weight * saturation.of(IN_BEFORE1, lengths[slot] as number)
        slot++
        quarters = IN_BEFORE2
      } else {
        quarters = 0
        let byte = MORE
        for (let shift = 0; byte >= MORE; shift += 7) {
          if (at >= end || shift > MAX_SHIFT) return
          byte = bytes[at++] as number
          quarters |= (byte & LOW_BITS) << shift
        }
        quarters >>>= 0
      }
    }
    const length = lengths[slot] as number
    const isKept = length < KEPT_LENGTHS && quarters < KEPT_QUARTERS
    const value = isKept ? (kept[length * KEPT_QUARTERS + quarters] as number) : saturation.of(quarters, length)
    scores[slot] = (scores[slot] as number) + weight * value
  }
}
