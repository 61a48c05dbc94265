import { kernelOrTwin, type Kernel } from '../../wasm/kernel-or-twin.js'
import { plainBoard } from './plain-board.js'
import type { ScoreBoard } from './score-board.js'
import { simdBoards } from './simd-board.js'

/** @throws {RangeError} SIMD was asked for where there is none, or there is no memory left */
export function createScoreBoard(room: number, kernel?: Kernel): ScoreBoard {
  return kernelOrTwin(simdBoards(), plainBoard, kernel)(room)
}
