import type { HostParts } from '../../src/index.js'
import { NOON } from './open-store.js'

export const HOUR_MS = 3_600_000

/** Second looks at a day file are no matter of the hours that a test plays: they are over at once. */
const SECOND_LOOK_MS = 2_000

/** Wall and monotonic clock of a store that only a test moves; who sleeps wakes when the clock has passed the hour. */
export interface SimulatedClock {
  readonly host: Required<Pick<HostParts, 'now' | 'monotonicNow' | 'sleep'>>
  /** Who must wake at once instead: tells by the length of the sleep. */
  endsAt: (ms: number) => Promise<unknown> | undefined
  advance(ms: number): void
}

export function simulatedClock(): SimulatedClock {
  let elapsed = 0
  const sleepers = new Set<{ readonly due: number; readonly end: () => void }>()
  const clock: SimulatedClock = {
    endsAt: () => undefined,
    advance(ms) {
      elapsed += ms
      for (const sleeper of [...sleepers]) if (sleeper.due <= elapsed) sleeper.end()
    },
    host: {
      now: () => NOON + elapsed,
      monotonicNow: () => elapsed,
      sleep: (ms, { signal, keepsProcessAlive }) =>
        new Promise((resolve) => {
          if (signal?.aborted === true) return resolve()
          const sleeper = {
            due: elapsed + ms,
            end: () => {
              sleepers.delete(sleeper)
              signal?.removeEventListener('abort', sleeper.end)
              resolve()
            },
          }
          sleepers.add(sleeper)
          signal?.addEventListener('abort', sleeper.end, { once: true })
          if (keepsProcessAlive && ms <= SECOND_LOOK_MS) setImmediate(sleeper.end)
          void clock.endsAt(ms)?.then(sleeper.end)
        }),
    },
  }
  return clock
}
