/** What a query and a record have to do with each other, measured; the rankings weigh it. */
export interface Candidate {
  readonly id: string
  /** 0 or more, higher is better. */
  readonly bm25: number
  /** The query is this very sentence. */
  readonly isExact: boolean
  /** Words of its author's name that the query names. */
  readonly namedWords: number
  /** 0..1. */
  readonly timeFit: number
  /** It ends with a question, so it asks and does not tell. */
  readonly isQuestion: boolean
}

/** Finer differences than this are noise of the arithmetic, and ties (SEA-16). */
const SCORE_STEPS = 1e9

export const rounded = (value: number): number => Math.round(value * SCORE_STEPS) / SCORE_STEPS

/** What a candidate loses for asking, 0 or less; not if what it asks is the very thing that is looked for. */
export const questionLoss = ({ isQuestion, isExact }: Candidate, share: number, score: number): number =>
  isQuestion && !isExact ? 0 - rounded(share * score) : 0

/** Best first; ties break by id (SEA-16). */
export const byScore = <T extends Candidate>(
  a: { readonly candidate: T; readonly score: number },
  b: { readonly candidate: T; readonly score: number },
): number => b.score - a.score || (a.candidate.id < b.candidate.id ? -1 : 1)

/** The most name words any of the candidates shares with the query: what `actorFit` measures against. */
export const mostNamed = (candidates: readonly Candidate[]): number =>
  candidates.reduce((most, { namedWords }) => Math.max(most, namedWords), 0)
