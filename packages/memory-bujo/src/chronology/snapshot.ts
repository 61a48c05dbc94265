import type { ChronologyEntry, ChronologyRequest, ChronologySnapshot } from '@mono-agent/memory-store'
import type { ChronologyRecord, IndexReader } from '@mono-agent/memory-search'
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { Vantage } from '../recall/types.js'
import { resolveCivilRange, type Interval } from './civil-range.js'
import { entryOf } from './shown-entry.js'

/** Entries of one snapshot (REC-23). */
export const MAX_ENTRIES = 1_000
/** UTF-8 bytes of the JSON of its entries (REC-23). */
export const MAX_SNAPSHOT_BYTES = 2 * 1024 * 1024
/** Records read at one go, a few milliseconds. */
const SLICE = 100

/**
 * Curated records of some days as they stand at `vantage`, in order of their time, then id (REC-22..24): `occurred`, else
 * `created`. The index alone is asked: no model, no service. The host has its turns between slices; a record that is
 * changed meanwhile is told as it was read, and none is told twice.
 * @returns at most 1,000 entries, of which the JSON has at most 2 MiB; `coverage` says whether more of the range is left
 * @throws {BujoError} `range_invalid`  @throws {SearchError}  @throws the reason of `request.signal`
 */
export async function takeChronology(
  index: Pick<IndexReader, 'chronology'>,
  request: ChronologyRequest,
  vantage: Vantage,
): Promise<ChronologySnapshot> {
  const range = resolveCivilRange(request)
  const interval = { from: new Date(range.from).toISOString(), before: new Date(range.before).toISOString() }
  const entries: ChronologyEntry[] = []
  const told = new Set<string>()
  let bytes = 1 // of the opening bracket; each entry brings a comma or the closing one
  for await (const record of recordsOf(index, range, request.signal)) {
    if (told.has(record.memory.id)) continue // a person moved it to a later time while this was read
    told.add(record.memory.id)
    if (entries.length === MAX_ENTRIES)
      return { interval, entries, coverage: { complete: false, stoppedBy: 'entries' } }
    const entry = entryOf(record, vantage)
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1
    if (bytes > MAX_SNAPSHOT_BYTES) return { interval, entries, coverage: { complete: false, stoppedBy: 'bytes' } }
    entries.push(entry)
  }
  return { interval, entries, coverage: { complete: true } }
}

/** Records of a range, read in slices between which the host has its turns; one that moves meanwhile may come twice. */
export async function* recordsOf(
  index: Pick<IndexReader, 'chronology'>,
  range: Interval,
  signal?: AbortSignal,
): AsyncGenerator<ChronologyRecord> {
  signal?.throwIfAborted()
  let slice = index.chronology(range, SLICE)
  for (;;) {
    yield* slice
    const last = slice.at(-1)
    if (last === undefined || slice.length < SLICE) return
    await nextTurnOfLoop()
    signal?.throwIfAborted()
    slice = index.chronology({ ...range, after: { moment: last.moment, id: last.memory.id } }, SLICE)
  }
}
