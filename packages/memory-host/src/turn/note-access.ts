import type { MemoryStore } from '@mono-agent/memory-bujo'

/** Counts accesses where the store does (REC-13). */
export function noteAccess(store: MemoryStore, memoryIds: readonly string[]): void {
  if (memoryIds.length === 0) return
  try {
    store.noteAccess?.(memoryIds)
  } catch {
    // Telemetry for audits: a store that cannot count must not cost a turn the answer that it has.
  }
}
