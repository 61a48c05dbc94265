import { layout } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { searchError } from './errors.js'
import { databaseIdentityOf, requireDatabaseIdentity } from './generation/database-identity.js'
import { hasDatabase } from './generation/directories.js'
import { requireIdentity } from './generation/identity.js'
import { loadManifest } from './generation/manifest.js'
import { connectReader, type Connection } from './sqlite/connection.js'
import { onIndex } from './sqlite/sqlite-error.js'
import { fromBlob } from './sqlite/vector-rows.js'
import type { OpenIndexOptions } from './types.js'

/** The vectors of one index, for whoever measures them (OPS-18). Close it when done. */
export interface StoreVectors {
  /** One vector for each content, in the order of recording; at most `limit` of them, spread evenly over all. */
  sample(limit: number): Float32Array[]
  close(): void
}

/**
 * Opens the vectors of the active index for reading, beside a writer or not.
 * @throws {SearchError} manifest_missing, configured_identity_mismatch, database_missing, metadata_mismatch, index_failed
 */
export function openStoreVectors({ fs, root, identity }: Omit<OpenIndexOptions, 'now'>): StoreVectors {
  const manifest = loadManifest(fs, root)
  if (manifest === undefined) throw searchError('manifest_missing')
  requireIdentity(manifest.identity, identity)
  if (!hasDatabase(fs, root, manifest.generation)) throw searchError('database_missing')
  const db = onIndex(() => connectReader(join(root, layout.database(manifest.generation))))
  try {
    onIndex(() => requireDatabaseIdentity(db, databaseIdentityOf(manifest)))
  } catch (error) {
    db.close()
    throw error
  }
  return {
    sample: (limit) => onIndex(() => sampleVectors(db, limit)),
    close: () => void db.close(),
  }
}

/** The first row of each content stands for it: a memory that was stored twice would be its own neighbour at 1. */
function sampleVectors(db: Connection, limit: number): Float32Array[] {
  const rows = db
    .prepare<[], number>(
      // Those with a vector, without a look at the vectors.
      `select min(row) as first from memories
         where is_searchable = 1 and row not in (select row from vector_backlog) group by content_hash order by first`,
    )
    .pluck()
    .all()
  const count = Math.min(limit, rows.length)
  const vector = db.prepare<[number], Buffer>('select vector from memory_vectors where row = ?').pluck()
  return Array.from({ length: count }, (_, at) => rows[Math.floor((at * rows.length) / count)] as number).flatMap(
    (row) => {
      const blob = vector.get(row) // gone if a writer took it away meanwhile
      return blob === undefined ? [] : [fromBlob(blob)]
    },
  )
}
