import type { RowFilter } from '../candidates/row-filter.js'
import { AS_OF_COLUMNS, LIVE_AS_OF, type RowAsOf } from './as-of.js'
import type { Connection } from './connection.js'
import { ROW_COLUMNS } from './memory-rows.js'
import { rowCondition } from './row-condition.js'
import { prepared } from './statements.js'

/** When what was live at `@asOf` ended. */
const ENDED_AT = `case status
    when 'invalidated' then (select at from supersessions where supersessions.id = memories.id)
    else (select at from terminals where terminals.id = memories.id)
  end`

export interface EndedOptions {
  /** An instant as `spelledInstant` writes it. */
  readonly asOf: string
  /** At most; absent: all. */
  readonly limit?: number
  readonly filter?: RowFilter
  readonly conversationId?: string | undefined
}

/**
 * Memories that were live at an instant and cannot be found now (REC-9): tasks that were superseded and what was dropped
 * since. Those that ended soonest after it come first, ties by id. What the index has of their words and vectors is gone.
 */
export function endedRows(
  db: Connection,
  { asOf, limit = -1, filter, conversationId }: EndedOptions, // SQLite: below 0 is no limit
): RowAsOf[] {
  const condition = rowCondition(filter, 'memories.row')
  return prepared<unknown[], RowAsOf>(
    db,
    `select ${ROW_COLUMNS}, ${AS_OF_COLUMNS} from memories
       where id in (select id from supersessions where at > @asOf union select id from terminals where at > @asOf)
         and is_searchable = 0 and ${LIVE_AS_OF}
         ${conversationId === undefined ? '' : 'and conversation_id = ?'}${condition.sql}
       order by ${ENDED_AT}, id limit ?`,
  ).all(...(conversationId === undefined ? [] : [conversationId]), ...condition.values, limit, { asOf })
}

/** Reads memories as they were at an instant, by their row. @param asOf  as `spelledInstant` writes it */
export function readerAsOf(db: Connection, asOf: string): (row: number) => RowAsOf | undefined {
  const select = prepared<unknown[], RowAsOf>(db, `select ${ROW_COLUMNS}, ${AS_OF_COLUMNS} from memories where row = ?`)
  return (row) => select.get(row, { asOf })
}
