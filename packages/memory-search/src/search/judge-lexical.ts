import type { CandidateSource, WordHit } from '../candidates/candidate-source.js'
import type { RowFilter } from '../candidates/row-filter.js'
import { belowTheirSource } from '../ranking/echoes.js'
import { fullWeight } from '../ranking/lexical-evidence.js'
import { ACTOR_SHARE, rankLexical, TIME_SHARE } from '../ranking/rank-lexical.js'
import type { Connection } from '../sqlite/connection.js'
import { CANDIDATES } from '../sqlite/lexical-candidates.js'
import type { SearchRequest } from '../types.js'
import { anchorReader } from './anchor-reader.js'
import { candidateReader, wordHolder } from './candidate-rows.js'
import { listOfRows, listOfWords, type CandidateList, type Judgement } from './judgement.js'
import { readQuestion, type Lift } from './question.js'

const most = ({ actor, time }: Lift): number => ACTOR_SHARE * actor + TIME_SHARE * time

/**
 * The records by words, best first (SEA-8, 10, 14, 16), within one snapshot of the index. For each way to be lifted the
 * best by words are looked at, not only the best of all: so a record cannot lose its lift because too many others hold the
 * words.
 * @param exact  rows whose sentence is the query itself
 */
export function judgeLexical(
  db: Connection,
  source: CandidateSource,
  request: SearchRequest,
  exact: ReadonlySet<number>,
  filter: RowFilter,
): Judgement {
  const { limit } = request
  const question = readQuestion(source, request)
  const { words, scope, lifts } = question
  const holdsWord = wordHolder(question)
  const lists: CandidateList[] = [listOfRows([...exact], limit)]
  const bm25Of = new Map<number, number>()
  const take = (hits: readonly WordHit[]): void => {
    for (const { row, bm25 } of hits) if (bm25 > (bm25Of.get(row) ?? -1)) bm25Of.set(row, bm25)
  }
  for (const row of exact) bm25Of.set(row, 0)
  for (const tags of [[], ...lifts.map((lift) => lift.tags)]) {
    const hits = source.lexical(words, [...scope, ...tags], limit, filter)
    lists.push(listOfWords(hits, CANDIDATES))
    take(hits)
  }

  const full = fullWeight(source.frequencies(words), source.records())
  const read = candidateReader(db, question, exact)
  const judge = () =>
    rankLexical(
      belowTheirSource(
        read(bm25Of.keys()).map((candidate) => ({ ...candidate, bm25: bm25Of.get(candidate.row) ?? 0 })),
        holdsWord,
      ),
      full,
    )
  let judged = judge()
  // Lifted records that hold none of the words: only where they could enter.
  for (const lift of lifts) {
    if ((judged[limit - 1]?.score ?? 0) > most(lift)) break
    const hits = source.tagged([...scope, ...lift.tags], limit, filter)
    lists.push(
      listOfRows(
        hits.map(({ row }) => row),
        limit,
      ),
    )
    take(hits)
    judged = judge()
  }
  const anchors = anchorReader(
    db,
    request.query,
    judged.map(({ candidate }) => candidate),
  )
  return { judged, lists, anchors }
}
