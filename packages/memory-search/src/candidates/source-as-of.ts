import { bm25, inverseFrequency } from '../ranking/bm25.js'
import { cosine } from '../ranking/cosine.js'
import type { CandidateSource, RequiredTags, WordHit } from './candidate-source.js'

/** A record that no list of an index holds any more. */
export interface EndedRecord {
  readonly row: number
  readonly id: string
  /** Tokens of its columns, its tags last, as the index would hold them. */
  readonly columns: readonly (readonly string[])[]
  /** Of its words, if they were embedded. */
  readonly vector?: Float32Array
  /** The row of the record of the index right before it in its conversation. */
  readonly before?: number
}

export interface LengthFigures {
  /** What each column weighs. */
  readonly weights: readonly number[]
  /** Tokens of a record of the index, all columns together. */
  readonly averageLength: number
}

/**
 * A source that proposes, beside the records of another one, records that ended since (REC-9), judged as if they stood in
 * its index: by bm25 among its records, by their vector where it is known. They are few, and come in addition to `limit`.
 * @param ended  those that pass the filter that the source is asked with
 */
export function sourceAsOf(
  source: CandidateSource,
  ended: readonly EndedRecord[],
  { weights, averageLength }: LengthFigures,
): CandidateSource {
  const records = new Map(ended.map((record) => [record.row, record]))
  const tagsOf = new Map(ended.map((record) => [record, new Set(record.columns.at(-1))]))
  const carrying = (required: RequiredTags): readonly EndedRecord[] =>
    ended.filter((record) => required.every((group) => group.some((tag) => tagsOf.get(record)?.has(tag))))
  let asked: { readonly words: readonly string[]; readonly inverseFrequencies: readonly number[] } | undefined
  const inverseFrequenciesOf = (words: readonly string[]): readonly number[] => {
    if (asked?.words !== words) {
      const records = source.records()
      asked = { words, inverseFrequencies: source.frequencies(words).map((count) => inverseFrequency(count, records)) }
    }
    return asked.inverseFrequencies
  }
  const weigh = (words: readonly string[], of: readonly EndedRecord[]): WordHit[] => {
    if (words.length === 0 || of.length === 0) return []
    const inverseFrequencies = inverseFrequenciesOf(words)
    return of.flatMap(({ row, columns }) => {
      const value = bm25(words, { columns, weights }, { inverseFrequencies, averageLength })
      return value > 0 ? [{ row, bm25: value }] : []
    })
  }
  const cosineOf = (row: number, vector: Float32Array): number | undefined => {
    const own = records.get(row)?.vector
    return own === undefined ? source.cosineOf(row, vector) : cosine(own, vector)
  }
  return {
    lexical: (words, required, limit, filter) =>
      [...source.lexical(words, required, limit, filter), ...weigh(words, carrying(required))].sort(
        (a, b) => b.bm25 - a.bm25,
      ),
    lexicalOf: (words, rows) => [
      ...source.lexicalOf(words, rows),
      ...weigh(
        words,
        rows.flatMap((row) => records.get(row) ?? []),
      ),
    ],
    tagged: (required, limit, filter) => [
      ...source.tagged(required, limit, filter),
      ...carrying(required).map(({ row }) => ({ row, bm25: 0 })),
    ],
    semantic: (vector, required, limit, filter) => {
      const own = carrying(required).flatMap((record) => (record.vector === undefined ? [] : [record.row]))
      const rows = [...source.semantic(vector, required, limit, filter), ...own]
      if (own.length === 0) return rows
      const nearness = new Map(rows.map((row) => [row, cosineOf(row, vector) ?? -1]))
      return rows.sort((a, b) => (nearness.get(b) ?? -1) - (nearness.get(a) ?? -1))
    },
    cosineOf,
    before: (row) => {
      const own = records.get(row)
      return own === undefined ? source.before(row) : own.before
    },
    carried: (tags) => {
      const still = new Set(source.carried(tags))
      return tags.filter((tag) => still.has(tag) || ended.some((record) => tagsOf.get(record)?.has(tag)))
    },
    frequencies: (words) => source.frequencies(words),
    records: () => source.records(),
  }
}
