import type { ChronologyRecord, IndexReader } from '../types.js'
import type { Connection } from './connection.js'
import { ROW_COLUMNS, toIndexedMemory, type MemoryRow } from './memory-rows.js'
import { prepared } from './statements.js'

/**
 * Records of a half-open range of time in order of moment and id, after a place, at most `limit`: whatever their state, but
 * nothing that was dropped (REC-24). The cost is that of the limit, wherever in the range the place is.
 * @throws {RangeError} an end of the range or the place is no number
 */
export function chronologyOf(
  db: Connection,
  { from, before, after }: Parameters<IndexReader['chronology']>[0],
  limit: number,
): ChronologyRecord[] {
  if ([from, before, after?.moment ?? 0].some(Number.isNaN)) {
    throw new RangeError('A range of time is given in epoch milliseconds.')
  }
  // The later of the two bounds alone: with both SQLite would begin at the earlier one.
  const isContinued = after !== undefined && after.moment >= from
  const start = isContinued ? '(moment, id) > (@moment, @id)' : 'moment >= @from'
  return prepared<[object], MemoryRow & { readonly moment: number }>(
    db,
    `select ${ROW_COLUMNS}, moment from memories
       where is_duplicate = 0 and status <> 'dropped' and ${start} and moment < @before order by moment, id limit @limit`,
  )
    .all({ before, limit, ...(isContinued ? after : { from }) })
    .map((row) => ({ moment: row.moment, memory: toIndexedMemory(row) }))
}
