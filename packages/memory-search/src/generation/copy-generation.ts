import { layout, type FileSystem, type WriterLease } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { searchError } from '../errors.js'
import { connectBuilder, connectReader, type Connection } from '../sqlite/connection.js'
import { onIndex, onIndexAsync } from '../sqlite/sqlite-error.js'
import { databaseIdentityOf, renameDatabase, requireDatabaseIdentity } from './database-identity.js'
import {
  createDatabaseFile,
  discardGeneration,
  hasDatabase,
  makeGenerationDirectory,
  newGenerationName,
  syncGeneration,
} from './directories.js'
import type { Manifest } from './manifest.js'

export interface GenerationPlace {
  readonly root: string
  readonly fs: FileSystem
  readonly lease: WriterLease
  /** The manifest in force. */
  readonly present: Manifest
}

/**
 * Copies a generation page by page, as SQLite sees it with its log (its online backup), into a new one that nobody names
 * yet, and has the copy examined. When it resolves the copy is closed and durable; if it fails nothing is left of it.
 * @param from  what the manifest says of the generation
 * @param examine  may use the copy as it likes; what it throws fails the copy
 * @throws {SearchError} database_missing, metadata_mismatch, index_newer, index_obstructed, sqlite_integrity_failed: what is
 *   to be copied cannot be read; index_failed, index_busy  @throws {StoreError}
 */
export async function copyGeneration<T>(
  { root, fs, lease, present }: GenerationPlace,
  from: Pick<Manifest, 'generation' | 'analyzer' | 'identity'>,
  examine: (copy: Connection) => Promise<T>,
): Promise<{ readonly generation: string; readonly examined: T }> {
  if (!hasDatabase(fs, root, from.generation)) throw searchError('database_missing')
  const generation = newGenerationName(fs, root, lease, present)
  try {
    makeGenerationDirectory(fs, root, generation)
    const path = join(root, layout.database(generation))
    createDatabaseFile(fs, path)
    await backUp(join(root, layout.database(from.generation)), from, path)
    const copy = onIndex(() => connectBuilder(path))
    let examined: T
    try {
      examined = await onIndexAsync(() => {
        renameDatabase(copy, generation)
        return examine(copy)
      })
    } finally {
      copy.close()
    }
    await syncGeneration(fs, root, generation)
    return { generation, examined }
  } catch (error) {
    discardGeneration(fs, root, generation)
    throw error
  }
}

/** In steps of 100 pages, between which the event loop goes on. */
async function backUp(source: string, from: Pick<Manifest, 'generation' | 'analyzer' | 'identity'>, target: string) {
  const db = onIndex(() => connectReader(source))
  try {
    onIndex(() => requireDatabaseIdentity(db, databaseIdentityOf(from)))
    await onIndexAsync(() => db.backup(target))
  } finally {
    db.close()
  }
}
