import { StoreError } from '@mono-agent/memory-store'
import { authorityPlaceOf, requireAuthority } from '../authority-drift.js'
import { SearchError } from '../errors.js'
import { ANALYZER } from '../query/analyzer.js'
import type { Connection } from '../sqlite/connection.js'
import { migrate, SCHEMA_VERSION } from '../sqlite/schema.js'
import { recordedSource } from '../canonical/source-fingerprint.js'
import { commitmentOf, payloadOf } from './commitment.js'
import { copyGeneration, type GenerationPlace } from './copy-generation.js'
import { hasDatabase } from './directories.js'
import { requireIntegrity } from './integrity.js'
import { expectedWords } from './expected-words.js'
import type { Manifest, PreviousIndex } from './manifest.js'

/** What the day files say, by an index that was just proven to hold it. */
export interface ProvenContent {
  /** `payloadOf` it. */
  readonly payload: string
  /** `recordedSource` of it. */
  readonly source: string
}

export const provenContent = async (db: Connection, yieldTurn: () => Promise<void>): Promise<ProvenContent> => ({
  payload: await payloadOf(db, yieldTurn),
  source: recordedSource(db),
})

/** Faults of a kept or outgoing index, by whatever name they are found; others are faults of the work under way. */
export const DAMAGES: ReadonlySet<string> = new Set([
  'database_missing',
  'metadata_mismatch',
  'index_obstructed',
  'sqlite_integrity_failed',
  'fts_mismatch',
])

export interface KeepingPlace extends GenerationPlace {
  readonly yieldTurn: () => Promise<void>
}

/**
 * Keeps the index that is about to be replaced, as a generation of its own for the next manifest to name (OPS-3). It is
 * offered only if it holds what its proven successor holds, which is what the day files say, and one of bujo besides what
 * graph and replay authority say; one that differs is kept and never offered. Call it once the successor is durable and
 * before the manifest is switched.
 * @returns undefined if the outgoing index cannot be read
 * @throws {SearchError} index_newer; index_failed, index_busy  @throws {StoreError}
 */
export async function keepOutgoing(place: KeepingPlace, successor: ProvenContent): Promise<PreviousIndex | undefined> {
  const { yieldTurn, present } = place
  const { identity, analyzer, createdAt, calibration } = present
  try {
    const { generation, examined } = await copyGeneration(place, present, async (copy) => {
      migrate(copy) // an index of an earlier release is kept as one that this release can open
      const isOfSources = (await payloadOf(copy, yieldTurn)) === successor.payload && isOfAuthority(copy, place)
      // What is never offered needs no proof of its words, and those of another analyzer are other ones.
      const isToBeProven = isOfSources && analyzer === ANALYZER
      await requireIntegrity(copy, isToBeProven ? await expectedWords(copy, yieldTurn) : undefined)
      const source = isOfSources ? recordedSource(copy) : successor.source
      return { isOfSources, source, commitment: await commitmentOf(copy, yieldTurn) }
    })
    return {
      generation,
      identity,
      analyzer,
      schemaVersion: SCHEMA_VERSION,
      createdAt,
      ...(calibration === undefined ? {} : { calibration }),
      commitment: examined.commitment,
      source: examined.source,
      isOffered: examined.isOfSources && analyzer === ANALYZER,
    }
  } catch (error) {
    if (error instanceof SearchError && DAMAGES.has(error.code)) return undefined
    throw error
  }
}

/** Whether graph and lifecycle of an index are what the files say now; a successor of another tier knows nothing of them. */
function isOfAuthority(copy: Connection, { root, fs, present }: GenerationPlace): boolean {
  try {
    requireAuthority(copy, authorityPlaceOf({ root, fs, identity: present.identity }))
    return true
  } catch (error) {
    const code = error instanceof SearchError || error instanceof StoreError ? error.code : undefined
    if (code === 'source_changed' || code === 'canonical_mismatch' || code === 'canonical_invalid') return false
    throw error
  }
}

/** What was kept before, if it is there: it stays where the outgoing index could not be read. */
export function stillKept({ fs, root, present }: GenerationPlace): PreviousIndex | undefined {
  const { previous } = present
  try {
    return previous !== undefined && hasDatabase(fs, root, previous.generation) ? previous : undefined
  } catch (error) {
    if (error instanceof SearchError && DAMAGES.has(error.code)) return undefined
    throw error
  }
}

/** The manifest whose previous index is offered no more; the same one if none is. */
export function withoutOffer(manifest: Manifest): Manifest {
  const { previous } = manifest
  return previous?.isOffered === true ? { ...manifest, previous: { ...previous, isOffered: false } } : manifest
}
