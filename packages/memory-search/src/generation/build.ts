import { layout } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { ANALYZER } from '../query/analyzer.js'
import { connectBuilder, type Connection } from '../sqlite/connection.js'
import { migrate, SCHEMA_VERSION } from '../sqlite/schema.js'
import { onIndex, onIndexAsync } from '../sqlite/sqlite-error.js'
import type { OpenWritableIndexOptions, RebuildReport } from '../types.js'
import { writeDatabaseIdentity } from './database-identity.js'
import {
  createDatabaseFile,
  discardGeneration,
  makeGenerationDirectory,
  newGenerationName,
  removeOtherGenerations,
  syncGeneration,
} from './directories.js'
import { fillDatabase } from './fill.js'
import { MANIFEST_VERSION, publishManifest } from './manifest.js'
import { validateDatabase } from './validate.js'

export interface BuildOptions extends OpenWritableIndexOptions {
  /** Day files read so far, and all of them. */
  readonly onProgress?: (done: number, total: number) => void
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const yieldOf = (options: Pick<BuildOptions, 'yieldTurn'>): (() => Promise<void>) =>
  options.yieldTurn ?? nextTurn

/**
 * Builds a new generation from the day files beside the active one, proves it, makes it durable and switches to it by
 * publishing the manifest (OPS-1, OPS-2). Until that rename the active generation stays in place whatever happens; after
 * it, older generations are removed. Needs the writer lease and no open `SearchIndex` of this root.
 * @throws {SearchError} source_changed and what `validateDatabase` finds: the former index stays  @throws {StoreError}
 */
export async function buildIndex(options: BuildOptions): Promise<RebuildReport> {
  const { fs, root, lease, identity, now } = options
  lease.assertHeld()
  const generation = newGenerationName(fs, root, lease)
  makeGenerationDirectory(fs, root, generation)
  let built: Pick<RebuildReport, 'indexed' | 'skipped'>
  try {
    built = await buildDatabase(options, generation)
    await syncGeneration(fs, root, generation)
  } catch (error) {
    discardGeneration(fs, root, generation)
    throw error
  }
  // Not discarded if this fails: the manifest may be there all the same.
  await publishManifest(fs, lease, root, {
    version: MANIFEST_VERSION,
    generation,
    identity: { ...identity },
    analyzer: ANALYZER,
    schemaVersion: SCHEMA_VERSION,
    createdAt: new Date(now()).toISOString(),
  })
  removeOtherGenerations(fs, root, generation)
  return { generation, ...built }
}

async function buildDatabase(
  options: BuildOptions,
  generation: string,
): Promise<Pick<RebuildReport, 'indexed' | 'skipped'>> {
  const { fs, root, now, onProgress = () => undefined } = options
  const path = join(root, layout.database(generation))
  const yieldTurn = yieldOf(options)
  createDatabaseFile(fs, path)
  const db = onIndex(() => connectBuilder(path))
  try {
    return await onIndexAsync(async () => {
      migrate(db)
      writeDatabaseIdentity(db, { generation, analyzer: ANALYZER })
      const skipped = await fillDatabase(db, { root, fs, now, yieldTurn, onProgress })
      await validateDatabase(db, { root, fs, yieldTurn })
      return { indexed: countMemories(db), skipped }
    })
  } finally {
    db.close()
  }
}

const countMemories = (db: Connection): number =>
  db.prepare<[], number>('select count(*) from memories where is_duplicate = 0').pluck().get() ?? 0
