import { sameIdentity, type FileSystem, listDayFiles } from '@mono-agent/memory-store'
import { requireAuthority } from '../authority-drift.js'
import type { AuthorityPlace } from '../canonical/authority-files.js'
import { readDaySource } from '../canonical/day-sources.js'
import { searchError } from '../errors.js'
import { connectMemory, type Connection } from '../sqlite/connection.js'
import { recordedFiles } from '../sqlite/file-table.js'
import { rowValues, valuesOfFile } from '../sqlite/memory-rows.js'
import { migrate, SCHEMA_VERSION, schemaVersionOf } from '../sqlite/schema.js'
import { expectedWords } from './expected-words.js'
import { SLICE } from './fill.js'
import { requireIntegrity } from './integrity.js'
import { validateVectors } from './validate-vectors.js'

export interface ValidateOptions {
  readonly root: string
  readonly fs: FileSystem
  readonly yieldTurn: () => Promise<void>
  /** A file that is no longer what was recorded of it is left to the catch-up that follows, instead of being a fault. */
  readonly mayBeEdited?: boolean
  /** Where graph and replay authority are; bujo. An index of another tier holds nothing of them. */
  readonly place?: AuthorityPlace | undefined
}

/** Every object of a schema with the statement that made it. */
export const schemaObjects = (db: Connection): unknown[] =>
  db.prepare('select type, name, tbl_name, sql from sqlite_schema order by type, name').all()

let fresh: string | undefined

function freshSchema(): string {
  if (fresh !== undefined) return fresh
  const db = connectMemory()
  try {
    migrate(db)
    fresh = JSON.stringify(schemaObjects(db))
    return fresh
  } finally {
    db.close()
  }
}

/**
 * Proves a database before it is switched to (OPS-1): its schema is that of a fresh one; every row is, field by field,
 * what its file parses to now, and no other row is there, and so for graph and lifecycle, and for what is derived from them;
 * every searchable record has exactly its words, and its vector or a place in the backlog; FTS5 and SQLite find their own
 * structures whole. In slices, and what cannot be sliced in another thread.
 * @throws {SearchError} source_changed, canonical_mismatch, metadata_mismatch, fts_mismatch, sqlite_integrity_failed
 */
export async function validateDatabase(db: Connection, options: ValidateOptions): Promise<void> {
  if (schemaVersionOf(db) !== SCHEMA_VERSION || JSON.stringify(schemaObjects(db)) !== freshSchema()) {
    throw searchError('metadata_mismatch', 'schema')
  }
  await validateRows(db, options)
  await validateDerived(db, options.yieldTurn)
  requireAuthority(db, options.place)
  const words = await expectedWords(db, options.yieldTurn)
  await validateVectors(db, options.yieldTurn)
  await requireIntegrity(db, words)
}

async function validateRows(db: Connection, options: ValidateOptions): Promise<void> {
  const { fs, root, yieldTurn, mayBeEdited = false } = options
  const recorded = recordedFiles(db)
  const paths = listDayFiles(fs, root)
  if (paths.length !== recorded.size && !mayBeEdited) throw searchError('source_changed', 'day files came or went')
  let rows = 0
  for (const path of mayBeEdited ? recorded.keys() : paths) {
    const source = readDaySource(fs, root, path)
    const record = recorded.get(path)
    if (!sameIdentity(source?.identity, record?.identity) || source?.digest !== record?.digest) {
      if (!mayBeEdited) throw searchError('source_changed', path)
      rows += valuesOfFile(db, path).length
      continue
    }
    const values = valuesOfFile(db, path)
    const bullets = source?.document.bullets ?? []
    if (values.length !== bullets.length) throw searchError('canonical_mismatch', path)
    for (const [position, bullet] of bullets.entries()) {
      const expected = rowValues({ bullet, file: path, position })
      if (expected.some((value, at) => value !== values[position]?.[at])) throw searchError('canonical_mismatch', path)
      if (position % SLICE === SLICE - 1) await yieldTurn()
    }
    rows += bullets.length
    await yieldTurn()
  }
  const count = (where: string): unknown => db.prepare(`select count(${where}) from memories`).pluck().get()
  const counted = db.prepare('select count(*) from memories where is_duplicate = 0').pluck().get()
  if (count('*') !== rows || count('distinct id') !== counted) throw searchError('canonical_mismatch', 'rows')
}

/** Rows of which is compared what was derived from them between two yields: about ten milliseconds. */
const DERIVED_ROWS = 2_000

/** Tables that triggers keep, and the views of what they must hold. */
const DERIVED = [
  { what: 'facts', table: 'memory_facts', view: 'facts_of_labels', columns: 'fact_key, row' },
  {
    what: 'labels',
    table: 'memory_labels',
    view: 'labels_of_memories',
    columns: 'row, kind, scope, entity_id, has_key, recorded_at, id',
  },
  {
    what: 'memories of entities',
    table: 'entity_memories',
    view: 'memories_of_entities',
    columns: 'entity_id, row, recorded_at, id',
  },
] as const

/** A row for each that labels and graph make, and no other. */
async function validateDerived(db: Connection, yieldTurn: () => Promise<void>): Promise<void> {
  for (const { what, table, view, columns } of DERIVED) {
    const last = db.prepare(`select max(row) from memories union all select max(row) from ${table}`).pluck().all()
    const within = (source: string): string => `select ${columns} from ${source} where row between @from and @to`
    const differences = [
      [table, view],
      [view, table],
    ].map(([one = '', other = '']) => db.prepare(`${within(one)} except ${within(other)} limit 1`))
    for (let from = 0; from <= Math.max(...last.map(Number)); from += DERIVED_ROWS) {
      const range = { from, to: from + DERIVED_ROWS - 1 }
      if (differences.some((select) => select.get(range) !== undefined)) throw searchError('canonical_mismatch', what)
      await yieldTurn()
    }
  }
}
