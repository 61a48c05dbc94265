import type { GraphLine, GraphState, ReplayEntry, ReplayState } from '@mono-agent/memory-store'
import type { AuthorityGroup } from '../canonical/authority-files.js'
import { nameKey } from '../query/name-tokens.js'
import type { Connection } from './connection.js'
import { prepared } from './statements.js'

type Row = readonly (string | number | null)[]

/** Tables of each group, with their columns in order. */
export const AUTHORITY_TABLES = {
  graph: {
    entities: ['id', 'name', 'type', 'summary', 'created_at', 'name_key'],
    relations: ['src', 'relation', 'dst', 'valid_from', 'valid_to', 'created_at'],
    relation_support: ['src', 'relation', 'dst', 'valid_from', 'valid_to', 'memory_id'],
    associations: ['entity_id', 'memory_id', 'provenance', 'created_at'],
  },
  replay: {
    thread_edges: ['from_id', 'to_id', 'weight', 'at', 'authority_kind', 'authority_digest'],
    supersessions: ['id', 'by_id', 'at', 'authority_kind', 'authority_digest'],
    terminals: ['id', 'at', 'authority_kind', 'authority_digest'],
  },
} as const satisfies Record<AuthorityGroup, Record<string, readonly string[]>>

export type AuthorityTable = keyof (typeof AUTHORITY_TABLES)['graph'] | keyof (typeof AUTHORITY_TABLES)['replay']

/** A row and the table it belongs to. */
export interface AuthorityRow {
  readonly table: AuthorityTable
  readonly values: Row
}

const row = (table: AuthorityTable, ...values: Row): AuthorityRow => ({ table, values })

/** One line as rows. An open end of validity is an empty text, so that it can be part of a key. */
function rowsOfLine(line: GraphLine): AuthorityRow[] {
  if (line.kind === 'entity') {
    return [row('entities', line.id, line.name, line.type, line.summary ?? null, line.createdAt, nameKey(line.name))]
  }
  if (line.kind === 'association') {
    return [row('associations', line.entityId, line.memoryId, line.provenance, line.createdAt)]
  }
  const key = [line.src, line.relation, line.dst, line.validFrom ?? '', line.validTo ?? ''] as const
  return [
    row('relations', ...key, line.createdAt),
    ...line.support.map((memoryId) => row('relation_support', ...key, memoryId)),
  ]
}

function rowOfEntry(entry: ReplayEntry): AuthorityRow {
  const rest = [entry.at, entry.authority.kind, entry.authority.digest] as const
  if (entry.kind === 'thread') return row('thread_edges', entry.from, entry.to, entry.weight, ...rest)
  if (entry.kind === 'supersede') return row('supersessions', entry.id, entry.by, ...rest)
  return row('terminals', entry.id, ...rest)
}

/** The rows of a folded graph. */
export const graphRows = (state: GraphState): AuthorityRow[] =>
  [...state.entities.values(), ...state.relations(), ...state.associations()].flatMap(rowsOfLine)

/** The rows of a folded replay authority. */
export const replayRows = (state: ReplayState): AuthorityRow[] => [...state.entries()].map(rowOfEntry)

const columnsOf = (table: AuthorityTable): readonly string[] =>
  ({ ...AUTHORITY_TABLES.graph, ...AUTHORITY_TABLES.replay })[table]

function insertRows(db: Connection, rows: Iterable<AuthorityRow>, onConflict: string): void {
  for (const { table, values } of rows) {
    const columns = columnsOf(table)
    const conflict = table === 'entities' ? onConflict : onConflict === '' ? '' : 'on conflict do nothing'
    prepared<unknown[], unknown>(
      db,
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')}) ${conflict}`,
    ).run(...values)
  }
}

/** Folds further lines and entries into the rows, as FMT-7 and FMT-8 fold them after what is there already. */
export function addAuthority(db: Connection, graph: readonly GraphLine[], replay: readonly ReplayEntry[]): void {
  // The newest line of an entity says what it is, the oldest since when it is known; of all else the oldest counts.
  const newest =
    'on conflict do update set name = excluded.name, type = excluded.type, summary = excluded.summary, ' +
    'name_key = excluded.name_key'
  insertRows(db, [...graph.flatMap(rowsOfLine), ...replay.map(rowOfEntry)], newest)
}

const tablesOf = (group: AuthorityGroup): string[] => Object.keys(AUTHORITY_TABLES[group])

/** Puts these rows in the place of all that the index has of a group. */
export function replaceAuthority(db: Connection, group: AuthorityGroup, rows: Iterable<AuthorityRow>): void {
  for (const table of tablesOf(group)) prepared(db, `delete from ${table}`).run()
  insertRows(db, rows, '')
}

export const holdsRows = (db: Connection, group: AuthorityGroup): boolean =>
  tablesOf(group).some((table) => prepared(db, `select 1 from ${table} limit 1`).get() !== undefined)

/** Whether the rows of a group are exactly these: none missing, none more, no value another one (FMT-8). */
export function equalsAuthority(db: Connection, group: AuthorityGroup, expected: readonly AuthorityRow[]): boolean {
  const keyOf = (table: string, values: Row): string => JSON.stringify([table, ...values])
  const missing = new Set(expected.map(({ table, values }) => keyOf(table, values)))
  const tables: Readonly<Record<string, readonly string[]>> = AUTHORITY_TABLES[group]
  for (const [table, columns] of Object.entries(tables)) {
    const rows = prepared<[], Row>(db, `select ${columns.join(', ')} from ${table}`)
      .raw()
      .iterate()
    for (const values of rows) if (!missing.delete(keyOf(table, values))) return false
  }
  return missing.size === 0
}
