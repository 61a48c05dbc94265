import { contentHash } from '@mono-agent/memory-store'
import type { RowFilter } from '../candidates/row-filter.js'
import { analyze, nameWords } from '../query/analyzer.js'
import { dayOfMemory } from '../query/tags.js'
import { namedWords } from '../ranking/actor-fit.js'
import { asks } from '../ranking/asks.js'
import type { Candidate } from '../ranking/candidate.js'
import { timeFit } from '../ranking/time-fit.js'
import type { Connection } from '../sqlite/connection.js'
import { ROW_COLUMNS, type MemoryRow } from '../sqlite/memory-rows.js'
import { rowCondition } from '../sqlite/row-condition.js'
import { prepared } from '../sqlite/statements.js'
import type { SearchRequest } from '../types.js'
import type { Question } from './question.js'

/** A sentence has at most 2,048 bytes, so a longer query is none. */
const MAX_SENTENCE_LENGTH = 2_048

/** A candidate with its row; what words and vectors say of it comes later. */
export interface RowCandidate extends Omit<Candidate, 'bm25'> {
  readonly row: MemoryRow
}

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
  return ({ row }) => analyze(row.sentence).some((token) => asked.has(token))
}

/** Reads the rows of candidates, each once, and judges them by author and time. */
export function candidateReader(
  db: Connection,
  { names, levels }: Question,
  exact: ReadonlySet<number>,
): (rows: Iterable<number>) => RowCandidate[] {
  const select = prepared<[number], MemoryRow>(db, `select ${ROW_COLUMNS} from memories where row = ?`)
  const wordsOfSpeaker = new Map<string, readonly string[]>()
  const read = new Map<number, RowCandidate>()
  const named = (speaker: string | null): number => {
    if (speaker === null) return 0
    const known = wordsOfSpeaker.get(speaker) ?? nameWords(speaker)
    wordsOfSpeaker.set(speaker, known)
    return namedWords(known, names)
  }
  const readOne = (rowNumber: number): RowCandidate | undefined => {
    const row = select.get(rowNumber)
    if (row === undefined) return undefined
    const day = dayOfMemory({ occurredAt: row.occurred_at ?? undefined, createdAt: row.created_at })
    return {
      row,
      id: row.id,
      isExact: exact.has(rowNumber),
      namedWords: named(row.speaker),
      timeFit: timeFit(day, levels),
      isQuestion: asks(row.sentence),
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
