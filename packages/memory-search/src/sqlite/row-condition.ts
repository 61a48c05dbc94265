import { logicalConversation } from '@mono-agent/memory-store'
import type { RowFilter } from '../candidates/row-filter.js'
import type { Connection } from './connection.js'
import { prepared } from './statements.js'

/** A part of a `where` clause that may follow others, ` and …`, or nothing; and what it binds. */
export interface RowCondition {
  readonly sql: string
  readonly values: readonly string[]
}

/**
 * A filter as SQL. What few rows fulfil is written as a set, so that SQLite may begin with it; what most of them fulfil as
 * one look at each.
 * @param row  expression of the row number; a leading `+` keeps SQLite from seeking by it
 */
export function rowCondition(filter: RowFilter | undefined, row: string): RowCondition {
  const { kind, aboutEntities, recordedBy, outsideConversations } = filter ?? {}
  const parts: RowCondition[] = []
  if (kind !== undefined) {
    parts.push({ sql: `${row} in (select memory_labels.row from memory_labels where kind = ?)`, values: [kind] })
  }
  if (aboutEntities !== undefined) {
    parts.push({
      sql: `${row} in (select entity_memories.row from entity_memories
        where entity_id in (select value from json_each(?)))`,
      values: [JSON.stringify(aboutEntities)],
    })
  }
  const looks: RowCondition[] = []
  if (recordedBy !== undefined) looks.push({ sql: 'looked.created_at <= ?', values: [recordedBy] })
  if (outsideConversations !== undefined) {
    looks.push({
      sql: '(looked.conversation_id is null or looked.conversation_id not in (select value from json_each(?)))',
      values: [JSON.stringify(outsideConversations)],
    })
  }
  if (looks.length > 0) {
    parts.push({
      sql: `exists (select 1 from memories as looked where looked.row = ${row} and ${looks.map(({ sql }) => sql).join(' and ')})`,
      values: looks.flatMap(({ values }) => values),
    })
  }
  return { sql: parts.map(({ sql }) => ` and ${sql}`).join(''), values: parts.flatMap(({ values }) => values) }
}

/** Rows about at least one of these entities, by the graph: what `RowFilter.aboutEntities` asks. */
export const rowsAboutEntities = (db: Connection, entityIds: readonly string[]): number[] =>
  prepared<[string], number>(
    db,
    'select distinct row from entity_memories where entity_id in (select value from json_each(?))',
  )
    .pluck()
    .all(JSON.stringify(entityIds))

/** The conversations with records that can be found that are this logical one, all its days (REC-16). */
export function conversationsOf(db: Connection, logical: string): string[] {
  // From the id itself to right after `<id>#…`; what else lies between is sorted out by the one rule of what is a day.
  return prepared<[string, string], string>(
    db,
    `select distinct conversation_id from memories indexed by memories_by_conversation
       where is_searchable = 1 and conversation_id is not null and conversation_id >= ? and conversation_id < ?`,
  )
    .pluck()
    .all(logical, `${logical}$`)
    .filter((id) => logicalConversation(id) === logical)
}
