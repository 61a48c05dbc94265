import type { Calibration } from '../calibration/calibration.js'
import { actorFit } from './actor-fit.js'
import { QUESTION_LOSS } from './asks.js'
import { byScore, mostNamed, questionLoss, rounded, type Candidate } from './candidate.js'
import { lexicalEvidence } from './lexical-evidence.js'
import { lexicalScore, type Ranked } from './rank-lexical.js'

/** What all anchors of a query add together (SEA-13): whole numbers, dates and identifiers. */
export const ANCHOR_SHARE = 0.15
/** What all names of a query add together (SEA-13): words of the names of entities that candidates are about. */
export const NAME_SHARE = 0.08
/**
 * What author and time add at most: little beside the scores of a strong model, which lie close together, and as much as
 * half of the weight that words get beside a weak one. Round figures: see `docs/ranking.md`.
 */
const LIFT_BASE = 0.05
const LIFT_BY_WEIGHT = 0.25
/** What the record before it in its conversation adds, of its cosine, by lexical weight: only a weak model needs it. */
const CONTEXT_BY_WEIGHT = 0.2

/** Tie-breakers: together far less than any difference that means something. */
const RRF_CONSTANT = 60
const RRF_SHARE = 0.1
const SALIENCE_SHARE = 0.001
const INSIGHT_SHARE = 0.001

export interface HybridCandidate extends Candidate {
  /** With the query's vector, -1..1; absent while the record waits for its vector. */
  readonly cosine?: number | undefined
  /** Of the record before it in its conversation, if there is one. */
  readonly contextCosine?: number | undefined
  /** Share of the query's anchors that it holds, 0..1. */
  readonly anchors: number
  /** Share of the names of the query that it is about, 0..1; absent where none of its entities is named. */
  readonly names?: number | undefined
  readonly salience: number
  readonly isInsight: boolean
}

/** What author and time can add beside a model of this calibration. */
export const liftShare = ({ lexicalWeight }: Calibration): number => LIFT_BASE + LIFT_BY_WEIGHT * lexicalWeight

/**
 * A cosine below it is no evidence: the noise floor of a strong model. A weak one has no such border, for its matches lie
 * among its noise, and what it says in low cosines still helps; so the floor sinks with the weight of words.
 */
export const evidenceFloor = ({ noiseFloor, lexicalWeight }: Calibration): number => noiseFloor * (1 - lexicalWeight)

/**
 * The place of each value in one list, the highest first: what reciprocal rank fusion counts. Equal values share a place, so
 * that the order of the candidates says nothing.
 */
function placesOf(values: readonly number[]): ReadonlyMap<number, number> {
  const ascending = Float64Array.from(values).sort()
  return new Map(Array.from(ascending, (value, at) => [value, ascending.length - at]))
}

const reciprocal = (place: number | undefined): number => (place === undefined ? 0 : 1 / (RRF_CONSTANT + place))

/**
 * Scores every candidate by every signal, whichever list it came from (SEA-12, 13), best first; ties break by id. A record
 * that waits for its vector is judged as without embeddings (SEA-14): its explanation then has no `semantic`.
 * @param full  `fullWeight` of the query
 */
export function rankHybrid<T extends HybridCandidate>(
  candidates: readonly T[],
  full: number,
  calibration: Calibration,
): Ranked<T>[] {
  const most = mostNamed(candidates)
  const { lexicalWeight } = calibration
  const lift = liftShare(calibration)
  const wordPlaces = placesOf(candidates.flatMap(({ bm25 }) => (bm25 > 0 ? [rounded(bm25)] : [])))
  const vectorPlaces = placesOf(candidates.flatMap(({ cosine }) => (cosine === undefined ? [] : [rounded(cosine)])))
  const floor = evidenceFloor(calibration)
  const evidence = (cosine: number | undefined): number =>
    cosine === undefined || cosine < floor ? 0 : Math.max(0, cosine)

  return candidates
    .map((candidate): Ranked<T> => {
      if (candidate.cosine === undefined) return lexicalScore(candidate, full, most)
      const wordPlace = candidate.bm25 > 0 ? wordPlaces.get(rounded(candidate.bm25)) : undefined
      const words = candidate.isExact ? 1 : lexicalEvidence(candidate.bm25, full)
      const semantic = rounded(evidence(candidate.cosine))
      const context = rounded(CONTEXT_BY_WEIGHT * lexicalWeight * evidence(candidate.contextCosine))
      const lexical = rounded(lexicalWeight * words)
      const anchors = rounded(ANCHOR_SHARE * candidate.anchors + NAME_SHARE * (candidate.names ?? 0))
      const actor = rounded(lift * actorFit(candidate.namedWords, most))
      const time = rounded(lift * candidate.timeFit)
      const order = rounded(
        RRF_SHARE * (reciprocal(wordPlace) + reciprocal(vectorPlaces.get(rounded(candidate.cosine)))) +
          SALIENCE_SHARE * candidate.salience +
          (candidate.isInsight ? INSIGHT_SHARE : 0),
      )
      const sum = semantic + context + lexical + anchors + actor + time + order
      // A strong model tells a question from its answer by itself.
      const question = questionLoss(candidate, QUESTION_LOSS * lexicalWeight, sum)
      const parts = { semantic, context, lexical, anchors, actor, time, order, question }
      return { candidate, score: rounded(sum + question), parts }
    })
    .sort(byScore)
}
