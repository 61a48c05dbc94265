import type { MemoryHit } from '@mono-agent/memory-store'
import type { Calibration } from '../calibration/calibration.js'
import type { CandidateSource } from '../candidates/candidate-source.js'
import { anchorShare, queryAnchors } from '../query/anchors.js'
import { nameShares } from '../query/name-anchors.js'
import { belowTheirSource } from '../ranking/echoes.js'
import { fullWeight } from '../ranking/lexical-evidence.js'
import { rankHybrid, type HybridCandidate } from '../ranking/rank-hybrid.js'
import type { Connection } from '../sqlite/connection.js'
import { rowBefore } from '../sqlite/context-columns.js'
import { entityNames } from '../sqlite/about-entities.js'
import { CANDIDATES } from '../sqlite/lexical-candidates.js'
import type { IndexIdentity, SearchRequest } from '../types.js'
import { candidateReader, exactRows, wordHolder } from './candidate-rows.js'
import { cosine } from '../ranking/cosine.js'
import { readQuestion } from './question.js'
import { toHit } from './to-hit.js'

/** Nearest records looked at for each way to be good: at least twice what can be asked for. */
const NEAREST = 100

/**
 * The best records by words and by meaning, best first (SEA-12, 13, 16), within one snapshot of the index. Candidates are
 * the best by words and the nearest by vector, of all records and of those that author or time lift; each is then scored by
 * every signal, filled in where a list did not hold it.
 * @param vector  of the query, unit length
 */
export function searchHybrid(
  db: Connection,
  source: CandidateSource,
  request: SearchRequest,
  vector: Float32Array,
  { calibration, tier }: { readonly calibration: Calibration; readonly tier: IndexIdentity['tier'] },
): MemoryHit[] {
  const question = readQuestion(db, request)
  const { words, scope, lifts } = question
  const exact = exactRows(db, request)
  const rows = new Set(exact)
  const bm25Of = new Map<number, number>()
  for (const tags of [[], ...lifts.map((lift) => lift.tags)]) {
    const required = [...scope, ...tags]
    for (const { row, bm25 } of source.lexical(words, required, CANDIDATES)) {
      rows.add(row)
      bm25Of.set(row, bm25)
    }
    for (const row of source.semantic(vector, required, NEAREST)) rows.add(row)
  }
  const unjudged = [...rows].filter((row) => !bm25Of.has(row))
  for (const { row, bm25 } of source.lexicalOf(words, unjudged)) bm25Of.set(row, bm25)

  const anchors = queryAnchors(request.query)
  const cosineOf = cosineReader(source, vector)
  const before = rowBefore(db)
  const read = candidateReader(db, question, exact)(rows)
  const names = nameShares(
    request.query,
    entityNames(
      db,
      read.map(({ id }) => id),
    ),
  )
  const candidates = read.map((candidate) => {
    const { row } = candidate
    const named = names.get(candidate.id)
    const own = cosineOf(row.row)
    const previous = calibration.lexicalWeight === 0 ? undefined : before(row.row)
    const context = previous === undefined ? undefined : cosineOf(previous)
    return {
      ...candidate,
      bm25: bm25Of.get(row.row) ?? 0,
      anchors: anchorShare(anchors, row.sentence),
      salience: row.salience,
      isInsight: row.is_insight === 1,
      ...(named === undefined ? {} : { names: named }),
      ...(own === undefined ? {} : { cosine: own }),
      ...(context === undefined ? {} : { contextCosine: context }),
    } satisfies HybridCandidate
  })
  const full = fullWeight(source.frequencies(words), source.records())
  const weighed = belowTheirSource(candidates, wordHolder(question))
  return rankHybrid(weighed, full, calibration, request.limit).map(({ candidate, score, parts }) =>
    toHit(candidate.row, score, tier, request.explain === true ? parts : undefined),
  )
}

/** Cosine of a row's vector with the query's, each computed once. */
function cosineReader(source: CandidateSource, query: Float32Array): (row: number) => number | undefined {
  const known = new Map<number, number | undefined>()
  return (row) => {
    if (known.has(row)) return known.get(row)
    const vector = source.vectorOf(row)
    const value = vector === undefined ? undefined : cosine(vector, query)
    known.set(row, value)
    return value
  }
}
