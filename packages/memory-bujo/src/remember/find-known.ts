import type { IndexedMemory } from '@mono-agent/memory-search'
import { findLive } from '../capture/reconcile/find-live.js'
import type { RememberParts } from './parts.js'

/**
 * The current memory of these words, if there is one; superseded ones are history, and said again they are news. The index is
 * believed only after the day file of each hit has been looked at, and today's: a person may have removed the line, or
 * written it, a moment ago. Within the section.
 * @param more  day files to look at besides
 */
export async function findKnown(
  { writer, index }: Pick<RememberParts, 'writer' | 'index'>,
  hash: string,
  more: readonly string[],
): Promise<IndexedMemory | undefined> {
  const files = index.findByContentHash(hash).map(({ file }) => file)
  await writer.catchUp([...new Set([...more, ...files])])
  return findLive(index, hash)
}
