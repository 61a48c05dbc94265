import { compileSimd, type Platform } from '../../wasm/simd-module.js'
import { markSlots } from './mark-slots.js'
import type { PostingList } from './posting.js'
import { KEPT_VALUES, Saturation } from './saturation.js'
import { requireRoom, type ScoreBoard } from './score-board.js'
import { WORD_SCAN } from './word-scan-bytes.js'

/** Of kernel/word-scan.ts. */
interface Walks {
  addScores(
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
  ): number
  mark(at: number, until: number, state: number, marks: number, value: number, slots: number): number
}

/** Lists are copied piece by piece into the memory that the kernel reads: pieces stay in the fastest cache. */
export const PIECE_BYTES = 4 * 1024
/** Of a code and the quarters that follow it: what begins within so many bytes of the end of a piece waits for the next one. */
const MAX_POSTING_BYTES = 10
/** Read behind a piece, whatever is there. */
const READ_BEHIND = 64
/** Of three numbers that go from one piece to the next; the first one is the last slot. */
const STATE_BYTES = 16
const BEFORE_ALL = [-1, 0, 0]

/** Marks are copied for it, forth and back: shorter lists are walked without. */
const MARKED_LIST_BYTES = 1_024

/** The memory of the kernel, parted: values kept by `Saturation`, state, a piece of a list, scores, lengths or marks. */
const STATE_AT = KEPT_VALUES * Float64Array.BYTES_PER_ELEMENT
const PIECE_AT = STATE_AT + STATE_BYTES
const SCORES_AT = PIECE_AT + PIECE_BYTES + READ_BEHIND

/** @returns undefined where the platform has no WebAssembly with SIMD */
export function simdBoards(platform?: Platform): ((room: number) => ScoreBoard) | undefined {
  const instantiate = compileSimd<Walks>(WORD_SCAN, platform)
  if (instantiate === undefined) return undefined
  return (room) => {
    const lengthsAt = SCORES_AT + room * Float64Array.BYTES_PER_ELEMENT
    const { buffer, exports } = instantiate(lengthsAt + room * Uint16Array.BYTES_PER_ELEMENT)
    return new SimdBoard(room, buffer, exports)
  }
}

class SimdBoard implements ScoreBoard {
  readonly scores: Float64Array
  /** Of the query; copied when they are needed, for marks take their place. */
  #lengths: Uint16Array = new Uint16Array()
  #areLengthsCopied = false
  readonly #lengthsAt: number
  readonly #values: Float64Array
  readonly #state: Int32Array
  readonly #piece: Uint8Array
  #saturation: Saturation | undefined

  constructor(
    readonly room: number,
    private readonly buffer: ArrayBuffer,
    private readonly walks: Walks,
  ) {
    this.#values = new Float64Array(buffer, 0, KEPT_VALUES)
    this.#state = new Int32Array(buffer, STATE_AT, 3)
    this.#piece = new Uint8Array(buffer, PIECE_AT, PIECE_BYTES)
    this.scores = new Float64Array(buffer, SCORES_AT, room)
    this.#lengthsAt = SCORES_AT + this.scores.byteLength
  }

  get bytes(): number {
    return this.buffer.byteLength
  }

  begin(lengths: Uint16Array, averageLength: number): void {
    requireRoom(this.room, lengths.length)
    this.#lengths = lengths
    this.#areLengthsCopied = false
    this.scores.fill(0, 0, lengths.length)
    if (this.#saturation?.averageLength !== averageLength)
      this.#saturation = new Saturation(averageLength, this.#values)
  }

  add(list: PostingList, weight: number): void {
    const average = this.#saturation?.averageLength ?? 1
    const { length: slots } = this.#lengths
    if (!this.#areLengthsCopied) new Uint16Array(this.buffer, this.#lengthsAt, slots).set(this.#lengths)
    this.#areLengthsCopied = true
    this.#walk(list, (until, end) =>
      this.walks.addScores(PIECE_AT, until, end, STATE_AT, weight, average, 0, this.#lengthsAt, SCORES_AT, slots),
    )
  }

  mark(list: PostingList, marks: Uint8Array, value: number): number {
    const isShort = list.end - list.start < MARKED_LIST_BYTES
    if (isShort || marks.length > this.room) return markSlots(list, marks, value)
    const copied = new Uint8Array(this.buffer, this.#lengthsAt, marks.length)
    copied.set(marks)
    this.#areLengthsCopied = false
    const isWhole = this.#walk(list, (until) =>
      this.walks.mark(PIECE_AT, until, STATE_AT, this.#lengthsAt, value, marks.length),
    )
    const [, count, areQuarters] = this.#state as unknown as [number, number, number]
    // What makes no sense to the kernel, or is of other slots, the twin knows what to say of.
    if (!isWhole || areQuarters !== 0) return markSlots(list, marks, value)
    if (value !== 0) marks.set(copied)
    return count
  }

  /**
   * Has `take` walk over a list, piece by piece.
   * @param take  of the place where it has to end and where the piece ends, the place of the next code; 0: none makes sense
   * @returns whether it came to the end of the list
   */
  #walk({ bytes, start, end }: PostingList, take: (until: number, end: number) => number): boolean {
    this.#state.set(BEFORE_ALL)
    for (let at = start; at < end;) {
      const count = Math.min(PIECE_BYTES, end - at)
      const until = at + count === end ? count : count - MAX_POSTING_BYTES
      this.#piece.set(bytes.subarray(at, at + count))
      const read = take(PIECE_AT + until, PIECE_AT + count) - PIECE_AT
      if (read <= 0 || (until === count && read < count)) return false
      at += read
    }
    return true
  }
}
