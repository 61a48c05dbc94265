import { addListScores } from './add-scores.js'
import { markSlots } from './mark-slots.js'
import { Saturation } from './saturation.js'
import { requireRoom, type ScoreBoard } from './score-board.js'

/** In JavaScript: the same sums as with SIMD, bit for bit, in some four times the time. */
export function plainBoard(room: number): ScoreBoard {
  const scores = new Float64Array(room)
  let lengths: Uint16Array = new Uint16Array()
  let saturation: Saturation | undefined
  return {
    room,
    scores,
    bytes: scores.byteLength,
    begin(of, averageLength) {
      requireRoom(room, of.length)
      lengths = of
      if (saturation?.averageLength !== averageLength) saturation = new Saturation(averageLength)
      scores.fill(0, 0, of.length)
    },
    add(list, weight) {
      if (saturation !== undefined) addListScores(list, weight, lengths, saturation, scores, lengths.length)
    },
    mark: markSlots,
  }
}
