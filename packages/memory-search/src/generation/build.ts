import { layout } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { authorityPlaceOf, fillAuthority } from '../authority-drift.js'
import type { Calibration } from '../calibration/calibration.js'
import type { EmbeddingProvider } from '../embedding/embedding-provider.js'
import { SearchError } from '../errors.js'
import { ANALYZER } from '../query/analyzer.js'
import { connectBuilder, loadVectorFunctions, type Connection } from '../sqlite/connection.js'
import { countMemories } from '../sqlite/memory-rows.js'
import { migrate, SCHEMA_VERSION } from '../sqlite/schema.js'
import { onIndex, onIndexAsync } from '../sqlite/sqlite-error.js'
import type { KeptIndex, OpenWritableIndexOptions, RebuildReport } from '../types.js'
import { databaseIdentityOf, writeDatabaseIdentity } from './database-identity.js'
import {
  createDatabaseFile,
  discardGeneration,
  makeGenerationDirectory,
  newGenerationName,
  removeOtherGenerations,
  syncGeneration,
} from './directories.js'
import { fillDatabase } from './fill.js'
import { fillVectors, type VectorCounts } from './fill-vectors.js'
import { loadManifest, MANIFEST_VERSION, publishManifest, type Manifest, type PreviousIndex } from './manifest.js'
import { keepOutgoing, provenContent, stillKept, type ProvenContent } from './previous.js'
import { validateDatabase } from './validate.js'
import { removeVectorStaging } from './vector-staging.js'

export interface BuildOptions extends OpenWritableIndexOptions {
  /** Day files read so far, and all of them. */
  readonly onProgress?: (done: number, total: number) => void
  /** A catch-up follows at once, so a person may go on editing: without it a busy editor could keep a build from ending. */
  readonly mayBeEdited?: boolean
  /** In tiers with embeddings: where vectors come from that cannot be carried over. Without it those memories wait. */
  readonly vectors?: BuildVectors
}

export interface BuildVectors {
  readonly embed: EmbeddingProvider
  /** Gives the calibration of the model where the former index has none of this fingerprint (SEA-15). */
  readonly calibrate: () => Promise<Calibration>
  readonly signal?: AbortSignal
  /** Memories that have their vector, and all. */
  readonly onProgress?: (done: number, total: number) => void
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export const yieldOf = (options: Pick<BuildOptions, 'yieldTurn'>): (() => Promise<void>) =>
  options.yieldTurn ?? nextTurn

/**
 * Builds a new generation from the day files beside the active one, proves it, makes it durable and switches to it by
 * publishing the manifest (OPS-1, OPS-2), which also names a copy of the outgoing one (OPS-3). Until that rename the active
 * generation stays in place whatever happens; after it, older generations are removed. Needs the writer lease and no open `SearchIndex` of this root.
 * @throws {SearchError} source_changed and what `validateDatabase` finds: the former index stays  @throws {StoreError}
 */
export async function buildIndex(options: BuildOptions): Promise<RebuildReport> {
  const { fs, root, lease, identity, now } = options
  lease.assertHeld()
  const former = formerManifest(options)
  // Builds that were killed leave theirs, and this one may be killed as well: the disk must not fill with them.
  if (former !== undefined) removeOtherGenerations(fs, root, former)
  const generation = newGenerationName(fs, root, lease, former)
  makeGenerationDirectory(fs, root, generation)
  let built: Built
  let previous: PreviousIndex | undefined
  try {
    built = await buildDatabase(options, generation, former)
    await syncGeneration(fs, root, generation)
    previous = await keepFormer(options, former, built.content)
  } catch (error) {
    discardGeneration(fs, root, generation)
    throw error
  }
  const manifest: Manifest = {
    version: MANIFEST_VERSION,
    generation,
    identity: { ...identity },
    analyzer: ANALYZER,
    schemaVersion: SCHEMA_VERSION,
    createdAt: new Date(now()).toISOString(),
    ...(built.calibration === undefined ? {} : { calibration: built.calibration }),
    ...(previous === undefined ? {} : { previous }),
  }
  // Nothing is discarded if this fails: the manifest may be there all the same.
  await publishManifest(fs, lease, root, manifest)
  removeOtherGenerations(fs, root, manifest)
  removeVectorStaging(fs, root)
  return { generation, ...built.report, ...keptOf(previous) }
}

/** The former index, kept. One that cannot be read leaves what was kept before it in its place. */
async function keepFormer(
  options: BuildOptions,
  former: Manifest | undefined,
  content: ProvenContent,
): Promise<PreviousIndex | undefined> {
  if (former === undefined) return undefined
  const { root, fs, lease } = options
  const place = { root, fs, lease, present: former, yieldTurn: yieldOf(options) }
  return (await keepOutgoing(place, content)) ?? stillKept(place)
}

/** For reports. */
export const keptOf = (previous: PreviousIndex | undefined): { previous?: KeptIndex } =>
  previous === undefined ? {} : { previous: { identity: previous.identity, isOffered: previous.isOffered } }

/** What the present manifest says; one that cannot be read is about to be replaced. */
function formerManifest({ fs, root }: BuildOptions): Manifest | undefined {
  try {
    return loadManifest(fs, root)
  } catch (error) {
    if (error instanceof SearchError && error.code === 'manifest_invalid') return undefined
    throw error
  }
}

interface Built {
  readonly report: Omit<RebuildReport, 'generation'>
  readonly calibration?: Calibration
  readonly content: ProvenContent
}

async function buildDatabase(options: BuildOptions, generation: string, former: Manifest | undefined): Promise<Built> {
  const { fs, root, now, identity, mayBeEdited = false, onProgress = () => undefined } = options
  const path = join(root, layout.database(generation))
  const yieldTurn = yieldOf(options)
  createDatabaseFile(fs, path)
  const db = onIndex(() => connectBuilder(path, identity.dimension !== undefined))
  try {
    return await onIndexAsync(async () => {
      migrate(db)
      writeDatabaseIdentity(db, databaseIdentityOf({ generation, analyzer: ANALYZER, identity }))
      const skipped = await fillDatabase(db, { root, fs, now, yieldTurn, onProgress, mayBeEdited })
      const place = authorityPlaceOf(options)
      if (place !== undefined) fillAuthority(db, place, now())
      const vectors = await buildVectors(db, options, former)
      await validateDatabase(db, { root, fs, yieldTurn, mayBeEdited, place })
      return {
        content: await provenContent(db, yieldTurn),
        report: { indexed: countMemories(db), skipped, ...(vectors === undefined ? {} : { vectors: vectors.counts }) },
        ...(vectors?.calibration === undefined ? {} : { calibration: vectors.calibration }),
      }
    })
  } finally {
    db.close()
  }
}

/** Nothing in lite, which has neither. */
async function buildVectors(
  db: Connection,
  options: BuildOptions,
  former: Manifest | undefined,
): Promise<{ readonly counts: VectorCounts; readonly calibration: Calibration | undefined } | undefined> {
  const { root, fs, identity, vectors } = options
  const { fingerprint, dimension } = identity
  if (fingerprint === undefined || dimension === undefined) return undefined
  loadVectorFunctions(db)
  const counts = await fillVectors(db, {
    root,
    fs,
    fingerprint,
    former,
    embed: vectors?.embed,
    ...(vectors?.signal === undefined ? {} : { signal: vectors.signal }),
    yieldTurn: yieldOf(options),
    onProgress: vectors?.onProgress ?? (() => undefined),
  })
  const known = [former, former?.previous].find((index) => index?.identity.fingerprint === fingerprint)?.calibration
  return { counts, calibration: known ?? (await vectors?.calibrate()) }
}
