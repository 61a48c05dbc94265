/** Scores are compared in steps of one hundredth: finer figures would promise more than any set of sentences can tell. */
const STEPS = 100

/** To two decimals and into 0..1. */
export const toHundredths = (value: number): number => Math.min(STEPS, Math.max(0, Math.round(value * STEPS))) / STEPS

/** The share of `scores` that reach `floor`, 0..1; 0 of none. */
export function shareReaching(scores: readonly number[], floor: number): number {
  if (scores.length === 0) return 0
  return scores.filter((score) => score >= floor).length / scores.length
}

/** The floor, in hundredths, from which upward `holds` says yes without a break; 1 when it says no even there. */
export function lowestFloor(holds: (floor: number) => boolean): number {
  let step = STEPS
  while (step > 0 && holds((step - 1) / STEPS)) step--
  return step / STEPS
}

/** The highest floor, in hundredths, for which `holds` says yes; 0 when none does. */
export function highestFloor(holds: (floor: number) => boolean): number {
  for (let step = STEPS; step > 0; step--) if (holds(step / STEPS)) return step / STEPS
  return 0
}

/** The value below which a share of `scores` lies, by nearest rank; 0 of none. @param share  0..1 */
export function quantile(scores: readonly number[], share: number): number {
  const sorted = [...scores].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

export const median = (scores: readonly number[]): number => quantile(scores, 0.5)

/**
 * How often a score of `better` stands above one of `worse`, ties as half (the area under the ROC curve): 1 tells the two
 * apart always, 0.5 is chance. 0.5 where either is empty.
 */
export function separation(better: readonly number[], worse: readonly number[]): number {
  if (better.length === 0 || worse.length === 0) return 0.5
  let wins = 0
  for (const high of better) for (const low of worse) wins += high > low ? 1 : high === low ? 0.5 : 0
  return wins / (better.length * worse.length)
}
