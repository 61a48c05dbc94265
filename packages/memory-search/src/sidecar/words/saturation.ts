import { BM25_K1 } from '../../ranking/bm25.js'
import { CLASS_BITS, QUARTERS_OF_CLASS } from './posting.js'

/** FTS5's weight of the length of a record (`fts5_aux.c`). */
const BM25_B = 0.75

/** Lengths whose values are kept: a record of three sentences has some seventy tokens. 32 KiB. */
export const KEPT_LENGTHS = 512

/**
 * What the frequency of a word in a record comes to in bm25, before the weight of the word: the expression of `fts5_aux.c`,
 * operation by operation, so that sums are equal to its sums to the last bit. Values of usual frequencies and lengths are
 * kept in a table; making it takes some ten microseconds.
 */
export class Saturation {
  /** By length and class of the frequency (`posting.ts`), the classes of a length side by side. */
  readonly kept = new Float64Array(KEPT_LENGTHS << CLASS_BITS)

  /** @param averageLength  tokens of a record, all columns together */
  constructor(private readonly averageLength: number) {
    for (let length = 0; length < KEPT_LENGTHS; length++) {
      for (let place = 0; place < QUARTERS_OF_CLASS.length; place++) {
        this.kept[(length << CLASS_BITS) + place] = this.of(QUARTERS_OF_CLASS[place] as number, length)
      }
    }
  }

  /** @param quarters  four times the weighted frequency  @param length  tokens of the record, all columns together */
  of(quarters: number, length: number): number {
    const frequency = quarters / 4
    return (frequency * (BM25_K1 + 1)) / (frequency + BM25_K1 * (1 - BM25_B + (BM25_B * length) / this.averageLength))
  }
}
