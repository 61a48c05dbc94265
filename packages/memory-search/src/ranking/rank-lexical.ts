import type { HitExplanation } from '@mono-agent/memory-store'
import { actorFit } from './actor-fit.js'
import { QUESTION_LOSS } from './asks.js'
import { byScore, mostNamed, questionLoss, rounded, type Candidate } from './candidate.js'
import { lexicalEvidence } from './lexical-evidence.js'

/** Shares of a score, which is in 0..1. Round figures, not fitted to any data set: see `docs/ranking.md`. */
export const WORDS_SHARE = 0.7
export const ACTOR_SHARE = 0.15
export const TIME_SHARE = 0.15

export type Ranked<T extends Candidate> = {
  readonly candidate: T
  readonly score: number
  readonly parts: HitExplanation
}

/**
 * The score of one record by words, author and time, 0..1 (SEA-14).
 * @param full  `fullWeight` of the query  @param mostNamedWords  `mostNamed` of all candidates
 */
export function lexicalScore<T extends Candidate>(candidate: T, full: number, mostNamedWords: number): Ranked<T> {
  const lexical = rounded(WORDS_SHARE * (candidate.isExact ? 1 : lexicalEvidence(candidate.bm25, full)))
  const actor = rounded(ACTOR_SHARE * actorFit(candidate.namedWords, mostNamedWords))
  const time = rounded(TIME_SHARE * candidate.timeFit)
  const question = questionLoss(candidate, QUESTION_LOSS, lexical + actor + time)
  return { candidate, score: rounded(lexical + actor + time + question), parts: { lexical, actor, time, question } }
}

/**
 * Scores the candidates and puts the best first; ties break by id (SEA-10, 14, 16).
 * @param full  `fullWeight` of the query
 */
export function rankLexical<T extends Candidate>(candidates: readonly T[], full: number): Ranked<T>[] {
  const most = mostNamed(candidates)
  return candidates.map((candidate) => lexicalScore(candidate, full, most)).sort(byScore)
}
