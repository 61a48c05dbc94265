import { isReplayEntry, replayEntryJson } from './replay-log.js'
import { REPLAY_BOUNDS, type ReplayState } from './replay-state.js'
import type { ReplayEntry } from './replay-types.js'

const OPENING = '{"entries":['
const CLOSING = '],"v":1}'
/** Below this a delta is not worth a snapshot; it is read in a millisecond. */
export const MIN_FOLDED_DELTA_BYTES = 64 * 1024

/**
 * The bytes of `.replay-projection-v1.json` (FMT-8): canonical JSON `{"entries":[…],"v":1}`, the entries ascending by their
 * own canonical JSON in code units, so that one set has one spelling.
 */
export function formatReplaySnapshot(state: ReplayState): Uint8Array {
  return Buffer.from(`${OPENING}${[...state.entries()].map(replayEntryJson).sort().join(',')}${CLOSING}`)
}

/** What was read of a snapshot, or why nothing was. */
export type ParsedSnapshot =
  | { readonly kind: 'snapshot'; readonly entries: readonly ReplayEntry[] }
  /** `offset`: bytes from the start of the file to what cannot be read. */
  | { readonly kind: 'invalid'; readonly offset: number }

const invalid = (offset: number): ParsedSnapshot => ({ kind: 'invalid', offset })

/** Reads a snapshot; anything but the exact spelling of a set of valid entries within the bounds is invalid. */
export function parseReplaySnapshot(bytes: Uint8Array): ParsedSnapshot {
  if (bytes.length > REPLAY_BOUNDS.maxBytes) return invalid(REPLAY_BOUNDS.maxBytes)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1') // entries are ASCII
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return invalid(0)
  }
  const entries: unknown = typeof value === 'object' && value !== null ? (value as { entries?: unknown }).entries : 0
  if (!Array.isArray(entries) || entries.length > REPLAY_BOUNDS.maxEntries || !text.startsWith(OPENING))
    return invalid(0)
  let offset = OPENING.length
  let last = ''
  for (const [index, entry] of entries.entries()) {
    if (index > 0) offset++
    const json = isReplayEntry(entry) ? replayEntryJson(entry) : ''
    if (json <= last || !text.startsWith(json, offset) || (index > 0 && text[offset - 1] !== ','))
      return invalid(offset)
    offset += json.length
    last = json
  }
  return text.slice(offset) === CLOSING ? { kind: 'snapshot', entries: entries as ReplayEntry[] } : invalid(offset)
}

/** Whether the delta is to be folded into the snapshot: it outgrew a quarter of it, and 64 KiB. */
export function isCompactionDue(deltaBytes: number, snapshotBytes: number): boolean {
  return deltaBytes >= MIN_FOLDED_DELTA_BYTES && deltaBytes * 4 > snapshotBytes
}
