import type { FileSystem } from '@mono-agent/memory-store'
import { presentSource } from '../canonical/source-fingerprint.js'
import { SearchError, searchError } from '../errors.js'
import { ANALYZER } from '../query/analyzer.js'
import type { Connection } from '../sqlite/connection.js'
import { countMemories } from '../sqlite/memory-rows.js'
import { SCHEMA_VERSION } from '../sqlite/schema.js'
import type { IndexIdentity, OpenWritableIndexOptions, RollbackReport } from '../types.js'
import { keptOf, yieldOf } from './build.js'
import { commitmentOf } from './commitment.js'
import { copyGeneration } from './copy-generation.js'
import { discardGeneration, removeOtherGenerations } from './directories.js'
import { requireIdentity } from './identity.js'
import { requireIntegrity } from './integrity.js'
import { loadManifest, MANIFEST_VERSION, publishManifest, type Manifest, type PreviousIndex } from './manifest.js'
import { DAMAGES, keepOutgoing, provenContent, type KeepingPlace, type ProvenContent } from './previous.js'

export interface CheckRollbackOptions {
  readonly root: string
  readonly fs: FileSystem
  /** Of the configuration: what the previous index has to be for. The present one may be for anything. */
  readonly identity: IndexIdentity
}

/**
 * What can be refused by a look at the manifest alone, before anything is written.
 * @throws {SearchError} manifest_missing, manifest_invalid, index_newer, index_obstructed; rollback_unavailable;
 *   configured_identity_mismatch: the previous index is for something else than the configuration
 */
export function checkRollback(options: CheckRollbackOptions): void {
  loadOffer(options)
}

interface Offer {
  readonly present: Manifest
  readonly previous: PreviousIndex
}

function loadOffer({ root, fs, identity }: CheckRollbackOptions): Offer {
  const present = loadManifest(fs, root)
  if (present === undefined) throw searchError('manifest_missing')
  const { previous } = present
  if (previous === undefined) throw searchError('rollback_unavailable', 'none was kept')
  if (!previous.isOffered) throw searchError('rollback_unavailable', 'one is kept, but is not what the day files say')
  requireIdentity(
    previous.identity,
    identity,
    (has) =>
      `the kept index has ${has}: to go back to it configure that and roll back again; a rebuild would replace it`,
  )
  if (previous.schemaVersion > SCHEMA_VERSION) {
    throw searchError('index_newer', `schema ${previous.schemaVersion}, known ${SCHEMA_VERSION}`)
  }
  if (previous.analyzer !== ANALYZER) throw searchError('rollback_unavailable', 'made by another release: analyzer')
  return { present, previous }
}

/**
 * Goes back to the index before the present one, which is kept in its turn under the same rules (OPS-3): the same answers
 * with the same scores as before the rebuild. Calls no model and embeds nothing. A crash at any instruction leaves the
 * present index in use or the previous one; readers follow. Needs the writer lease and no open `SearchIndex` of this root.
 * @throws {SearchError} what `checkRollback` refuses; source_changed: day files are not those it was made from;
 *   previous_damaged; the present index stays in use  @throws {StoreError}
 */
export async function rollbackIndex(options: OpenWritableIndexOptions): Promise<RollbackReport> {
  const { root, fs, lease } = options
  lease.assertHeld()
  const { present, previous } = loadOffer(options)
  const yieldTurn = yieldOf(options)
  if ((await presentSource(fs, root, previous.identity, yieldTurn)) !== previous.source)
    throw searchError('source_changed')
  removeOtherGenerations(fs, root, present) // those of builds that were killed
  const place: KeepingPlace = { root, fs, lease, present, yieldTurn }
  const { generation, examined } = await restore(place, previous)
  let kept: PreviousIndex | undefined
  try {
    kept = await keepOutgoing(place, examined.content)
  } catch (error) {
    discardGeneration(fs, root, generation)
    throw error
  }
  const { identity, analyzer, schemaVersion, createdAt, calibration } = previous
  const manifest: Manifest = {
    version: MANIFEST_VERSION,
    generation,
    identity,
    analyzer,
    schemaVersion,
    createdAt,
    ...(calibration === undefined ? {} : { calibration }),
    ...(kept === undefined ? {} : { previous: kept }),
  }
  // Nothing is discarded if this fails: the manifest may be there all the same.
  await publishManifest(fs, lease, root, manifest)
  removeOtherGenerations(fs, root, manifest)
  return { generation, identity, memories: examined.memories, ...keptOf(kept) }
}

interface Restored {
  readonly content: ProvenContent
  readonly memories: number
}

/** The proof is of the copy, which is what will be used: a fault on the way is found as well as one of the original. */
async function restore(place: KeepingPlace, previous: PreviousIndex) {
  try {
    return await copyGeneration(place, previous, (copy) => prove(copy, previous, place.yieldTurn))
  } catch (error) {
    if (!(error instanceof SearchError) || !DAMAGES.has(error.code)) throw error
    throw searchError('previous_damaged', error.code, error)
  }
}

async function prove(copy: Connection, previous: PreviousIndex, yieldTurn: () => Promise<void>): Promise<Restored> {
  await requireIntegrity(copy)
  if ((await commitmentOf(copy, yieldTurn)) !== previous.commitment) {
    throw searchError('metadata_mismatch', 'commitment')
  }
  const content = await provenContent(copy, yieldTurn)
  if (content.source !== previous.source) throw searchError('metadata_mismatch', 'source')
  return { content, memories: countMemories(copy) }
}
