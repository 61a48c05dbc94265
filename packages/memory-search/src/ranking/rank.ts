import type { HitExplanation } from '@mono-agent/memory-store'
import { actorFit } from './actor-fit.js'
import { lexicalEvidence } from './lexical-evidence.js'

/** Shares of a score, which is in 0..1. Round figures, not fitted to any data set: see `docs/ranking.md`. */
export const WORDS_SHARE = 0.7
export const ACTOR_SHARE = 0.15
export const TIME_SHARE = 0.15

/** Finer differences than this are noise of the arithmetic, and ties (SEA-16). */
const SCORE_STEPS = 1e9

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
}

export type Ranked<T extends Candidate> = {
  readonly candidate: T
  readonly score: number
  readonly parts: HitExplanation
}

const rounded = (value: number): number => Math.round(value * SCORE_STEPS) / SCORE_STEPS

/**
 * Scores the candidates and puts the best first; ties break by id (SEA-10, 14, 16).
 * @param full  `fullWeight` of the query
 */
export function rank<T extends Candidate>(candidates: readonly T[], full: number, limit: number): Ranked<T>[] {
  const mostNamed = candidates.reduce((most, { namedWords }) => Math.max(most, namedWords), 0)
  const ranked = candidates.map((candidate) => {
    const lexical = rounded(WORDS_SHARE * (candidate.isExact ? 1 : lexicalEvidence(candidate.bm25, full)))
    const actor = rounded(ACTOR_SHARE * actorFit(candidate.namedWords, mostNamed))
    const time = rounded(TIME_SHARE * candidate.timeFit)
    return { candidate, score: rounded(lexical + actor + time), parts: { lexical, actor, time } }
  })
  return ranked.sort((a, b) => b.score - a.score || (a.candidate.id < b.candidate.id ? -1 : 1)).slice(0, limit)
}
