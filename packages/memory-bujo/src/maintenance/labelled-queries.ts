import type { Calibration, FloorEffect, MeasuredQueries, RankedMemory } from '@mono-agent/memory-search'
import type { Judged } from '../recall/evidence.js'
import { isInsufficient } from '../recall/evidence-note.js'
import { chooseRelevant } from '../recall/possibly-relevant.js'
import { DEFAULT_HITS } from '../recall/recall-request.js'
import { cutTail } from '../recall/tail-cut.js'
import type { Vantage } from '../recall/types.js'

interface FoundHit extends Judged, Pick<RankedMemory, 'holdsAllAnchors'> {
  readonly isAnswer: boolean
}

/** A question to a store, and what recall has to show for it at any floor. */
export interface LabelledQuery {
  readonly isAnswerable: boolean
  /** Direct hits, best first, before anything is cut. */
  readonly hits: readonly FoundHit[]
  /** What automatic context would show, if its best reaches the floor. */
  readonly automatic: { readonly best: number; readonly hasAnswer: boolean } | undefined
  /** Its cosines with memories taken without looking at what they say (`sampleQueryScores`). */
  readonly background: readonly number[]
}

/**
 * What floors will be asked about one question. Window, tail and lexical weight are those of the calibration; its floors
 * count for nothing but the noise floor, with which the hits were ranked.
 * @param relevant  ids of the memories that answer it; none when the store holds no answer
 */
export function labelledQuery(
  { relevant, ranked, background }: LabelledRanking,
  calibration: Calibration,
  vantage: Vantage,
): LabelledQuery {
  const isAnswer = (id: string): boolean => relevant.includes(id)
  const choice = chooseRelevant(ranked, calibration, vantage)
  return {
    isAnswerable: relevant.length > 0,
    hits: ranked.map(({ memory, score, parts, holdsAllAnchors }) => {
      return { score, parts, holdsAllAnchors, isAnswer: isAnswer(memory.id) }
    }),
    automatic: choice && { best: choice.best, hasAnswer: choice.chosen.some(({ id }) => isAnswer(id)) },
    background,
  }
}

export interface LabelledRanking {
  readonly relevant: readonly string[]
  /** Of a hybrid look: best first, before anything is cut. */
  readonly ranked: readonly RankedMemory[]
  readonly background: readonly number[]
}

/** Questions as floors are chosen by: with what automatic context and deliberate recall make of them. */
export function measuredQueries(queries: readonly LabelledQuery[], calibration: Calibration): MeasuredQueries {
  return {
    answerable: queries.filter(({ isAnswerable }) => isAnswerable).length,
    background: queries.flatMap(({ background }) => background),
    automaticAt: (floor) => automaticEffect(queries, floor),
    deliberateAt: (floor) => deliberateEffect(queries, { ...calibration, deliberateFloor: floor }),
  }
}

/** With this floor in automatic context (REC-14). */
export function automaticEffect(queries: readonly LabelledQuery[], floor: number): FloorEffect {
  return effectOf(queries, ({ automatic }) => (automatic && automatic.best >= floor ? automatic : undefined))
}

/**
 * With this deliberate floor in an answer of the usual length: what is left of the direct hits by REC-3. What is said to be
 * insufficient evidence (REC-5) counts as nothing shown: it answers nobody, and misleads nobody.
 */
export function deliberateEffect(queries: readonly LabelledQuery[], calibration: Calibration): FloorEffect {
  return effectOf(queries, ({ hits }) => {
    if (hits.length === 0 || isInsufficient(hits, calibration)) return undefined
    return {
      hasAnswer: cutTail(hits, calibration)
        .slice(0, DEFAULT_HITS)
        .some(({ isAnswer }) => isAnswer),
    }
  })
}

/** @param shownOf  undefined where nothing is shown */
function effectOf(
  queries: readonly LabelledQuery[],
  shownOf: (query: LabelledQuery) => { readonly hasAnswer: boolean } | undefined,
): FloorEffect {
  let answerable = 0
  let answered = 0
  let misled = 0
  for (const query of queries) {
    const shown = shownOf(query)
    if (query.isAnswerable) answerable++
    if (shown?.hasAnswer === true) answered++
    else if (shown !== undefined) misled++
  }
  return { coverage: answered / Math.max(1, answerable), falseRecall: misled / Math.max(1, queries.length) }
}
