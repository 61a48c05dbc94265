import { shownText, type ChronologyEntry, type ChronologySnapshot } from '@mono-agent/memory-bujo'

/** Bounds of a snapshot (REC-23); stores keep them too, one of somebody else's may not. */
export const MAX_SNAPSHOT_ENTRIES = 1_000
/** UTF-8 bytes of the JSON of its entries. */
export const MAX_SNAPSHOT_BYTES = 2 * 1024 * 1024

/** UTF-8 bytes, whatever a backend gives for one. */
const MAX_INSTANT_BYTES = 64

/** A range as it was asked for. */
export interface AskedRange {
  readonly fromDate: string
  readonly throughDate: string
  readonly timeZone: string
}

/** What one call asked for and what was there then: later pages are cut from this, whatever is written meanwhile. */
export interface FrozenRange {
  readonly asked: AskedRange
  /** Most entries of a page. */
  readonly limit: number
  readonly interval: ChronologySnapshot['interval']
  readonly entries: readonly ChronologyEntry[]
  readonly coverage: ChronologySnapshot['coverage']
}

/** Takes a store's snapshot over, within the bounds whatever it holds. */
export function freezeRange(asked: AskedRange, limit: number, snapshot: ChronologySnapshot): FrozenRange {
  const { from, before } = snapshot.interval
  const interval = { from: shownText(from, MAX_INSTANT_BYTES), before: shownText(before, MAX_INSTANT_BYTES) }
  const entries: ChronologyEntry[] = []
  let bytes = 1 // of the opening bracket; each entry brings a comma or the closing one
  for (const entry of snapshot.entries) {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1
    const stoppedBy = stopAt(entries.length, bytes)
    if (stoppedBy !== undefined) {
      return { asked, limit, interval, entries, coverage: { complete: false, stoppedBy } }
    }
    entries.push({ ...entry })
  }
  return { asked, limit, interval, entries, coverage: { ...snapshot.coverage } }
}

function stopAt(entries: number, bytes: number): 'entries' | 'bytes' | undefined {
  if (entries === MAX_SNAPSHOT_ENTRIES) return 'entries'
  return bytes > MAX_SNAPSHOT_BYTES ? 'bytes' : undefined
}
