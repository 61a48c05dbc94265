import type { IndexedMemory } from '../types.js'
import { AS_OF_COLUMNS, LIVE_AS_OF, spelledInstant, toMemoryAsOf, type RowAsOf } from './as-of.js'
import type { Connection } from './connection.js'
import { ROW_COLUMNS, toIndexedMemory, type MemoryRow } from './memory-rows.js'
import { prepared } from './statements.js'

/** A memory and where it stands among others: the newest recorded first, ties by id. */
export interface StandingRow {
  readonly row: number
  readonly recorded_at: string
  readonly id: string
}

/** Rows of a table that names memories by row, recording and id, in the order of one of its indexes. */
export interface Walk {
  readonly table: 'memory_labels' | 'entity_memories'
  /** SQL over the columns of the table, with named parameters. */
  readonly where: string
  readonly values: Readonly<Record<string, string | number>>
}

/** Which of them count: SQL over the columns of `memories`. As of an instant it may use `@asOf`. */
export interface Wanted {
  readonly condition: string
  readonly limit: number
  readonly asOf?: string
}

/** The instant that is asked about, as rows spell theirs; absent means now. @throws {RangeError} it is no number */
export const askedInstant = (asOf: number | undefined): { asOf?: string } =>
  asOf === undefined ? {} : { asOf: spelledInstant(asOf) }

/** Live: as of an instant, else now. */
export const liveAt = ({ asOf }: { readonly asOf?: string }): string =>
  asOf === undefined ? 'is_searchable = 1' : LIVE_AS_OF

/**
 * The newest memories of several walks, each once. Every walk stops after `limit` of those that count, so the cost is that
 * of the limit and of the rows that do not count among the newest, not of all that there are.
 */
export function newestOf(db: Connection, walks: readonly Walk[], wanted: Wanted): IndexedMemory[] {
  const rows = new Map(walks.flatMap((walk) => rowsOf(db, walk, wanted)).map((row) => [row.row, row]))
  return readRows(db, [...rows.values()].sort(byNewest).slice(0, wanted.limit), wanted)
}

function rowsOf(db: Connection, { table, where, values }: Walk, { condition, limit, asOf }: Wanted): StandingRow[] {
  return prepared<[Record<string, string | number>], StandingRow>(
    db,
    `select distinct row, recorded_at, id from ${table} as walked
       where ${where} ${asOf === undefined ? '' : 'and recorded_at <= @asOf'}
         and exists (select 1 from memories where memories.row = walked.row and ${condition})
       order by recorded_at desc, id limit @limit`,
  ).all({ ...values, limit, ...(asOf === undefined ? {} : { asOf }) })
}

const byNewest = (one: StandingRow, other: StandingRow): number => {
  if (one.recorded_at !== other.recorded_at) return one.recorded_at > other.recorded_at ? -1 : 1
  return one.id < other.id ? -1 : 1
}

function readRows(db: Connection, rows: readonly StandingRow[], { asOf }: Wanted): IndexedMemory[] {
  if (asOf === undefined) {
    const select = prepared<[number], MemoryRow>(db, `select ${ROW_COLUMNS} from memories where row = ?`)
    return rows.flatMap(({ row }) => select.all(row)).map(toIndexedMemory)
  }
  const select = prepared<[{ row: number; asOf: string }], RowAsOf>(
    db,
    `select ${ROW_COLUMNS}, ${AS_OF_COLUMNS} from memories where row = @row`,
  )
  return rows.flatMap(({ row }) => select.all({ row, asOf })).map(toMemoryAsOf)
}
