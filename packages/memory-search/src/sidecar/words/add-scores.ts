import { CLASS_BITS, CLASS_MASK, QUARTERS_OF_RUN, RUN, type PostingList } from './posting.js'
import { KEPT_LENGTHS, KEPT_QUARTERS, type Saturation } from './saturation.js'

const MORE = 0x80
const LOW_BITS = 0x7f

const [IN_BODY, IN_BEFORE1, IN_BEFORE2] = QUARTERS_OF_RUN

/**
 * Adds what a word comes to in bm25 to the scores of the slots in a list. Here a search spends its time, on some hundred
 * thousand postings, so the loop reads them itself (`posting.ts`), and takes what is usual from the table. Whatever the bytes
 * say, it ends with them and stays within the arrays.
 */
export function addListScores(
  { bytes, start, end }: PostingList,
  weight: number,
  lengths: Uint16Array,
  saturation: Saturation,
  scores: Float64Array,
): void {
  const { kept } = saturation
  const slots = Math.min(lengths.length, scores.length)
  let slot = -1
  let at = start
  while (at < end) {
    let code = bytes[at++] as number
    if (code >= MORE) {
      code &= LOW_BITS
      for (let shift = 7; at < end; shift += 7) {
        const byte = bytes[at++] as number
        code |= (byte & LOW_BITS) << shift
        if (byte < MORE) break
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
        for (let shift = 0; at < end; shift += 7) {
          const byte = bytes[at++] as number
          quarters |= (byte & LOW_BITS) << shift
          if (byte < MORE) break
        }
      }
    }
    const length = lengths[slot] as number
    const isKept = length < KEPT_LENGTHS && quarters < KEPT_QUARTERS
    const value = isKept ? (kept[length * KEPT_QUARTERS + quarters] as number) : saturation.of(quarters, length)
    scores[slot] = (scores[slot] as number) + weight * value
  }
}
