import { BM25_K1, inverseFrequency } from './bm25.js'

/** Share of the full weight at which evidence is half of what it can be: an ordinary good hit bears about that much. */
const HALF_EVIDENCE_SHARE = 0.25

/**
 * What bm25 would give, at most, to a record that bears every word of a query again and again.
 * @param frequencies  for each distinct word of the query, the number of records that hold it; 0 counts, for what is asked
 *   and found nowhere makes every hit weaker
 * @param records  records in the full-text index
 */
export const fullWeight = (frequencies: readonly number[], records: number): number =>
  frequencies.reduce((sum, frequency) => sum + inverseFrequency(frequency, records) * (BM25_K1 + 1), 0)

/**
 * bm25 as evidence in 0..1: the share of the query's full weight that the record bears, bent so that the first half of
 * the words tells more than the second. It does not depend on the store's size, as bm25 itself does.
 * @param bm25  0 or more, higher is better
 */
export function lexicalEvidence(bm25: number, full: number): number {
  if (full <= 0 || bm25 <= 0) return 0
  const share = Math.min(1, bm25 / full)
  return (share * (1 + HALF_EVIDENCE_SHARE)) / (share + HALF_EVIDENCE_SHARE)
}
