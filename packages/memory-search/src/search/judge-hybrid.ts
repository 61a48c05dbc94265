import type { Calibration } from '../calibration/calibration.js'
import type { CandidateSource } from '../candidates/candidate-source.js'
import type { RowFilter } from '../candidates/row-filter.js'
import { belowTheirSource } from '../ranking/echoes.js'
import { fullWeight } from '../ranking/lexical-evidence.js'
import { rankHybrid, type HybridCandidate } from '../ranking/rank-hybrid.js'
import type { Connection } from '../sqlite/connection.js'
import { CANDIDATES } from '../sqlite/lexical-candidates.js'
import type { SearchRequest } from '../types.js'
import { anchorReader } from './anchor-reader.js'
import { candidateReader, wordHolder, type RowCandidate } from './candidate-rows.js'
import { firstOf, listOfRows, listOfWords, type CandidateList, type Judgement } from './judgement.js'
import { readQuestion } from './question.js'
import { askByTellingWords } from './telling-words.js'

/**
 * Records looked at for each way to be good, by words and by vector: twice what is asked for, and so many at least. More
 * would cost more and find no better ones (docs/ranking.md).
 */
export const MIN_LISTED = 20

/**
 * The records by words and by meaning, best first (SEA-12, 13, 16), within one snapshot of the index. Candidates are the
 * best by words and the nearest by vector, of all records and of those that author or time lift; each is then scored by
 * every signal, filled in where a list did not hold it.
 * @param exact  rows whose sentence is the query itself
 * @param vector  of the query, unit length
 */
export function judgeHybrid(
  db: Connection,
  source: CandidateSource,
  request: SearchRequest,
  exact: ReadonlySet<number>,
  filter: RowFilter,
  { vector, calibration }: { readonly vector: Float32Array; readonly calibration: Calibration },
): Judgement {
  const question = readQuestion(source, request)
  const { words, scope, lifts } = question
  const rows = new Set(exact)
  const lists: CandidateList[] = [listOfRows([...exact], request.limit)]
  const listed = Math.min(CANDIDATES, Math.max(MIN_LISTED, 2 * request.limit))
  const bm25Of = new Map<number, number>()
  const frequencies = source.frequencies(words)
  const asked = askByTellingWords(source, words, frequencies, scope, filter)
  for (const tags of [undefined, ...lifts.map((lift) => lift.tags)]) {
    const required = tags === undefined ? scope : [...scope, ...tags]
    const found = tags === undefined ? asked.hits : source.lexical(asked.words, required, listed, filter)
    const hits = firstOf(found, listed)
    for (const { row, bm25 } of hits) {
      rows.add(row)
      bm25Of.set(row, bm25)
    }
    const nearest = source.semantic(vector, required, listed, filter)
    for (const row of nearest) rows.add(row)
    lists.push(listOfWords(hits, listed), listOfRows(nearest, listed))
  }
  const unjudged = [...rows].filter((row) => !bm25Of.has(row))
  for (const { row, bm25 } of source.lexicalOf(asked.words, unjudged)) bm25Of.set(row, bm25)

  const read = candidateReader(db, question, exact)(rows)
  const anchors = anchorReader(db, request.query, read)
  const candidates = read.map((candidate) => {
    const { row } = candidate
    const previous = calibration.lexicalWeight === 0 ? undefined : source.before(row)
    // Field by field: a spread of hundreds of candidates costs more than all that is computed here.
    return {
      row,
      id: candidate.id,
      sentence: candidate.sentence,
      salience: candidate.salience,
      isInsight: candidate.isInsight,
      conversationId: candidate.conversationId,
      isExact: candidate.isExact,
      namedWords: candidate.namedWords,
      timeFit: candidate.timeFit,
      isQuestion: candidate.isQuestion,
      bm25: bm25Of.get(row) ?? 0,
      anchors: anchors.share(candidate),
      names: anchors.names(candidate),
      cosine: source.cosineOf(row, vector),
      contextCosine: previous === undefined ? undefined : source.cosineOf(previous, vector),
    } satisfies HybridCandidate & RowCandidate
  })
  const full = fullWeight(frequencies, source.records())
  const judged = rankHybrid(belowTheirSource(candidates, wordHolder(question)), full, calibration)
  return { judged, lists, anchors }
}
