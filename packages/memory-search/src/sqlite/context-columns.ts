import type { Connection } from './connection.js'
import { bodyText, tagText, WORD_SOURCE_COLUMNS, type WordSource } from './full-text.js'
import { prepared } from './statements.js'

/** Records before a record whose words it carries (SEA-9), and so the records after it that a change touches. */
export const CONTEXT_LENGTH = 2

const SEARCHABLE = 'is_searchable = 1 and conversation_id is not null'

const PLACE_OF_ROW =
  'select conversation_id, moment, file, position from memories where row = ? and conversation_id is not null'

type Place = readonly [conversationId: string, moment: number, file: string, position: number]

export interface Neighbours {
  /** Rows of the up to two searchable records after this one in its conversation. */
  after(row: number): number[]
  /** Sentences of the up to two searchable records before it, the nearest first. */
  before(row: number): string[]
}

/**
 * Order within a conversation: when it happened (else was recorded), then day file, then place in it. The place is bound
 * as values and not joined: only then does SQLite seek by all of it, and thousands of records of one instant cost nothing.
 */
export function neighbours(db: Connection): Neighbours {
  const placeOf = prepared<[number], Place>(db, PLACE_OF_ROW).raw()
  const inConversation = `from memories indexed by memories_by_conversation where ${SEARCHABLE} and conversation_id = ?`
  const after = prepared<unknown[], number>(
    db,
    `select row ${inConversation} and (moment, file, position) > (?, ?, ?)
     order by moment, file, position limit ${CONTEXT_LENGTH}`,
  ).pluck()
  const before = prepared<unknown[], string>(
    db,
    `select sentence ${inConversation} and (moment, file, position) < (?, ?, ?)
     order by moment desc, file desc, position desc limit ${CONTEXT_LENGTH}`,
  ).pluck()
  const beside = <T>(statement: { all(...values: unknown[]): T[] }, row: number): T[] => {
    const place = placeOf.get(row)
    return place === undefined ? [] : statement.all(...place)
  }
  return { after: (row) => beside(after, row), before: (row) => beside(before, row) }
}

/** The row of the searchable record right before another one in its conversation; its place is bound, as above. */
export function rowBefore(db: Connection): (row: number) => number | undefined {
  const placeOf = prepared<[number], Place>(db, PLACE_OF_ROW).raw()
  const find = prepared<unknown[], number>(
    db,
    `select row from memories indexed by memories_by_conversation where ${SEARCHABLE} and conversation_id = ?
       and (moment, file, position) < (?, ?, ?) order by moment desc, file desc, position desc limit 1`,
  ).pluck()
  return (row) => {
    const place = placeOf.get(row)
    return place === undefined ? undefined : find.get(...place)
  }
}

type OrderedSource = WordSource & { readonly moment: number; readonly file: string; readonly position: number }

/** Where a walk through all records stands: conversation by conversation, those without one last. */
export interface WalkPlace {
  readonly last?: OrderedSource
  /** Body texts of the records before, of the same conversation, the nearest first. */
  readonly context: readonly string[]
}

export const WALK_START: WalkPlace = { context: [] }

/**
 * The expected words of the next up to `limit` searchable records, in order: each conversation is read once, so that
 * building and validating cost one analysis a record. Undefined at the end.
 */
export function walkWords(
  db: Connection,
  place: WalkPlace,
  limit: number,
):
  | { readonly rows: { row: number; columns: [string, string, string, string] }[]; readonly next: WalkPlace }
  | undefined {
  const sources = nextSources(db, place.last, limit)
  if (sources.length === 0) return undefined
  let [context, last] = [place.context, place.last]
  const rows = sources.map((source) => {
    if (source.conversation_id === null || source.conversation_id !== last?.conversation_id) context = []
    const body = bodyText(source.sentence)
    const [before1 = '', before2 = ''] = context
    context = [body, ...context].slice(0, CONTEXT_LENGTH)
    last = source
    return { row: source.row, columns: [body, before1, before2, tagText(source)] as [string, string, string, string] }
  })
  return { rows, next: { context, ...(last === undefined ? {} : { last }) } }
}

function nextSources(db: Connection, last: OrderedSource | undefined, limit: number): OrderedSource[] {
  const columns = `select ${WORD_SOURCE_COLUMNS}, moment, file, position from memories`
  const order = 'order by conversation_id, moment, file, position limit ?'
  if (last === undefined || last.conversation_id !== null) {
    const { conversation_id = '', moment = 0, file = '', position = 0 } = last ?? {}
    const found = prepared<unknown[], OrderedSource>(
      db,
      `${columns} indexed by memories_by_conversation where ${SEARCHABLE} ${
        last === undefined ? '' : 'and (conversation_id, moment, file, position) > (?, ?, ?, ?)'
      } ${order}`,
    ).all(...(last === undefined ? [] : [conversation_id, moment, file, position]), limit)
    if (found.length > 0) return found
  }
  const from = last === undefined || last.conversation_id !== null ? -1 : last.row
  return prepared<unknown[], OrderedSource>(
    db,
    `${columns} where row > ? and is_searchable = 1 and conversation_id is null order by row limit ?`,
  ).all(from, limit)
}
