import type { Ranked } from '../ranking/rank-lexical.js'
import type { WordHit } from '../candidates/candidate-source.js'
import type { AnchorReader } from './anchor-reader.js'
import type { RowCandidate } from './candidate-rows.js'

/** What one list of candidates brought. */
export interface CandidateList {
  /** All rows that it brought. */
  readonly brought: readonly number[]
  /** Those of them that came in for certain: no tie with what was left out decided it. */
  readonly rows: readonly number[]
  /** Whether others may have been left out. */
  readonly isCut: boolean
}

/** A candidate with what words say of it. */
export interface WeighedCandidate extends RowCandidate {
  readonly bm25: number
}

/** Every candidate of a query, scored. */
export interface Judgement {
  /** Best first. */
  readonly judged: readonly Ranked<WeighedCandidate>[]
  /** Where they came from. */
  readonly lists: readonly CandidateList[]
  readonly anchors: AnchorReader
}

/** Scores closer than this, relatively, are one score. */
const TIE = 1e-9

/** The first `most` of a list, and what ties with the last of them: which of those comes first is chance. */
export function firstOf(hits: readonly WordHit[], most: number): readonly WordHit[] {
  const least = (hits[most - 1]?.bm25 ?? 0) * (1 - TIE)
  return hits.filter(({ bm25 }, at) => at < most || bm25 >= least)
}

/** @param most  records that the list holds at least, if there are more of them */
export function listOfWords(hits: readonly WordHit[], most: number): CandidateList {
  const isCut = hits.length >= most
  const least = isCut ? (hits.at(-1)?.bm25 ?? 0) * (1 + TIE) : -1
  const brought = hits.map(({ row }) => row)
  return { brought, rows: hits.filter(({ bm25 }) => bm25 > least).map(({ row }) => row), isCut }
}

export const listOfRows = (rows: readonly number[], most: number): CandidateList => ({
  brought: rows,
  rows,
  isCut: rows.length >= most,
})
