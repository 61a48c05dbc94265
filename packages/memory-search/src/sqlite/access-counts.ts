import type { Connection } from './connection.js'
import { prepared } from './statements.js'

/**
 * Counts an access for each mention of a memory (REC-13); ids that no memory has are left out. Nothing that answers a query
 * reads it.
 * @param at  epoch milliseconds
 */
export function countAccesses(db: Connection, ids: readonly string[], at: number): void {
  prepared<[number, string], unknown>(
    db,
    `insert into access_counts (memory_id, count, last_at)
       select value, count(*), ? from json_each(?) where exists (select 1 from memories where id = value) group by value
       on conflict do update set count = count + excluded.count, last_at = excluded.last_at`,
  ).run(at, JSON.stringify(ids))
}
