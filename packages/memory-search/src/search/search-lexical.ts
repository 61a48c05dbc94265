import type { MemoryHit } from '@mono-agent/memory-store'
import type { CandidateSource, WordHit } from '../candidates/candidate-source.js'
import { belowTheirSource } from '../ranking/echoes.js'
import { fullWeight } from '../ranking/lexical-evidence.js'
import { ACTOR_SHARE, rankLexical, TIME_SHARE } from '../ranking/rank-lexical.js'
import type { Connection } from '../sqlite/connection.js'
import type { IndexIdentity, SearchRequest } from '../types.js'
import { candidateReader, exactRows, wordHolder } from './candidate-rows.js'
import { readQuestion, type Lift } from './question.js'
import { toHit } from './to-hit.js'

const most = ({ actor, time }: Lift): number => ACTOR_SHARE * actor + TIME_SHARE * time

/**
 * The best records by words, best first (SEA-8, 10, 14, 16), within one snapshot of the index. For each way to be
 * lifted the best by words are looked at, not only the best of all: so a record cannot lose its lift because too many
 * others hold the words.
 */
export function searchLexical(
  db: Connection,
  source: CandidateSource,
  request: SearchRequest,
  tier: IndexIdentity['tier'],
): MemoryHit[] {
  const { limit } = request
  const question = readQuestion(db, request)
  const { words, scope, lifts } = question
  const holdsWord = wordHolder(question)
  const exact = exactRows(db, request)
  const bm25Of = new Map<number, number>()
  const take = (hits: readonly WordHit[]): void => {
    for (const { row, bm25 } of hits) if (bm25 > (bm25Of.get(row) ?? -1)) bm25Of.set(row, bm25)
  }
  for (const row of exact) bm25Of.set(row, 0)
  for (const tags of [[], ...lifts.map((lift) => lift.tags)]) take(source.lexical(words, [...scope, ...tags], limit))

  const full = fullWeight(source.frequencies(words), source.records())
  const candidates = candidateReader(db, question, exact)
  const judged = () =>
    rankLexical(
      belowTheirSource(
        candidates(bm25Of.keys()).map((candidate) => ({ ...candidate, bm25: bm25Of.get(candidate.row.row) ?? 0 })),
        holdsWord,
      ),
      full,
      limit,
    )
  let ranked = judged()
  // Lifted records that hold none of the words: only where they could enter.
  for (const lift of lifts) {
    if (ranked.length === limit && (ranked[limit - 1]?.score ?? 0) > most(lift)) break
    take(source.tagged([...scope, ...lift.tags], limit))
    ranked = judged()
  }
  return ranked.map(({ candidate, score, parts }) =>
    toHit(candidate.row, score, tier, request.explain ? parts : undefined),
  )
}
