import type { Calibration } from './calibration.js'
import { AUTOMATIC_FALSE_RECALL, KEPT_MATCHES, NOISE_RATE } from './choose-floors.js'
import { highestFloor, lowestFloor, shareReaching } from './scores.js'
import type { StoreScores } from './store-samples.js'

/** Pairs taken without looking, and answerable queries, below which a share of them says nothing. */
export const MIN_RANDOM_PAIRS = 100
export const MIN_ANSWERABLE_QUERIES = 20

/** One question in twenty may bring only wrong lines into automatic context, where labels tell questions from pairs. */
export const AUTOMATIC_FALSE_RECALL_OF_QUERIES = 0.05

/** One question in fifty may be told that wrong hits are sufficient evidence. */
export const DELIBERATE_FALSE_RECALL_OF_QUERIES = 0.02

/** Without labels: the share of random pairs that may clear the deliberate floor. */
export const DELIBERATE_FALSE_RECALL = 0.002

/** Floors are shown this far apart in the table. */
const TABLE_STEP = 0.05

/** What a floor brings and what it costs; both are shares, 0..1. */
export interface FloorEffect {
  /** Of the queries that have an answer: how many get one to see. */
  readonly coverage: number
  /** Of all queries: how many get something to see and no answer in it. */
  readonly falseRecall: number
}

/** What a floor would do as that of automatic context and as that of deliberate recall. */
export interface FloorRow {
  readonly floor: number
  readonly automatic: FloorEffect
  readonly deliberate: FloorEffect
}

/** Labelled queries, and what recall does with them at any floor, in hundredths. */
export interface MeasuredQueries {
  /** How many have an answer. */
  readonly answerable: number
  /** Their cosines with memories taken without looking at what they say (`sampleQueryScores`). */
  readonly background: readonly number[]
  readonly automaticAt: (floor: number) => FloorEffect
  readonly deliberateAt: (floor: number) => FloorEffect
}

/**
 * What to measure a store by: labelled queries, or else its own memories, which then stand in for questions. Memories
 * resemble each other more than a question resembles its answer, so floors set by them err towards silence.
 */
export type CalibrationSamples =
  | { readonly basis: 'queries'; readonly queries: MeasuredQueries }
  | { readonly basis: 'pairs'; readonly store: StoreScores }

export type CalibrationProposal =
  | {
      readonly kind: 'proposed'
      /** `queries`: shares of labelled queries. `pairs`: shares of neighbouring (coverage) and random (false) pairs. */
      readonly basis: 'queries' | 'pairs'
      /** The present calibration with the three floors replaced. */
      readonly calibration: Calibration
      /** Rising floors: every twentieth of 0..1, the two proposed and the two in use. */
      readonly table: readonly FloorRow[]
    }
  | { readonly kind: 'too_few'; readonly what: 'random_pairs' | 'answerable_queries'; found: number; needed: number }

/** The effects of any floor, the false recall that each may have, and the cosines of what does not belong together. */
interface Scale {
  readonly effectAt: (floor: number) => FloorRow
  readonly automaticLimit: number
  readonly deliberateLimit: number
  readonly background: readonly number[]
}

/**
 * Proposes floors for one store from its own scores (OPS-18), and says what several floors would bring and cost. Window,
 * tail and lexical weight stay as they are. Writes nothing; every floor is in hundredths and 0..1, and
 * `noiseFloor <= automaticFloor <= deliberateFloor`.
 */
export function proposeCalibration(samples: CalibrationSamples, present: Calibration): CalibrationProposal {
  const scale = samples.basis === 'queries' ? scaleOfQueries(samples.queries) : scaleOfPairs(samples.store)
  const pairs = scale.background.length
  if (pairs < MIN_RANDOM_PAIRS) {
    return { kind: 'too_few', what: 'random_pairs', found: pairs, needed: MIN_RANDOM_PAIRS }
  }
  if (samples.basis === 'queries') {
    const found = samples.queries.answerable
    if (found < MIN_ANSWERABLE_QUERIES) {
      return { kind: 'too_few', what: 'answerable_queries', found, needed: MIN_ANSWERABLE_QUERIES }
    }
  }
  const calibration = { ...present, ...floorsOn(scale) }
  return {
    kind: 'proposed',
    basis: samples.basis,
    calibration,
    table: tableFloors([calibration, present]).map(scale.effectAt),
  }
}

function scaleOfPairs({ random, neighbouring }: StoreScores): Scale {
  const effect = (floor: number): FloorEffect => ({
    coverage: shareReaching(neighbouring, floor),
    falseRecall: shareReaching(random, floor),
  })
  return {
    effectAt: (floor) => ({ floor, automatic: effect(floor), deliberate: effect(floor) }),
    automaticLimit: AUTOMATIC_FALSE_RECALL,
    deliberateLimit: DELIBERATE_FALSE_RECALL,
    background: random,
  }
}

function scaleOfQueries({ background, automaticAt, deliberateAt }: MeasuredQueries): Scale {
  const rows = new Map<number, FloorRow>() // every search goes over the same hundred floors
  return {
    effectAt: (floor) => {
      const row = rows.get(floor) ?? { floor, automatic: automaticAt(floor), deliberate: deliberateAt(floor) }
      rows.set(floor, row)
      return row
    },
    automaticLimit: AUTOMATIC_FALSE_RECALL_OF_QUERIES,
    deliberateLimit: DELIBERATE_FALSE_RECALL_OF_QUERIES,
    background,
  }
}

/** The noise floor of one store: few cosines of texts that do not belong together reach it. 0 where there are none. */
export const noiseFloorOf = (background: readonly number[]): number =>
  lowestFloor((floor) => shareReaching(background, floor) <= NOISE_RATE)

function floorsOn({
  effectAt,
  automaticLimit,
  deliberateLimit,
  background,
}: Scale): Pick<Calibration, 'noiseFloor' | 'automaticFloor' | 'deliberateFloor'> {
  const noiseFloor = noiseFloorOf(background)
  const automaticFloor = Math.max(
    noiseFloor,
    lowestFloor((f) => effectAt(f).automatic.falseRecall <= automaticLimit),
  )
  // A floor that hides most of the answers found helps nobody, but it never falls below what may appear unasked.
  const enough = KEPT_MATCHES * effectAt(0).deliberate.coverage
  const kept = highestFloor((floor) => effectAt(floor).deliberate.coverage >= enough)
  const strict = lowestFloor((floor) => effectAt(floor).deliberate.falseRecall <= deliberateLimit)
  return { noiseFloor, automaticFloor, deliberateFloor: Math.max(automaticFloor, Math.min(kept, strict)) }
}

function tableFloors(calibrations: readonly Calibration[]): number[] {
  const own = calibrations.flatMap(({ automaticFloor, deliberateFloor }) => [automaticFloor, deliberateFloor])
  const even = Array.from({ length: Math.round(1 / TABLE_STEP) + 1 }, (_, i) => Math.round(i * TABLE_STEP * 100) / 100)
  return [...new Set([...even, ...own])].sort((a, b) => a - b)
}
