/** Admissions in flight, up to a bound. For one feeder, which waits when the window is full. */
export class AdmissionWindow {
  private readonly inFlight = new Set<Promise<void>>()
  private onFreed: (() => void) | undefined

  constructor(private readonly size: number) {}

  /** Takes `work`, which must not reject; resolves when there is room for the next. */
  async add(work: Promise<void>): Promise<void> {
    const tracked = work.then(() => {
      this.inFlight.delete(tracked)
      this.onFreed?.()
    })
    this.inFlight.add(tracked)
    // One callback, not a race between all that are in flight: that would cost the whole window for every turn.
    if (this.inFlight.size >= this.size) await new Promise<void>((resolve) => (this.onFreed = resolve))
  }

  /** Resolves when nothing is in flight. */
  async settled(): Promise<void> {
    await Promise.all(this.inFlight)
  }
}
