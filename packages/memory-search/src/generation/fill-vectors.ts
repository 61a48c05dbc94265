import { layout, type FileSystem } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { MAX_BATCH } from '../embedding/complete-source.js'
import { embedTexts } from '../embedding/embed-texts.js'
import type { EmbeddingProvider } from '../embedding/embedding-provider.js'
import { SearchError } from '../errors.js'
import { connectReader, type Connection } from '../sqlite/connection.js'
import { onIndex } from '../sqlite/sqlite-error.js'
import {
  countMissingVectors,
  dimensionOf,
  isSoundVector,
  missingVectors,
  queueAllVectors,
  requireSoundVectors,
  vectorOfContent,
  writeVectors,
  type MissingVector,
  type NewVector,
} from '../sqlite/vector-rows.js'
import { databaseIdentityOf, requireDatabaseIdentity } from './database-identity.js'
import { hasDatabase } from './directories.js'
import type { Manifest } from './manifest.js'
import { openVectorStaging, type VectorStaging } from './vector-staging.js'

/** Vectors carried over between two yields: a few milliseconds. */
const CARRY = 200

/** All that a build does is change 0. */
const UNNOTED = (): void => undefined

export interface FillVectorsOptions {
  readonly root: string
  readonly fs: FileSystem
  /** Of the new index. */
  readonly fingerprint: string
  /** Names the index in use and the one kept to go back to: vectors of the same fingerprint are carried over. */
  readonly former: Manifest | undefined
  /** Makes what cannot be carried over; without it those memories wait. */
  readonly embed: EmbeddingProvider | undefined
  readonly signal?: AbortSignal
  readonly yieldTurn: () => Promise<void>
  readonly onProgress: (done: number, total: number) => void
}

/** What a manifest says of one database. */
type NamedIndex = Pick<Manifest, 'generation' | 'analyzer' | 'identity'>

/** How the vectors of a new index came to be. */
export interface VectorCounts {
  readonly carriedOver: number
  readonly embedded: number
  /** Memories whose text the service does not take; they wait, and are found by words. */
  readonly refused?: number
}

/**
 * Gives the rows of a new database their vectors: those of unchanged content from the former index and from a build that
 * was cut, the rest from the embedding service, in bounded batches (OPS-1, OPS-2). A text that the service does not take
 * waits in the new index as it did in the former one: else it would be in the way of every rebuild.
 * @throws {EmbeddingError} the service failed; what it had given is kept for the next build
 */
export async function fillVectors(db: Connection, options: FillVectorsOptions): Promise<VectorCounts> {
  const { root, fs, fingerprint, former, embed, yieldTurn, onProgress } = options
  queueAllVectors(db)
  const total = countMissingVectors(db)
  if (total === 0) return { carriedOver: 0, embedded: 0 }
  for (const index of [former, former?.previous]) {
    if (index?.identity.fingerprint === fingerprint) await carryOverFormer(db, index, options)
  }
  const staging = openVectorStaging(fs, root, fingerprint)
  try {
    await carryOver(db, (hash) => staging.find(hash), yieldTurn)
    const carriedOver = total - countMissingVectors(db)
    onProgress(carriedOver, total)
    if (embed === undefined) return { carriedOver, embedded: 0 }
    await embedMissing(db, staging, embed, options, total)
    const refused = countMissingVectors(db)
    return { carriedOver, embedded: total - carriedOver - refused, ...(refused === 0 ? {} : { refused }) }
  } finally {
    staging.close()
  }
}

/** A rebuild cures an index that is damaged or obstructed: what cannot be read of the former one is made anew. */
async function carryOverFormer(db: Connection, former: NamedIndex, options: FillVectorsOptions): Promise<void> {
  const { root, fs, yieldTurn } = options
  if (unlessDamaged(() => hasDatabase(fs, root, former.generation)) !== true) return
  const source = openFormer(join(root, layout.database(former.generation)), former)
  if (source === undefined) return
  try {
    await carryOver(db, (hash) => unlessDamaged(() => vectorOfContent(source, hash)), yieldTurn)
  } finally {
    source.close()
  }
}

function openFormer(path: string, former: NamedIndex): Connection | undefined {
  const source = connectReader(path)
  const isTheNamedOne = unlessDamaged(() => {
    requireDatabaseIdentity(source, databaseIdentityOf(former))
    return true
  })
  if (isTheNamedOne === true) return source
  source.close()
  return undefined
}

/** Faults of the former index, which the build replaces; others are faults of this build. */
const CURED: ReadonlySet<string> = new Set(['sqlite_integrity_failed', 'metadata_mismatch', 'index_obstructed'])

function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return onIndex(read)
  } catch (error) {
    if (error instanceof SearchError && CURED.has(error.code)) return undefined
    throw error
  }
}

/** Vectors that are none, from a damaged database, are left: carried over they would fail this build and each to come. */
async function carryOver(
  db: Connection,
  find: (contentHash: string) => Float32Array | undefined,
  yieldTurn: () => Promise<void>,
): Promise<void> {
  const dimension = dimensionOf(db)
  for await (const rows of waiting(db, CARRY)) {
    const found = rows.flatMap(({ contentHash }): NewVector[] => {
      const vector = find(contentHash)
      return vector !== undefined && isSoundVector(vector, dimension) ? [{ contentHash, vector }] : []
    })
    db.transaction(() => writeVectors(db, found, UNNOTED))()
    await yieldTurn()
  }
}

async function embedMissing(
  db: Connection,
  staging: VectorStaging,
  embed: EmbeddingProvider,
  { signal, onProgress }: FillVectorsOptions,
  total: number,
): Promise<void> {
  const dimension = dimensionOf(db)
  const keep = (texts: readonly MissingVector[], made: readonly Float32Array[]): void => {
    // Before they are staged: the port promises checked vectors, and a build that fails for one at its end has paid for all.
    if (made.length !== texts.length) throw new RangeError('The provider gave another number of vectors than of texts.')
    requireSoundVectors(made, dimension)
    const vectors = texts.map(({ contentHash }, at): NewVector => ({ contentHash, vector: made[at] as Float32Array }))
    staging.add(vectors)
    db.transaction(() => writeVectors(db, vectors, UNNOTED))()
  }
  for await (const rows of waiting(db, MAX_BATCH)) {
    // Each text once, whatever stands in several rows.
    const texts = [...new Map(rows.map((row) => [row.contentHash, row])).values()]
    await embedTexts(embed, texts, { made: keep, refused: () => undefined }, signal)
    onProgress(total - countMissingVectors(db), total)
  }
}

/** Those that still wait, some at a time; each row is seen once. */
async function* waiting(db: Connection, limit: number): AsyncGenerator<readonly MissingVector[]> {
  let after = 0
  for (;;) {
    const rows = missingVectors(db, after, limit)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last.row
  }
}
