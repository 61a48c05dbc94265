import { logicalConversation } from '@mono-agent/memory-store'
import type { Calibration } from '../calibration/calibration.js'
import type { CandidateSource } from '../candidates/candidate-source.js'
import type { RowFilter } from '../candidates/row-filter.js'
import { sourceAsOf } from '../candidates/source-as-of.js'
import { rounded } from '../ranking/candidate.js'
import { spelledInstant, toMemoryAsOf, type RowAsOf } from '../sqlite/as-of.js'
import type { Connection } from '../sqlite/connection.js'
import { readerAsOf } from '../sqlite/ended-rows.js'
import { averageLength } from '../sqlite/lexical-candidates.js'
import { ROW_COLUMNS, toIndexedMemory, type MemoryRow } from '../sqlite/memory-rows.js'
import { conversationsOf } from '../sqlite/row-condition.js'
import { COLUMN_WEIGHTS } from '../sqlite/schema.js'
import { prepared } from '../sqlite/statements.js'
import type { IndexedMemory, RankedMemory, Ranking, RankRequest } from '../types.js'
import { exactRows, type RowCandidate } from './candidate-rows.js'
import { endedRecords } from './ended-records.js'
import { judgeHybrid } from './judge-hybrid.js'
import { judgeLexical } from './judge-lexical.js'
import type { Judgement } from './judgement.js'

/**
 * Others that each list of candidates has to hold for certain: automatic context looks at the best eight of all lists. More
 * would have everything judged twice in many a store that has one long conversation.
 */
const ENOUGH_OTHERS = 16

const WEIGHTS = COLUMN_WEIGHTS.split(',').map(Number)

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
  const asOf = request.asOf === undefined ? undefined : spelledInstant(request.asOf)
  const judge = (filter: RowFilter): Judgement => {
    const { from, exact } = sourceOf(db, source, request, filter, asOf)
    return vector === undefined
      ? judgeLexical(db, from, request, exact, filter)
      : judgeHybrid(db, from, request, exact, filter, { vector, calibration })
  }
  const filter = filterOf(request, asOf)
  const best = bestReader(db, limit, asOf)
  const judgement = judge(filter)
  const median = medianOf(judgement.judged.map(({ score }) => score))
  return {
    ranked: best(judgement),
    ...(apartFrom === undefined
      ? {}
      : { others: othersOf(db, judgement, { logical: logicalConversation(apartFrom), limit, filter, judge, best }) }),
    ...(median === undefined ? {} : { median }),
  }
}

const filterOf = ({ filter }: RankRequest, asOf: string | undefined): RowFilter => ({
  ...(filter?.kind === undefined ? {} : { kind: filter.kind }),
  ...(filter?.aboutEntities === undefined ? {} : { aboutEntities: filter.aboutEntities }),
  ...(asOf === undefined ? {} : { recordedBy: asOf }),
})

/** Where candidates come from, and those whose sentence is the query: at an instant, what ended since is among them. */
function sourceOf(
  db: Connection,
  source: CandidateSource,
  request: RankRequest,
  filter: RowFilter,
  asOf: string | undefined,
): { readonly from: CandidateSource; readonly exact: ReadonlySet<number> } {
  const exact = exactRows(db, request, filter)
  const ended = asOf === undefined ? undefined : endedRecords(db, request, asOf, filter)
  if (ended === undefined || ended.records.length === 0) return { from: source, exact }
  const figures = { weights: WEIGHTS, averageLength: averageLength(db) }
  return { from: sourceAsOf(source, ended.records, figures), exact: new Set([...exact, ...ended.exact]) }
}

type Best = (judgement: Judgement, isWanted?: (candidate: RowCandidate) => boolean) => RankedMemory[]

/** Takes the best of a judgement, each read whole now and in its state of the asked instant. */
function bestReader(db: Connection, limit: number, asOf: string | undefined): Best {
  const memoryOf = memoryReader(db, asOf)
  return ({ judged, anchors }, isWanted = () => true) =>
    judged
      .filter(({ candidate }) => isWanted(candidate))
      .slice(0, limit)
      .map(({ candidate, score, parts }) => ({
        memory: memoryOf(candidate.row),
        score,
        parts,
        holdsAllAnchors: anchors.holdsAll(candidate),
      }))
}

/** Reads memories by their row, which this snapshot has: it was a candidate. */
function memoryReader(db: Connection, asOf: string | undefined): (row: number) => IndexedMemory {
  if (asOf !== undefined) {
    const rowAsOf = readerAsOf(db, asOf)
    return (row) => toMemoryAsOf(rowAsOf(row) as RowAsOf)
  }
  const select = prepared<[number], MemoryRow>(db, `select ${ROW_COLUMNS} from memories where row = ?`)
  return (row) => toIndexedMemory(select.get(row) as MemoryRow)
}

interface Apart {
  readonly logical: string
  readonly limit: number
  readonly filter: RowFilter
  readonly judge: (filter: RowFilter) => Judgement
  readonly best: Best
}

/**
 * The best that are not known to come from a conversation (REC-16). Usually the candidates hold enough of them. Where
 * a list of candidates was so full of that conversation that others found no place in it, all is judged once more without
 * the conversation.
 */
function othersOf(
  db: Connection,
  judgement: Judgement,
  { logical, limit, filter, judge, best }: Apart,
): RankedMemory[] {
  const isOther = ({ conversationId }: RowCandidate): boolean =>
    conversationId === null || logicalConversation(conversationId) !== logical
  const own = new Set(judgement.judged.flatMap(({ candidate }) => (isOther(candidate) ? [] : [candidate.row])))
  const enough = Math.min(limit, ENOUGH_OTHERS)
  // A list without any of the conversation would be the same one without it.
  const ranDry = judgement.lists.some(
    ({ brought, rows, isCut }) =>
      isCut && brought.some((row) => own.has(row)) && rows.filter((row) => !own.has(row)).length < enough,
  )
  const apart = ranDry ? judge({ ...filter, outsideConversations: conversationsOf(db, logical) }) : judgement
  return best(apart, isOther)
}

/** Of scores that are in order; the middle between the two in the middle, if there are two. */
function medianOf(scores: readonly number[]): number | undefined {
  const [below, above] = [scores[Math.floor((scores.length - 1) / 2)], scores[Math.floor(scores.length / 2)]]
  return below === undefined || above === undefined ? undefined : rounded((below + above) / 2)
}
