import type { HostEvent, HostOptions } from '../types.js'

export type Emit = (event: HostEvent) => void

/** Tells the host of events. What its listener throws or rejects with is dropped: a turn never fails for who listens. */
export function eventsTo(onEvent: HostOptions['onEvent']): Emit {
  return (event) => {
    try {
      Promise.resolve(onEvent?.(event)).catch(() => undefined)
    } catch {
      // as above
    }
  }
}
