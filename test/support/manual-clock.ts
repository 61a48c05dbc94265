/** A monotonic clock that only moves when somebody sleeps; what is to happen meanwhile happens at its time. */
export interface ManualClock {
  readonly monotonicNow: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Runs `action` once, when the clock gets to `ms`. */
  at(ms: number, action: () => void): void
  /** Runs `action` at every sleep, with the time after it. */
  onSleep(action: (now: number) => void): void
}

export function manualClock(): ManualClock {
  let now = 0
  let actions: { readonly ms: number; readonly action: () => void }[] = []
  const watchers: ((now: number) => void)[] = []
  return {
    monotonicNow: () => now,
    async sleep(ms) {
      now += ms
      const due = actions.filter((one) => one.ms <= now)
      actions = actions.filter((one) => one.ms > now)
      for (const { action } of due) action()
      for (const watcher of watchers) watcher(now)
      await Promise.resolve()
    },
    at: (ms, action) => void actions.push({ ms, action }),
    onSleep: (action) => void watchers.push(action),
  }
}
