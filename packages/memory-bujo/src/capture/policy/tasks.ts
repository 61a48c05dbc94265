import type { MemoryStatus } from '@mono-agent/memory-store'
import type { ExtractedMemory } from '../types.js'

/** What a line becomes by its type. */
export interface HistoryType {
  readonly type: 'note' | 'event'
  readonly status: MemoryStatus
  /** Only what is no task says what its owner is like (CAP-9). */
  readonly mayBeCoarseFact: boolean
}

/**
 * Memory is no task list (CAP-18): what the model calls a task is a note of its day, with its due date if it has one, and
 * is never open work.
 */
export function historyType(type: ExtractedMemory['type']): HistoryType {
  return { type: type === 'task' ? 'note' : type, status: 'open', mayBeCoarseFact: type !== 'task' }
}
