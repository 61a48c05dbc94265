import type { Calibration } from './calibration.js'
import { poolPairs, type Measurement, type PairScores } from './measure.js'
import { highestFloor, lowestFloor, separation, shareReaching, toHundredths } from './scores.js'
import { contrast, servedLanguages } from './served-languages.js'

/** One unrelated pair in twenty may count as semantic evidence: it moves the order of hits, but shows nothing by itself. */
export const NOISE_RATE = 0.05

/** One unrelated pair in a hundred may reach automatic context, which nobody asked for. */
export const AUTOMATIC_FALSE_RECALL = 0.01

/** One near miss in four may reach automatic context: its heading says "possibly relevant", and they are about the like. */
export const AUTOMATIC_NEAR_MISSES = 0.25

/** One near miss in ten may clear the deliberate floor, above which a hit reads as an answer (REC-5). */
export const DELIBERATE_NEAR_MISSES = 0.1

/** Near misses raise no floor so far that fewer than three matched pairs in four reach it: silence is a fault as well. */
export const KEPT_MATCHES = 0.75

/** Shares of the gap between matched and unrelated pairs; those of the default model (0.04 and 0.15 of 0.3). */
export const WINDOW_SHARE = 1 / 8
export const TAIL_SHARE = 1 / 2

/** A smaller gap counts as this one: the window and the tail of a model that sees no difference still hold near ties. */
export const SMALLEST_CONTRAST = 0.08

/** A model that orders pairs wrongly this rarely needs no words; each further such step of error makes words weigh more. */
export const ERROR_STEP = 0.05

/** By this much: nothing up to 5 % of error, ¼ up to 10 %, ½ up to 15 %, ¾ up to 20 %, 1 above. Chance is 50 %. */
export const LEXICAL_STEP = 0.25

/** Floors for a model, and what they rest on. */
export interface ChosenFloors {
  readonly calibration: Calibration
  /** The languages whose pairs set the floors. In any other one the stated rates do not hold: measure the store (OPS-18). */
  readonly languages: readonly string[]
  /** How often, in all languages measured, a pair that is no match stands above one that is: 0..1, 0.5 is chance. */
  readonly orderingError: number
}

/**
 * Sets the floors of a model for the false-recall rates above (SEA-15). A rate is one of pairs, not of queries: a
 * thousand unrelated memories have a thousand chances.
 *
 * Floors come from the languages that the model knows; one number for all would be set by those it does not know and
 * silence the others. Lexical weight comes from all of them on one scale, since where vectors are blind words must do.
 * Every floor is in hundredths and 0..1, and `noiseFloor <= automaticFloor <= deliberateFloor`, `automaticWindow <= tail`,
 * whatever was measured. A model that cannot tell pairs apart gets floors that nearly nothing clears.
 * @param options.languages  set floors for these instead  @throws {RangeError} none of them was measured
 */
export function chooseFloors(
  measurement: Measurement,
  options: { readonly languages?: readonly string[] } = {},
): ChosenFloors {
  const wanted = options.languages ?? servedLanguages(measurement)
  const languages = Object.keys(measurement.languages).filter((language) => wanted.includes(language))
  if (languages.length === 0) throw new RangeError('None of the languages to set floors for was measured.')
  const pairs = poolPairs(languages.flatMap((language) => measurement.languages[language] ?? []))
  const error = orderingError(measurement.overall)
  const calibration = { ...floorsFor(pairs), ...distancesFor(pairs), lexicalWeight: lexicalWeightFor(error) }
  return { calibration, languages, orderingError: error }
}

function floorsFor(pairs: PairScores): Pick<Calibration, 'noiseFloor' | 'automaticFloor' | 'deliberateFloor'> {
  const rarely = (scores: readonly number[], rate: number) => lowestFloor((f) => shareReaching(scores, f) <= rate)
  const kept = highestFloor((floor) => shareReaching(pairs.matched, floor) >= KEPT_MATCHES)
  const noiseFloor = rarely(pairs.unrelated, NOISE_RATE)
  const automaticFloor = Math.max(
    rarely(pairs.unrelated, AUTOMATIC_FALSE_RECALL),
    Math.min(kept, rarely(pairs.nearMiss, AUTOMATIC_NEAR_MISSES)),
  )
  const deliberateFloor = Math.max(automaticFloor, Math.min(kept, rarely(pairs.nearMiss, DELIBERATE_NEAR_MISSES)))
  return { noiseFloor, automaticFloor, deliberateFloor }
}

function distancesFor(pairs: PairScores): Pick<Calibration, 'automaticWindow' | 'tail'> {
  const gap = Math.max(SMALLEST_CONTRAST, contrast(pairs))
  return { automaticWindow: toHundredths(gap * WINDOW_SHARE), tail: toHundredths(gap * TAIL_SHARE) }
}

/** Near misses are few and the hard case, so they count as much as all unrelated pairs together. */
function orderingError({ matched, nearMiss, unrelated }: PairScores): number {
  return 1 - (separation(matched, nearMiss) + separation(matched, unrelated)) / 2
}

/** What words weigh beside a model with this ordering error: a round figure that never falls as the error grows. */
export function lexicalWeightFor(error: number): number {
  // Rounded first: 0.1 stands for 10 %, also where it was reached as 0.30000000000000004 - 0.2.
  const steps = Math.ceil(Math.round((error / ERROR_STEP) * 1e6) / 1e6) - 1
  return Math.min(1, Math.max(0, steps * LEXICAL_STEP))
}
