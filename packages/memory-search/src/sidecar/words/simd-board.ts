import { compileSimd, type Platform } from '../../wasm/simd-module.js'
import type { PostingList } from './posting.js'
import { KEPT_VALUES, Saturation } from './saturation.js'
import type { ScoreBoard } from './score-board.js'
import { WORD_SCAN } from './word-scan-bytes.js'

/** `addScores` of kernel/word-scan.ts. */
type AddScores = (
  at: number,
  until: number,
  end: number,
  state: number,
  weight: number,
  average: number,
  values: number,
  lengths: number,
  scores: number,
  slots: number,
) => number

/** Lists are copied piece by piece into the memory that the kernel reads: pieces stay in the fastest cache. */
export const PIECE_BYTES = 8 * 1024
/** Of a code and the quarters that follow it: what begins within so many bytes of the end of a piece waits for the next one. */
const MAX_POSTING_BYTES = 10
/** Read behind a piece, whatever is there. */
const READ_BEHIND = 64
/** Of the slot that a piece ends with; and every part begins at a multiple of it. */
const STATE_BYTES = 16

/** The memory of the kernel, parted: values kept by `Saturation`, state, a piece of a list, scores, lengths. */
const STATE_AT = KEPT_VALUES * Float64Array.BYTES_PER_ELEMENT
const PIECE_AT = STATE_AT + STATE_BYTES
const SCORES_AT = PIECE_AT + PIECE_BYTES + READ_BEHIND

/** @returns undefined where the platform has no WebAssembly with SIMD */
export function simdBoards(platform?: Platform): ((room: number) => ScoreBoard) | undefined {
  const instantiate = compileSimd<{ addScores: AddScores }>(WORD_SCAN, platform)
  if (instantiate === undefined) return undefined
  return (room) => {
    const lengthsAt = SCORES_AT + room * Float64Array.BYTES_PER_ELEMENT
    const { buffer, exports } = instantiate(lengthsAt + room * Uint16Array.BYTES_PER_ELEMENT)
    return new SimdBoard(room, buffer, exports.addScores)
  }
}

class SimdBoard implements ScoreBoard {
  readonly scores: Float64Array
  readonly #lengths: Uint16Array
  readonly #values: Float64Array
  readonly #state: Int32Array
  readonly #piece: Uint8Array
  #saturation: Saturation | undefined
  #slots = 0

  constructor(
    readonly room: number,
    private readonly buffer: ArrayBuffer,
    private readonly addScores: AddScores,
  ) {
    this.#values = new Float64Array(buffer, 0, KEPT_VALUES)
    this.#state = new Int32Array(buffer, STATE_AT, 1)
    this.#piece = new Uint8Array(buffer, PIECE_AT, PIECE_BYTES)
    this.scores = new Float64Array(buffer, SCORES_AT, room)
    this.#lengths = new Uint16Array(buffer, SCORES_AT + this.scores.byteLength, room)
  }

  get bytes(): number {
    return this.buffer.byteLength
  }

  begin(lengths: Uint16Array, averageLength: number): void {
    this.#slots = lengths.length
    this.#lengths.set(lengths)
    this.scores.fill(0, 0, lengths.length)
    if (this.#saturation?.averageLength !== averageLength)
      this.#saturation = new Saturation(averageLength, this.#values)
  }

  add({ bytes, start, end }: PostingList, weight: number): void {
    this.#state[0] = -1
    let at = start
    for (let isLast = false; !isLast;) {
      const count = Math.min(PIECE_BYTES, end - at)
      isLast = at + count === end
      this.#piece.set(bytes.subarray(at, at + count))
      const read = this.#addPiece(isLast ? count : count - MAX_POSTING_BYTES, count, weight)
      if (read <= 0) return // from here on nothing makes sense
      at += read
    }
  }

  /** @returns bytes that were read; 0, or less: nothing counts any more */
  #addPiece(until: number, count: number, weight: number): number {
    const next = this.addScores(
      PIECE_AT,
      PIECE_AT + until,
      PIECE_AT + count,
      STATE_AT,
      weight,
      this.#saturation?.averageLength ?? 1,
      0,
      this.#lengths.byteOffset,
      SCORES_AT,
      this.#slots,
    )
    return next - PIECE_AT
  }
}
