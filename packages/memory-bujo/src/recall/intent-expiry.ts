import type { IndexedMemory } from '@mono-agent/memory-search'
import type { Vantage } from './types.js'

/**
 * Whether automatic reads leave a memory out with `recall.intentExpiry` (REC-20): a note with a `due`, even before that day,
 * and one that was done or dropped. Events and tasks are none of this; deliberate recall finds all of them.
 */
export function isExpiredIntent(
  { type, dueAt, status }: Pick<IndexedMemory, 'type' | 'dueAt' | 'status'>,
  { intentExpiry }: Pick<Vantage, 'intentExpiry'>,
): boolean {
  if (!intentExpiry || type !== 'note') return false
  return dueAt !== undefined || status === 'done' || status === 'dropped'
}
