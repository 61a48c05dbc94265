import { BM25_K1 } from '../../ranking/bm25.js'

/** FTS5's weight of the length of a record (`fts5_aux.c`). */
const BM25_B = 0.75

/** Values are kept below these: a record of three sentences has some seventy tokens, and a word is in it once or twice. */
export const KEPT_LENGTHS = 128
export const KEPT_QUARTERS = 16
export const KEPT_VALUES = KEPT_LENGTHS * KEPT_QUARTERS

/**
 * What the frequency of a word in a record comes to in bm25, before the weight of the word: the expression of `fts5_aux.c`,
 * operation by operation, so that sums are equal to its sums to the last bit. Of usual frequencies and lengths it is kept,
 * in 16 KiB; making one takes some fifteen microseconds.
 */
export class Saturation {
  /** By length and quarters, those of a length side by side: `of`, for a loop that has no time to ask. */
  readonly kept: Float64Array

  /**
   * @param averageLength  tokens of a record, all columns together; above 0 where any record has some
   * @param into  where values are kept: `KEPT_VALUES` of them
   */
  constructor(
    readonly averageLength: number,
    into: Float64Array = new Float64Array(KEPT_VALUES),
  ) {
    this.kept = into
    for (let length = 0; length < KEPT_LENGTHS; length++) {
      for (let quarters = 0; quarters < KEPT_QUARTERS; quarters++) {
        this.kept[length * KEPT_QUARTERS + quarters] = this.#saturated(quarters, length)
      }
    }
  }

  /** @param quarters  four times the weighted frequency  @param length  tokens of the record, all columns together */
  of(quarters: number, length: number): number {
    if (quarters < KEPT_QUARTERS && length < KEPT_LENGTHS) return this.kept[length * KEPT_QUARTERS + quarters] as number
    return this.#saturated(quarters, length)
  }

  #saturated(quarters: number, length: number): number {
    const frequency = quarters / 4
    return (frequency * (BM25_K1 + 1)) / (frequency + BM25_K1 * (1 - BM25_B + (BM25_B * length) / this.averageLength))
  }
}
