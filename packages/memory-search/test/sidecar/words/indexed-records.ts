import { inverseFrequency } from '../../../src/ranking/bm25.js'
import { createScoreBoard } from '../../../src/sidecar/words/create-score-board.js'
import { WordIndex } from '../../../src/sidecar/words/word-index.js'
import type { WordColumns } from '../../../src/sqlite/full-text.js'
import { finished } from '../support/finished.js'

/** Records in a `WordIndex` by row, with the slots, lengths and dead that its user keeps. */
export class IndexedRecords {
  words = WordIndex.empty()
  #slotOfRow = new Map<number, number>()
  #lengths: number[] = []
  #live: number[] = []

  get #dead(): number {
    return this.#live.length - this.#slotOfRow.size
  }

  write(row: number, columns: WordColumns): void {
    this.remove(row)
    const slot = this.#live.length
    this.#lengths.push(this.words.add(slot, columns))
    this.#live.push(1)
    this.#slotOfRow.set(row, slot)
  }

  remove(row: number): void {
    const slot = this.#slotOfRow.get(row)
    if (slot === undefined) return
    this.#live[slot] = 0
    this.#slotOfRow.delete(row)
  }

  compact(): void {
    const slotOf = new Int32Array(this.#live.length).fill(-1)
    const kept = [...this.#live.keys()].filter((slot) => this.#live[slot] === 1)
    kept.forEach((slot, at) => (slotOf[slot] = at))
    this.words = finished(this.words.compacting(slotOf))
    this.#slotOfRow = new Map([...this.#slotOfRow].map(([row, slot]) => [row, slotOf[slot] as number]))
    this.#lengths = kept.map((slot) => this.#lengths[slot] as number)
    this.#live = kept.map(() => 1)
  }

  /** As a file would give it back: the bytes of each section in a place of its own. */
  reload(): void {
    this.compact()
    const { words, table } = this.words.sections()
    const bytes = new Uint8Array(table.buffer, table.byteOffset, table.byteLength).slice()
    this.words = WordIndex.load({
      words: shifted(words, 3),
      table: new Uint32Array(bytes.buffer),
    })
  }

  frequency(word: string): number {
    return this.words.frequency(word, Uint8Array.from(this.#live), this.#dead)
  }

  /** bm25 of every live record that has a score, by row. */
  bm25(words: readonly string[]): Map<number, number> {
    const records = this.#slotOfRow.size
    const lengths = Uint16Array.from(this.#lengths)
    const tokens = [...this.#slotOfRow.values()].reduce((sum, slot) => sum + (this.#lengths[slot] as number), 0)
    const board = createScoreBoard(this.#live.length)
    board.begin(lengths, tokens / records)
    for (const word of words) {
      this.words.addScores(word, inverseFrequency(this.frequency(word), records), board)
    }
    return new Map([...this.#slotOfRow].map(([row, slot]) => [row, board.scores[slot] as number]))
  }

  /** Live rows that hold the word in any column, rising. */
  rowsWith(word: string): number[] {
    const mask = new Uint8Array(this.#live.length)
    this.words.mark(word, mask, 4)
    return [...this.#slotOfRow].flatMap(([row, slot]) => (mask[slot] === 4 ? [row] : [])).sort((a, b) => a - b)
  }
}

/** The same bytes as a view that begins at `offset`, with other bytes on both sides. */
export function shifted(bytes: Uint8Array, offset: number): Uint8Array {
  const around = new Uint8Array(bytes.length + offset + 2).fill(0xff)
  around.set(bytes, offset)
  return around.subarray(offset, offset + bytes.length)
}
