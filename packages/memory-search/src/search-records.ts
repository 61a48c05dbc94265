import { contentHash, type MemoryHit } from '@mono-agent/memory-store'
import { analyze, nameWords } from './query/analyzer.js'
import { ftsToken, MAX_QUERY_LENGTH, queryTokens } from './query/match-expression.js'
import { authorTag, conversationTag, dayOfMemory, timeTag } from './query/tags.js'
import { timeMentions } from './query/time-mention.js'
import { namedWords } from './ranking/actor-fit.js'
import { fullWeight } from './ranking/lexical-evidence.js'
import { ACTOR_SHARE, rank, TIME_SHARE, type Candidate, type Ranked } from './ranking/rank.js'
import { timeFit, timeLevels, type TimeLevel } from './ranking/time-fit.js'
import type { Connection } from './sqlite/connection.js'
import { bestByWords, firstByTags, frequencies, knownTokens, type WordHit } from './sqlite/lexical-candidates.js'
import { ROW_COLUMNS, type MemoryRow } from './sqlite/memory-rows.js'
import type { LexicalRequest } from './types.js'
import { prepared } from './sqlite/statements.js'

/** Name words of a query that authors are looked up by; the first ones. */
const MAX_NAME_WORDS = 32
/** Authors named in one query; the first ones. */
const MAX_AUTHORS = 4
/** A sentence has at most 2,048 bytes, so a longer query is none. */
const MAX_SENTENCE_LENGTH = 2_048

type Tags = readonly (readonly string[])[]

/** One way to be lifted, with the tags that records of this kind carry. */
interface Lift {
  readonly tags: Tags
  readonly most: number
}

interface RowCandidate extends Candidate {
  readonly row: MemoryRow
}

/** Everything a query asks for, before any record is looked at. */
interface Question {
  readonly words: readonly string[]
  readonly names: ReadonlySet<string>
  readonly levels: readonly TimeLevel[]
  readonly lifts: readonly Lift[]
  readonly scope: Tags
}

function readQuestion(db: Connection, { query, conversationId }: LexicalRequest): Question {
  const asked = query.slice(0, MAX_QUERY_LENGTH)
  const words = queryTokens(analyze(asked))
  const names = nameWords(asked).slice(0, MAX_NAME_WORDS)
  const levels = timeLevels(timeMentions(asked))
  const authors = knownTokens(db, names.map(authorTag)).slice(0, MAX_AUTHORS)
  const times = [...new Set(levels.map(({ fit }) => fit))].map((fit) => ({
    tags: [levels.filter((level) => level.fit === fit).map(({ mention }) => timeTag(mention))],
    most: TIME_SHARE * fit,
  }))
  const actors = authors.map((author) => ({ tags: [[author]], most: ACTOR_SHARE }))
  const both = actors.flatMap((actor) =>
    times.map((time) => ({ tags: [...actor.tags, ...time.tags], most: actor.most + time.most })),
  )
  return {
    words,
    names: new Set(names),
    levels,
    lifts: [...both, ...actors, ...times].sort((a, b) => b.most - a.most),
    scope: conversationId === undefined ? [] : [[conversationTag(conversationId)]],
  }
}

/** Rows whose sentence is the query itself: found whatever its words are, or if it has none (SEA-8). */
function exactRows(db: Connection, { query, conversationId, limit }: LexicalRequest): Set<number> {
  if (query.length > MAX_SENTENCE_LENGTH) return new Set()
  const rows = prepared<unknown[], number>(
    db,
    `select row from memories indexed by memories_by_content where content_hash = ? and is_searchable = 1
       ${conversationId === undefined ? '' : 'and conversation_id = ?'} order by id limit ?`,
  )
    .pluck()
    .all(contentHash(query), ...(conversationId === undefined ? [] : [conversationId]), limit)
  return new Set(rows)
}

/**
 * The best records for a query, best first (SEA-8, 10, 14, 16), within one snapshot of the index. For each way to be
 * lifted the best by words are looked at, not only the best of all: so a record cannot lose its lift because too many
 * others hold the words.
 * @param records  records in the full-text index
 */
export function searchRecords(db: Connection, request: LexicalRequest, records: number): MemoryHit[] {
  const { limit } = request
  const question = readQuestion(db, request)
  const { words, scope, lifts } = question
  const exact = exactRows(db, request)
  const bm25Of = new Map<number, number>()
  const take = (hits: readonly WordHit[]): void => {
    for (const { row, bm25 } of hits) if (bm25 > (bm25Of.get(row) ?? -1)) bm25Of.set(row, bm25)
  }
  for (const row of exact) bm25Of.set(row, 0)
  for (const tags of [[], ...lifts.map((lift) => lift.tags)]) take(bestByWords(db, words, [...scope, ...tags], limit))

  const full = fullWeight(frequencies(db, words.map(ftsToken)), records)
  const candidates = candidateReader(db, question, exact)
  let ranked = rank(candidates(bm25Of), full, limit)
  // Lifted records that hold none of the words: only where they could enter.
  for (const { tags, most } of lifts) {
    if (ranked.length === limit && (ranked[limit - 1]?.score ?? 0) > most) break
    take(firstByTags(db, [...scope, ...tags], limit))
    ranked = rank(candidates(bm25Of), full, limit)
  }
  return ranked.map((entry) => toHit(entry, request.explain === true))
}

/** Reads the rows of candidates, each once, and judges them by author and time. */
function candidateReader(db: Connection, { names, levels }: Question, exact: ReadonlySet<number>) {
  const select = prepared<[number], MemoryRow>(db, `select ${ROW_COLUMNS} from memories where row = ?`)
  const wordsOfSpeaker = new Map<string, readonly string[]>()
  const read = new Map<number, RowCandidate>()
  const named = (speaker: string | null): number => {
    if (speaker === null) return 0
    const known = wordsOfSpeaker.get(speaker) ?? nameWords(speaker)
    wordsOfSpeaker.set(speaker, known)
    return namedWords(known, names)
  }
  const readOne = (rowNumber: number, bm25: number): RowCandidate | undefined => {
    const row = select.get(rowNumber)
    if (row === undefined) return undefined
    const day = dayOfMemory({ occurredAt: row.occurred_at ?? undefined, createdAt: row.created_at })
    return {
      row,
      id: row.id,
      bm25,
      isExact: exact.has(rowNumber),
      namedWords: named(row.speaker),
      timeFit: timeFit(day, levels),
    }
  }
  return (bm25Of: ReadonlyMap<number, number>): RowCandidate[] => {
    for (const [row, bm25] of bm25Of) {
      if (read.has(row)) continue
      const candidate = readOne(row, bm25)
      if (candidate !== undefined) read.set(row, candidate)
    }
    return [...read.values()]
  }
}

function toHit({ candidate: { row }, score, parts }: Ranked<RowCandidate>, isExplained: boolean): MemoryHit {
  return {
    id: row.id,
    score,
    text: row.sentence,
    type: row.type,
    status: row.status,
    createdAt: row.created_at,
    ...(row.occurred_at === null ? {} : { occurredAt: row.occurred_at }),
    ...(row.due_at === null ? {} : { dueAt: row.due_at }),
    ...(row.attribution === null ? {} : { attribution: row.attribution }),
    source: {
      ...(row.conversation_id === null ? {} : { conversationId: row.conversation_id }),
      ...(row.speaker === null ? {} : { speaker: row.speaker }),
      file: row.file,
    },
    ...(isExplained ? { explanation: parts } : {}),
  }
}
