import type { HostParts, MemoryEvent } from './types.js'

/** Tells a host of events; whatever its listener or logger does, the store goes on. */
export interface Events {
  emit(event: MemoryEvent): void
  /** How often a listener or logger threw or rejected. */
  failures(): number
}

export function createEvents({ onEvent, logger }: Pick<HostParts, 'onEvent' | 'logger'>): Events {
  let failures = 0
  const fail = (): void => {
    failures += 1 // a listener must never turn a durable write into an error (INT-10); the snapshot shows the count
  }
  const guard = (work: () => unknown): void => {
    try {
      Promise.resolve(work()).catch(fail)
    } catch {
      fail()
    }
  }
  return {
    emit(event) {
      if (onEvent !== undefined) guard(() => onEvent(event))
      if (logger !== undefined) guard(() => logger[isRoutine(event) ? 'info' : 'warn'](describe(event)))
    },
    failures: () => failures,
  }
}

function isRoutine({ kind }: MemoryEvent): boolean {
  return kind === 'index_built' || kind === 'index_caught_up'
}

/** `memory projection_failed code=file_busy turns=1`: the event's own fields, which hold no content. */
function describe({ kind, ...fields }: MemoryEvent): string {
  const pairs = Object.entries(fields).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
  return ['memory', kind, ...pairs].join(' ')
}
