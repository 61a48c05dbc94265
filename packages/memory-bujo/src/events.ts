import type { MemoryEvent } from './types.js'

export type Listener = (event: MemoryEvent) => void | Promise<void>

/** Tells one listener of events; whatever the listener does, the store goes on. */
export interface Events {
  emit(event: MemoryEvent): void
  /** How often the listener threw or rejected. */
  failures(): number
}

export function createEvents(listener: Listener | undefined): Events {
  let failures = 0
  return {
    emit(event) {
      if (listener === undefined) return
      try {
        Promise.resolve(listener(event)).catch(() => {
          failures += 1
        })
      } catch {
        failures += 1 // a listener must never turn a durable write into an error (INT-10); it is counted in the snapshot
      }
    },
    failures: () => failures,
  }
}
