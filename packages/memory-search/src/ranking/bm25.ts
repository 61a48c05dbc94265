/** bm25's term saturation and the weight of a record's length, as FTS5 has them built in. */
export const BM25_K1 = 1.2
const BM25_B = 0.75
/** FTS5's weight of a word that stands in more than half of the records. */
const SMALLEST_IDF = 1e-6

/** The weight of a word by its rarity, as FTS5 has it. @param frequency  records that hold it, of all `records` */
export const inverseFrequency = (frequency: number, records: number): number =>
  Math.max(SMALLEST_IDF, Math.log((records - frequency + 0.5) / (frequency + 0.5)))

/** Tokens of a record, column by column, and what each column weighs. */
export interface WeighedColumns {
  readonly columns: readonly (readonly string[])[]
  readonly weights: readonly number[]
}

/** What bm25 needs to know of all records. */
export interface CorpusFigures {
  /** Of each word of the query, in its order. */
  readonly inverseFrequencies: readonly number[]
  /** Tokens of a record, all columns together. */
  readonly averageLength: number
}

/**
 * bm25 of one record as FTS5 gives it, for records that its index does not hold; 0 where none of the words counts.
 * @param words  of the query, each once
 */
export function bm25(
  words: readonly string[],
  { columns, weights }: WeighedColumns,
  { inverseFrequencies, averageLength }: CorpusFigures,
): number {
  const length = columns.reduce((sum, column) => sum + column.length, 0)
  const saturation = BM25_K1 * (1 - BM25_B + BM25_B * (length / averageLength))
  return words.reduce((sum, word, at) => {
    const frequency = columns.reduce(
      (count, column, place) => count + (weights[place] ?? 0) * column.filter((token) => token === word).length,
      0,
    )
    return sum + (inverseFrequencies[at] ?? 0) * ((frequency * (BM25_K1 + 1)) / (frequency + saturation))
  }, 0)
}
