import type { DayText } from './day-text.js'

/** Day files kept parsed: today, yesterday and a few that imports touch. The others are read again. */
const MAX_KEPT = 8

export interface KnownDay extends DayText {
  /** Published and flushed under this lease. What was only found may exist in the page cache alone. */
  readonly isDurable: boolean
}

/** The last known states of a few day files; the one that was longest unused goes first. */
export class DayFileCache {
  private readonly days = new Map<string, KnownDay>()

  get(file: string): KnownDay | undefined {
    const known = this.days.get(file)
    if (known !== undefined) this.keep(file, known)
    return known
  }

  keep(file: string, known: KnownDay): void {
    this.days.delete(file)
    this.days.set(file, known)
    if (this.days.size <= MAX_KEPT) return
    for (const oldest of this.days.keys()) {
      this.days.delete(oldest)
      break
    }
  }

  forget(file: string): void {
    this.days.delete(file)
  }
}
