import type { MemoryEvent } from '@mono-agent/memory-bujo'
import { count } from './text.js'

export interface StoreNotes {
  readonly add: (event: MemoryEvent) => void
  /** Why vectors are delayed, as far as it was reported: the last code. */
  readonly embeddingFailure: () => string | undefined
  /** Why turns are delayed or dead: the last code. */
  readonly turnFailure: () => string | undefined
  /** @param redacted  credentials that the store left out while it was open */
  readonly lines: (redacted: number) => string[]
}

/** Collects what a store reported while a command used it, to be said once at the end instead of in between. */
export function createStoreNotes(): StoreNotes {
  const failures = new Map<string, number>()
  const drifted = new Set<string>()
  const others = new Set<string>()
  let embeddingFailure: string | undefined
  let turnFailure: string | undefined
  return {
    add(event) {
      if (event.kind === 'projection_failed') {
        const why = event.reason === undefined ? event.code : `${event.code}: ${event.reason} (${event.place})`
        failures.set(why, (failures.get(why) ?? 0) + event.turns)
        turnFailure = event.code
      } else if (event.kind === 'day_file_drifted') drifted.add(event.file)
      else if (event.kind === 'embedding_failed') embeddingFailure = event.code
      else if (event.kind === 'background_error') others.add(event.code)
      else if (event.kind === 'intake_unaccounted') {
        others.add(`intake_unaccounted: ${count(event.entries, 'ledger entry', 'ledger entries')} without a record`)
      }
    },
    embeddingFailure: () => embeddingFailure,
    turnFailure: () => turnFailure,
    lines: (redacted) => [
      ...(redacted === 0 ? [] : [`warning: ${count(redacted, 'credential')} left out of what was stored`]),
      ...[...failures].map(([why, turns]) => `warning: ${count(turns, 'turn')} delayed by ${why}`),
      ...[...drifted].map((file) => `note: ${file} was edited by someone else; the edit was kept`),
      ...[...others].map((code) => `warning: ${code}`),
    ],
  }
}
