import type { Calibration, RankedMemory } from '@mono-agent/memory-search'

/** What of a ranked memory its evidence is read from. */
export type Judged = Pick<RankedMemory, 'score' | 'parts'>

/** Finer differences are noise of the arithmetic, as in the scores (SEA-16): 0.8 is not further than 0.15 above 0.65. */
const STEPS = 1e9

export const roundedEvidence = (value: number): number => Math.round(value * STEPS) / STEPS

/**
 * A score on the scale that floors, window, tail and median of a calibration are on, which is that of a cosine (SEA-15).
 * Beside a strong model it is the score. Beside a weak one words add up to `lexicalWeight`, so a score is that much longer.
 *
 * It is not the cosine itself: that of a weak model hardly tells an answer from chance, and with words it does. Measured with
 * the floors of the 512-dimension test model on LoCoMo's development conversations: questions about another conversation
 * reach the automatic floor in 20 % of cases by this, in 70 % by the cosine; questions about this one in 98 % and 77 %.
 */
export function scoreAsEvidence(score: number, { lexicalWeight }: Calibration): number {
  return roundedEvidence(score / (1 + lexicalWeight))
}

/**
 * What a memory has to show, as `scoreAsEvidence`.
 * @returns undefined of a memory that waits for its vector: judged by words alone, its score is on yet another scale. It is
 *   never cut and never shown automatically
 */
export function evidenceOf({ score, parts }: Judged, calibration: Calibration): number | undefined {
  const isJudged = parts.semantic !== undefined || parts.related !== undefined
  return isJudged ? scoreAsEvidence(score, calibration) : undefined
}
