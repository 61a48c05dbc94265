import { searchError } from '../errors.js'
import type { Manifest } from './manifest.js'
import type { Connection } from '../sqlite/connection.js'
import { SCHEMA_VERSION, schemaVersionOf } from '../sqlite/schema.js'

/** What a database says of itself: a file put in another's place is noticed. */
export interface DatabaseIdentity {
  readonly generation: string
  readonly analyzer: string
  /** Of the vectors in it; lite has none. */
  readonly dimension?: number
}

/** What the database that a manifest names has to say of itself. */
export const databaseIdentityOf = ({
  generation,
  analyzer,
  identity,
}: Pick<Manifest, 'generation' | 'analyzer' | 'identity'>): DatabaseIdentity => ({
  generation,
  analyzer,
  ...(identity.dimension === undefined ? {} : { dimension: identity.dimension }),
})

const KEYS = ['generation', 'analyzer', 'dimension'] as const

export function writeDatabaseIdentity(db: Connection, identity: DatabaseIdentity): void {
  const insert = db.prepare('insert into index_identity values (?, ?)')
  for (const key of KEYS) if (identity[key] !== undefined) insert.run(key, String(identity[key]))
}

/** A copy is another generation. */
export const renameDatabase = (db: Connection, generation: string): void =>
  void db.prepare(`update index_identity set value = ? where key = 'generation'`).run(generation)

/**
 * @throws {SearchError} metadata_mismatch: not the database of this manifest; index_newer
 * @throws SQLite's own error if the file is no database
 */
export function requireDatabaseIdentity(db: Connection, expected: DatabaseIdentity): void {
  const version = schemaVersionOf(db)
  if (version > SCHEMA_VERSION) throw searchError('index_newer', `schema ${version}, known ${SCHEMA_VERSION}`)
  const table = db.prepare(`select count(*) from sqlite_schema where name = 'index_identity'`).pluck().get()
  if (table !== 1) throw searchError('metadata_mismatch', 'no identity')
  const value = db.prepare<[string], string>('select value from index_identity where key = ?').pluck()
  const different = KEYS.filter((key) => value.get(key) !== expected[key]?.toString())
  if (different.length > 0) throw searchError('metadata_mismatch', `different: ${different.join(', ')}`)
}
