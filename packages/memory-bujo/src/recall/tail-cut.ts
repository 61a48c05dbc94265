import type { Calibration, RankedMemory } from '@mono-agent/memory-search'
import { evidenceOf, roundedEvidence, type Judged } from './evidence.js'

/**
 * How much both bounds give way beside a model whose words weigh fully, in proportion below. Its scores say less, and what
 * they cut would be answers: on LoCoMo's development conversations (`bench/recall.mjs`; test model, `lexicalWeight` 1) the
 * bounds as they are leave R@10 of .73, with this .817 of .826 uncut, and nDCG@10 of .671 of .675.
 */
export const WEAK_MODEL_SLACK = 0.1

/** What a hit must reach to stay (REC-3). */
export interface CutBounds {
  /** The best evidence among the hits. */
  readonly best: number
  /** The tail's end, and if the best clears the deliberate floor, at least that floor. */
  readonly keep: number
}

/** Undefined where no hit has a vector: there is nothing to compare. */
export function cutBounds(hits: readonly Judged[], calibration: Calibration): CutBounds | undefined {
  const evidence = hits.flatMap((hit) => evidenceOf(hit, calibration) ?? [])
  if (evidence.length === 0) return undefined
  const best = Math.max(...evidence)
  const slack = WEAK_MODEL_SLACK * calibration.lexicalWeight
  const tail = best - calibration.tail - slack
  const floor = best >= calibration.deliberateFloor ? calibration.deliberateFloor - slack : -Infinity
  return { best, keep: roundedEvidence(Math.max(tail, floor)) }
}

/**
 * Drops the tail of a hybrid result (REC-3), in the order in which it came: what is further than the tail below the best,
 * and if the best clears the deliberate floor, what does not. What is exactly at a bound stays; so does the best, what holds
 * all anchors of the query, and what waits for its vector, for nobody can say yet how near it is. Results by words alone are
 * not cut: do not call it on them.
 */
export function cutTail<T extends Judged & Pick<RankedMemory, 'holdsAllAnchors'>>(
  ranked: readonly T[],
  calibration: Calibration,
): T[] {
  const bounds = cutBounds(ranked, calibration)
  if (bounds === undefined) return [...ranked]
  return ranked.filter((hit) => hit.holdsAllAnchors || (evidenceOf(hit, calibration) ?? Infinity) >= bounds.keep)
}
