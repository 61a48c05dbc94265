import type { Connection } from './connection.js'
import { prepared } from './statements.js'

/**
 * Counts one access of each of these memories, once each (REC-13); ids that no memory has are left out. Nothing that
 * answers a query reads it.
 * @param at  epoch milliseconds
 */
export function countAccesses(db: Connection, ids: readonly string[], at: number): void {
  prepared<[number, string], unknown>(
    db,
    `insert into access_counts (memory_id, count, last_at)
       select distinct value, 1, ? from json_each(?) where exists (select 1 from memories where id = value)
       on conflict do update set count = count + 1, last_at = excluded.last_at`,
  ).run(at, JSON.stringify(ids))
}
