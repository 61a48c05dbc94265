import type { BadEntry, PassedOver } from './entry.js'

/** Refused lines that a report lists one by one; the rest is only counted. */
export const MAX_LISTED_LINES = 1_000

/** What became of the entries of one run; counts, and the places of what was refused. */
export class IngestTally {
  admitted = 0
  duplicate = 0
  bad = 0
  readonly skipped = new Map<PassedOver, number>()
  readonly listed: BadEntry[] = []

  addSkipped(reason: PassedOver): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1)
  }

  addBad(entry: BadEntry): void {
    this.bad += 1
    if (this.listed.length < MAX_LISTED_LINES) this.listed.push(entry)
  }

  get skippedTotal(): number {
    return [...this.skipped.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Turns that are in the store now, by this run or an earlier one. */
  get stored(): number {
    return this.admitted + this.duplicate
  }
}
