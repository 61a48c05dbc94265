import type { Calibration, RankedMemory } from '@mono-agent/memory-search'
import { evidenceOf, roundedEvidence, scoreAsEvidence } from './evidence.js'

/** Guidance comes from the memories that rank this high (REC-6, REC-18). */
export const GUIDANCE_RANKS = 8
/**
 * By how much guidance leads the median of the candidates: half of what lies between the noise floor and the automatic floor,
 * which is 0.06 with the default model. A share and not a number, for how far apart cosines lie is a matter of the model;
 * where none was measured it is so much that hardly anything leads.
 */
export const GUIDANCE_LEAD_SHARE = 0.5

/**
 * Whether a memory clears the guidance floor (REC-6, REC-18): it leads the median of all candidates, and is no noise. A
 * preference is about how to do things, so it is less like a question than an answer is; what tells it from the others is that
 * it stands out among them. What waits for its vector, or was found by words alone, clears nothing.
 * @param median  score of the middle candidate (`Ranking.median`)
 */
export function clearsGuidanceFloor(hit: RankedMemory, median: number | undefined, calibration: Calibration): boolean {
  const evidence = evidenceOf(hit, calibration)
  if (evidence === undefined || median === undefined) return false
  const lead = GUIDANCE_LEAD_SHARE * (calibration.automaticFloor - calibration.noiseFloor)
  return (
    evidence >= calibration.noiseFloor &&
    roundedEvidence(evidence - scoreAsEvidence(median, calibration)) >= roundedEvidence(lead)
  )
}
