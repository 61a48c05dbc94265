import { logicalConversation } from '@mono-agent/memory-store'
import type { Calibration } from '../calibration/calibration.js'
import type { CandidateSource } from '../candidates/candidate-source.js'
import type { RowFilter } from '../candidates/row-filter.js'
import { rounded } from '../ranking/candidate.js'
import type { Connection } from '../sqlite/connection.js'
import { toIndexedMemory } from '../sqlite/memory-rows.js'
import { conversationsOf } from '../sqlite/row-condition.js'
import type { RankedMemory, Ranking, RankRequest } from '../types.js'
import { exactRows, type RowCandidate } from './candidate-rows.js'
import { judgeHybrid } from './judge-hybrid.js'
import { judgeLexical } from './judge-lexical.js'
import type { Judgement } from './judgement.js'

/**
 * The best memories of a query with all that made them so (REC-1..10, 16), within one snapshot of the index: by words and
 * meaning where the request has a vector, else by words alone.
 */
export function rankMemories(
  db: Connection,
  source: CandidateSource,
  request: RankRequest,
  calibration: Calibration,
): Ranking {
  const { limit, vector, apartFrom } = request
  const judge = (filter: RowFilter): Judgement => {
    const exact = exactRows(db, request, filter)
    return vector === undefined
      ? judgeLexical(db, source, request, exact, filter)
      : judgeHybrid(db, source, request, exact, filter, { vector, calibration })
  }
  const filter = filterOf(request)
  const judgement = judge(filter)
  const median = medianOf(judgement.judged.map(({ score }) => score))
  return {
    ranked: bestOf(judgement, limit),
    ...(apartFrom === undefined
      ? {}
      : { others: othersOf(db, judgement, { logical: logicalConversation(apartFrom), limit, filter, judge }) }),
    ...(median === undefined ? {} : { median }),
  }
}

const filterOf = ({ filter }: RankRequest): RowFilter => ({
  ...(filter?.kind === undefined ? {} : { kind: filter.kind }),
  ...(filter?.aboutEntities === undefined ? {} : { aboutEntities: filter.aboutEntities }),
})

function bestOf(
  { judged, anchors }: Judgement,
  limit: number,
  isWanted: (candidate: RowCandidate) => boolean = () => true,
): RankedMemory[] {
  return judged
    .filter(({ candidate }) => isWanted(candidate))
    .slice(0, limit)
    .map(({ candidate, score, parts }) => ({
      memory: toIndexedMemory(candidate.row),
      score,
      parts,
      holdsAllAnchors: anchors.holdsAll(candidate),
    }))
}

interface Apart {
  readonly logical: string
  readonly limit: number
  readonly filter: RowFilter
  readonly judge: (filter: RowFilter) => Judgement
}

/**
 * The best that are not known to come from a conversation (REC-16). Usually the candidates hold enough of them. Where
 * a list of candidates was so full of that conversation that others found no place in it, all is judged once more without
 * the conversation.
 */
function othersOf(db: Connection, judgement: Judgement, { logical, limit, filter, judge }: Apart): RankedMemory[] {
  const isOther = ({ row }: RowCandidate): boolean =>
    row.conversation_id === null || logicalConversation(row.conversation_id) !== logical
  const others = new Set(judgement.judged.flatMap(({ candidate }) => (isOther(candidate) ? [candidate.row.row] : [])))
  const ranDry = judgement.lists.some(
    ({ rows, isCut }) => isCut && rows.filter((row) => others.has(row)).length < limit,
  )
  const apart = ranDry ? judge({ ...filter, outsideConversations: conversationsOf(db, logical) }) : judgement
  return bestOf(apart, limit, isOther)
}

/** Of scores that are in order; the middle between the two in the middle, if there are two. */
function medianOf(scores: readonly number[]): number | undefined {
  const [below, above] = [scores[Math.floor((scores.length - 1) / 2)], scores[Math.floor(scores.length / 2)]]
  return below === undefined || above === undefined ? undefined : rounded((below + above) / 2)
}
