import type { MemoryStore } from '@mono-agent/memory-bujo'

/** Counts accesses where the store does (REC-13). */
export function noteAccess(store: MemoryStore, memoryIds: readonly string[]): void {
  if (memoryIds.length === 0) return
  // Telemetry for audits: a store that cannot count must not cost a turn the answer that it has. One of somebody else's may
  // count later, and fail then: an `async` method fits the type, and a rejection that nobody hears ends the process.
  const count = async (): Promise<void> => store.noteAccess?.(memoryIds)
  count().catch(() => undefined)
}
