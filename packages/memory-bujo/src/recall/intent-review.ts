import type { IndexedMemory } from '@mono-agent/memory-search'
import type { ReviewedNote } from '../types.js'
import { isExpiredIntent } from './intent-expiry.js'
import { listedMemory } from './listed-memory.js'
import type { Vantage } from './types.js'

/**
 * Of some memories those that `recall.intentExpiry` takes out of automatic reads (REC-20), marked as deliberate recall then
 * marks them: notes with a `due`, the earliest first, then notes that were done. What is dropped or invalidated is in no
 * read with or without it, so there is nothing to review.
 */
export function intentReview(memories: readonly IndexedMemory[], vantage: Vantage): ReviewedNote[] {
  const switchedOn = { ...vantage, intentExpiry: true }
  return memories
    .filter((memory) => !isNeverRead(memory) && isExpiredIntent(memory, switchedOn))
    .sort((a, b) => compare(dueOf(a), dueOf(b)) || compare(a.createdAt, b.createdAt) || compare(a.id, b.id))
    .map((memory) => ({
      ...listedMemory(memory, switchedOn, 'bujo'),
      why: memory.dueAt === undefined ? 'done' : 'dated',
    }))
}

const isNeverRead = ({ status }: IndexedMemory): boolean => status === 'dropped' || status === 'invalidated'

/** Years have four digits, so that days and instants sort as text; no `due` sorts last. */
const dueOf = ({ dueAt }: IndexedMemory): string => dueAt ?? '\uFFFF'

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
