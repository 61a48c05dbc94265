import {
  buildIndex,
  openWritableIndex,
  SearchError,
  type OpenWritableIndexOptions,
  type SearchIndex,
} from '@mono-agent/memory-search'
import type { Events } from './events.js'

/**
 * Opens the index of a root and lets it catch up with what a person changed meanwhile. In lite it can always be made of
 * the Markdown alone, so one that proves damaged on the way is built anew, and that is said; other tiers leave it to the
 * operator (OPS-5).
 * @throws {SearchError} `canonical_mismatch`, and `sqlite_integrity_failed` but in lite
 */
export async function openCaughtUpIndex(options: OpenWritableIndexOptions, events: Events): Promise<SearchIndex> {
  try {
    return await openAndCatchUp(options, events)
  } catch (error) {
    if (options.identity.tier !== 'lite' || !isDamage(error)) throw error
  }
  const { generation, indexed } = await buildIndex({ ...options, mayBeEdited: true })
  events.emit({ kind: 'index_built', generation, indexed })
  return openAndCatchUp(options, events)
}

async function openAndCatchUp(options: OpenWritableIndexOptions, events: Events): Promise<SearchIndex> {
  const index = await openWritableIndex(options)
  try {
    const report = await index.catchUp()
    if (report.filesRead > 0) events.emit({ kind: 'index_caught_up', report })
    return index
  } catch (error) {
    await index.stopAside() // its thread may write while the lease is held, and no longer
    index.close()
    throw error
  }
}

function isDamage(error: unknown): boolean {
  return error instanceof SearchError && error.code === 'sqlite_integrity_failed'
}
