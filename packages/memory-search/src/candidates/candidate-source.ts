import type { RowFilter } from './row-filter.js'

/** A record found by words. */
export interface WordHit {
  readonly row: number
  /** 0 or more, higher is better. */
  readonly bm25: number
}

/** Groups of tags: of every group a record must carry at least one. Filters act before the best are chosen (SEA-7). */
export type RequiredTags = readonly (readonly string[])[]

/**
 * Where candidates of a query come from (SEA-11): the exact source reads the database; a faster one may take its place if
 * it proposes the same records. All of one query is asked within one snapshot of the index. Records that a filter keeps
 * out take no place from others; without a filter all may come in.
 */
export interface CandidateSource {
  /**
   * The best records by words, with ties at the `limit`-th place broken by id.
   * @param words  tokens of the analyzer; none finds nothing
   */
  lexical(words: readonly string[], required: RequiredTags, limit: number, filter?: RowFilter): readonly WordHit[]
  /** bm25 of these rows, as `lexical` would give it; rows that hold none of the words are left out. */
  lexicalOf(words: readonly string[], rows: readonly number[]): readonly WordHit[]
  /** The first records by id that carry the tags, whatever their words. */
  tagged(required: RequiredTags, limit: number, filter?: RowFilter): readonly WordHit[]
  /** Rows of the records nearest to a vector, the nearest first. @param vector  of unit length */
  semantic(vector: Float32Array, required: RequiredTags, limit: number, filter?: RowFilter): readonly number[]
  /**
   * Cosine of the stored vector of a row with this one, as `cosine` computes it; undefined while it waits for one.
   * @param vector  of unit length, of the stored ones' dimension
   */
  cosineOf(row: number, vector: Float32Array): number | undefined
  /** The row of the record right before this one in its conversation, if it is of one and not its first. */
  before(row: number): number | undefined
  /** Those of the tags that some record carries. */
  carried(tags: readonly string[]): readonly string[]
  /** For each token, the number of records that hold it. */
  frequencies(words: readonly string[]): number[]
  /** Records that can be found. */
  records(): number
}
