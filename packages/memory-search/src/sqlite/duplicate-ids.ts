import type { Connection } from './connection.js'
import { prepared } from './statements.js'

/**
 * Says which of the rows that carry one id counts, and which are searchable (FMT-4: the first by day and line; REC-2:
 * dropped and invalidated never). Rows of later copies stay, so that one of them counts once the first is gone.
 */
export function duplicateResolver(db: Connection): (ids: Iterable<string>) => void {
  const ranked = `select row, row_number() over (partition by id order by substr(file, -13), file, position) as place
    from memories where id = ?`
  const resolve = prepared<unknown[], unknown>(
    db,
    `update memories set is_duplicate = place > 1,
       is_searchable = place = 1 and status not in ('dropped', 'invalidated')
     from (${ranked}) as ranking where memories.row = ranking.row`,
  )
  return (ids) => {
    for (const id of new Set(ids)) resolve.run(id)
  }
}
