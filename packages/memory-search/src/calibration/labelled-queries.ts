/** Lines of automatic context at most (REC-14). */
const AUTOMATIC_LINES = 3

export interface ScoredId {
  readonly id: string
  /** The number that recall compares with the floors. */
  readonly score: number
}

/** A question to a store, what would answer it, and what recall found. */
export interface LabelledQuery {
  /** Ids of the memories that answer it; none when the store holds no answer. */
  readonly relevant: ReadonlySet<string>
  /** What recall found with neither floor nor cut, in any order. */
  readonly hits: readonly ScoredId[]
  /** Its cosines with memories taken without looking at what they say (`sampleQueryScores`). */
  readonly background: readonly number[]
}

/** What a floor brings and what it costs; both are shares, 0..1. */
export interface FloorEffect {
  /** Of the queries that have an answer: how many get one to see. */
  readonly coverage: number
  /** Of all queries: how many get something to see and no answer in it. */
  readonly falseRecall: number
}

/** With this floor in automatic context: nothing below it, nothing further than `window` below the best, three lines. */
export function automaticEffect(queries: readonly LabelledQuery[], floor: number, window: number): FloorEffect {
  return effectOf(queries, ({ hits }) => within(hits, window, floor).slice(0, AUTOMATIC_LINES))
}

/**
 * With this floor in deliberate recall: what is left of the hits by REC-3, and nothing when the best does not clear it, for
 * then the answer says that evidence is insufficient (REC-5).
 */
export function deliberateEffect(queries: readonly LabelledQuery[], floor: number, tail: number): FloorEffect {
  return effectOf(queries, ({ hits }) => within(hits, tail, floor))
}

/** Best first. */
function within(hits: readonly ScoredId[], distance: number, floor: number): readonly ScoredId[] {
  const ranked = [...hits].sort((a, b) => b.score - a.score)
  const best = ranked[0]?.score ?? 0
  return ranked.filter(({ score }) => score >= floor && score >= best - distance)
}

function effectOf(
  queries: readonly LabelledQuery[],
  shownOf: (query: LabelledQuery) => readonly ScoredId[],
): FloorEffect {
  let answerable = 0
  let answered = 0
  let misled = 0
  for (const query of queries) {
    const shown = shownOf(query)
    const hasAnswer = shown.some(({ id }) => query.relevant.has(id))
    if (query.relevant.size > 0) answerable++
    if (hasAnswer) answered++
    else if (shown.length > 0) misled++
  }
  return { coverage: answered / Math.max(1, answerable), falseRecall: misled / Math.max(1, queries.length) }
}
