import type { SidecarRecord } from './record.js'
import { SlotTable } from './slot-table.js'
import { VectorCache } from './vector-cache.js'
import type { CodeStore } from './vectors/code-store.js'
import { createScoreBoard } from './words/create-score-board.js'
import type { ScoreBoard } from './words/score-board.js'
import type { WordIndex } from './words/word-index.js'

export interface SidecarParts {
  readonly slots: SlotTable
  readonly words: WordIndex
  /** Absent where the database holds no vectors. */
  readonly codes: CodeStore | undefined
  /** Vectors that there were when the mean of the codes was taken. */
  readonly meanOf: number
}

/** The records of a database as recall needs them, in memory; pure: it is told what changed. */
export class SidecarMemory implements SidecarParts {
  readonly slots: SlotTable
  readonly words: WordIndex
  readonly codes: CodeStore | undefined
  readonly meanOf: number
  /** Of the database, lately read. */
  readonly vectors = new VectorCache()
  #board: ScoreBoard | undefined

  constructor(
    { slots, words, codes, meanOf }: SidecarParts,
    /** The last change of the database that is in it; set by whoever tells it what changed. */
    public reached: number,
  ) {
    this.slots = slots
    this.words = words
    this.codes = codes
    this.meanOf = meanOf
  }

  /** Slots that a compaction would move or drop: those that came or went since the last one. */
  get unsealed(): number {
    return this.words.freshRecords + this.slots.dead
  }
  get bytes(): number {
    const { slots, words, codes, vectors } = this
    return slots.bytes + words.bytes + (codes?.bytes ?? 0) + vectors.bytes + (this.#board?.bytes ?? 0)
  }

  /** The record took the place of the one of its row. @throws {RangeError} it does not fit (`SlotTable.add`) */
  put(record: SidecarRecord): void {
    this.remove(record.row)
    const slot = this.slots.add(record)
    this.slots.setLength(slot, this.words.add(slot, record.columns))
    this.codes?.set(slot, record.vector)
  }

  /** The record of a row is gone, or cannot be found any more. */
  remove(row: number): void {
    this.slots.remove(row)
    this.vectors.forget(row)
  }

  /**
   * The same without what is dead, and with all words sealed, in turns. What is put or removed meanwhile is not in it: it
   * has reached what this one had reached when it began.
   */
  async compacted(yieldTurn: () => Promise<void>): Promise<SidecarMemory> {
    const { reached, meanOf } = this
    const order = this.slots.liveSlots()
    const slotOf = new Int32Array(this.slots.size).fill(-1)
    for (let at = 0; at < order.length; at++) slotOf[order[at] as number] = at
    await yieldTurn()
    const slots = SlotTable.of(this.slots.columns(order))
    await yieldTurn()
    const codes = this.codes === undefined ? undefined : await inTurns(this.codes.compacting(order), yieldTurn)
    const words = await inTurns(this.words.compacting(slotOf), yieldTurn)
    return new SidecarMemory({ slots, words, codes, meanOf }, reached)
  }

  /** Scores of all slots, all 0, lent until the next query: one runs at a time. @throws {RangeError} no memory left */
  lendScores(): ScoreBoard {
    const { slots, board } = this
    board.begin(slots.lengths.subarray(0, slots.size), slots.count === 0 ? 1 : slots.tokens / slots.count)
    return board
  }

  /** With room for all slots. @throws {RangeError} no memory left */
  get board(): ScoreBoard {
    const { length } = this.slots.rows
    if (this.#board === undefined || this.#board.room < length) this.#board = createScoreBoard(length)
    return this.#board
  }
}

async function inTurns<T>(work: Generator<void, T>, yieldTurn: () => Promise<void>): Promise<T> {
  for (;;) {
    const turn = work.next()
    if (turn.done === true) return turn.value
    await yieldTurn()
  }
}
