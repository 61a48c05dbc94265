import {
  CLASS_BITS,
  CLASS_MASK,
  QUARTERS_FOLLOW,
  QUARTERS_OF_CLASS,
  QUARTERS_OF_RUN,
  RUN,
  type PostingList,
} from './posting.js'
import type { Saturation } from './saturation.js'

const MORE = 0x80
const LOW_BITS = 0x7f

const [IN_BODY, IN_BEFORE1, IN_BEFORE2] = QUARTERS_OF_RUN
/** The last two classes are not counts; there is no asking for what an array does not have in this loop. */
const QUARTERS = Uint8Array.from({ length: CLASS_MASK + 1 }, (_, place) => QUARTERS_OF_CLASS[place] ?? 0)

/**
 * Adds what a word comes to in bm25 to the scores of the slots in a list. Here a search spends its time, on some hundred
 * thousand postings, so the loop reads them itself (`posting.ts`). Whatever the bytes say, it ends with them and stays within
 * the arrays.
 */
export function addListScores(
  { bytes, start, end }: PostingList,
  weight: number,
  lengths: Uint16Array,
  saturation: Saturation,
  scores: Float64Array,
): void {
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
    const place = code & CLASS_MASK
    let quarters = QUARTERS[place] as number
    if (place === RUN) {
      if (slot + 2 >= slots) return
      scores[slot] = (scores[slot] as number) + weight * saturation.of(IN_BODY, lengths[slot] as number)
      slot++
      scores[slot] = (scores[slot] as number) + weight * saturation.of(IN_BEFORE1, lengths[slot] as number)
      slot++
      quarters = IN_BEFORE2
    } else if (place === QUARTERS_FOLLOW) {
      for (let shift = 0; at < end; shift += 7) {
        const byte = bytes[at++] as number
        quarters |= (byte & LOW_BITS) << shift
        if (byte < MORE) break
      }
    }
    scores[slot] = (scores[slot] as number) + weight * saturation.of(quarters, lengths[slot] as number)
  }
}
