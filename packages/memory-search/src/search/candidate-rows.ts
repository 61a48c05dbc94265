import { contentHash } from '@mono-agent/memory-store'
import type { RowFilter } from '../candidates/row-filter.js'
import { analyze, nameWords } from '../query/analyzer.js'
import { namedWords } from '../ranking/actor-fit.js'
import { asks } from '../ranking/asks.js'
import type { Candidate } from '../ranking/candidate.js'
import { timeFit } from '../ranking/time-fit.js'
import type { Connection } from '../sqlite/connection.js'
import { rowCondition } from '../sqlite/row-condition.js'
import { prepared } from '../sqlite/statements.js'
import type { SearchRequest } from '../types.js'
import type { Question } from './question.js'

/** A sentence has at most 2,048 bytes, so a longer query is none. */
const MAX_SENTENCE_LENGTH = 2_048

/** A candidate as its row has it; what words and vectors say of it comes later. */
export interface RowCandidate extends Omit<Candidate, 'bm25'> {
  readonly row: number
  readonly sentence: string
  readonly salience: number
  readonly isInsight: boolean
  readonly conversationId: string | null
}

/** What judging needs of a row, and no more: hundreds are read for the few that are returned. */
const JUDGED_COLUMNS =
  'id, sentence, salience, is_insight, conversation_id, speaker, substr(coalesce(occurred_at, created_at), 1, 10)'
type JudgedColumns = readonly [
  id: string,
  sentence: string,
  salience: number,
  isInsight: number,
  conversationId: string | null,
  speaker: string | null,
  /** `dayOfMemory`. */
  day: string,
]

/** Rows whose sentence is the query itself: found whatever its words are, or if it has none (SEA-8). */
export function exactRows(
  db: Connection,
  { query, conversationId, limit }: SearchRequest,
  filter: RowFilter,
): Set<number> {
  if (query.length > MAX_SENTENCE_LENGTH) return new Set()
  const condition = rowCondition(filter, 'memories.row')
  const rows = prepared<unknown[], number>(
    db,
    `select row from memories indexed by memories_by_content where content_hash = ? and is_searchable = 1
       ${conversationId === undefined ? '' : 'and conversation_id = ?'}${condition.sql} order by id limit ?`,
  )
    .pluck()
    .all(contentHash(query), ...(conversationId === undefined ? [] : [conversationId]), ...condition.values, limit)
  return new Set(rows)
}

/** Whether the sentence of a candidate itself, and not only its context, holds a word of the question. */
export function wordHolder({ words }: Question): (candidate: RowCandidate) => boolean {
  const asked = new Set(words)
  return ({ sentence }) => analyze(sentence).some((token) => asked.has(token))
}

/** Candidates share few speakers and days: each is judged once. */
function once(judge: (key: string) => number): (key: string) => number {
  const known = new Map<string, number>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before
    const value = judge(key)
    known.set(key, value)
    return value
  }
}

/** Reads the rows of candidates, each once, and judges them by author and time. */
export function candidateReader(
  db: Connection,
  { names, levels }: Question,
  exact: ReadonlySet<number>,
): (rows: Iterable<number>) => RowCandidate[] {
  const select = prepared<[number], JudgedColumns>(db, `select ${JUDGED_COLUMNS} from memories where row = ?`).raw()
  const read = new Map<number, RowCandidate>()
  const named = once((speaker: string) => (names.size === 0 ? 0 : namedWords(nameWords(speaker), names)))
  const fit = once((day: string) => timeFit(day, levels))
  const readOne = (row: number): RowCandidate | undefined => {
    const columns = select.get(row)
    if (columns === undefined) return undefined
    const [id, sentence, salience, isInsight, conversationId, speaker, day] = columns
    return {
      row,
      id,
      sentence,
      salience,
      isInsight: isInsight === 1,
      conversationId,
      isExact: exact.has(row),
      namedWords: speaker === null ? 0 : named(speaker),
      timeFit: fit(day),
      isQuestion: asks(sentence),
    }
  }
  return (rows) => {
    const found: RowCandidate[] = []
    for (const row of rows) {
      const candidate = read.get(row) ?? readOne(row)
      if (candidate === undefined) continue
      read.set(row, candidate)
      found.push(candidate)
    }
    return found
  }
}
