import { StoreError } from '../errors.js'
import type { PinnedRead } from '../disk/read-pinned.js'
import { parseDayFile } from '../format/daily-file.js'

/** How far apart a file must read the same twice before it is believed (FMT-13), milliseconds. */
export const SETTLE_MS = 250
/** The same for a file that is empty or lost bullets: most likely half saved. */
export const SUSPICIOUS_SETTLE_MS = 2_000
/** How long a write waits for a file that keeps changing, milliseconds. */
export const BUSY_AFTER_MS = 10_000

export interface Patience {
  readonly sleep: (ms: number) => Promise<void>
  readonly monotonicNow: () => number
  /** On the monotonic clock, milliseconds. */
  readonly deadline: number
}

/** A day file would be rewritten, and somebody does not stop changing it. @param file  relative to the root */
export function fileBusy(file: string): StoreError {
  return new StoreError(
    'file_busy',
    `${file} kept changing for ${BUSY_AFTER_MS / 1000} seconds while it was to be rewritten. ` +
      'The write stays due and is tried again; finish editing the file.',
  )
}

function looksHalfSaved(read: PinnedRead | undefined, expectedIds: ReadonlySet<string>): boolean {
  if (read === undefined || read.bytes.length === 0) return true
  if (expectedIds.size === 0) return false
  const present = new Set(parseDayFile(read.bytes).bullets.map(({ id }) => id))
  for (const id of expectedIds) if (!present.has(id)) return true
  return false
}

function sameText(a: PinnedRead | undefined, b: PinnedRead | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return Buffer.compare(a.bytes, b.bytes) === 0
}

/** A pinned read; a file that would not hold still has not settled either. */
function tryRead(read: () => PinnedRead | undefined): PinnedRead | undefined | 'moving' {
  try {
    return read()
  } catch (error) {
    if (error instanceof StoreError && error.code === 'file_busy') return 'moving'
    throw error
  }
}

/**
 * Reads a file until it reads the same twice, 250 ms apart, or 2 s if it is gone, empty or lost bullets. One read is not
 * enough: an editor that truncates and then writes leaves halves that look whole and unmoved.
 * @param read         a pinned read
 * @param expectedIds  bullets that were there when the file was last seen
 * @param file         relative to the root, for the message
 * @throws {StoreError} file_busy once the deadline is over; whatever `read` throws
 */
export async function readSettled(
  read: () => PinnedRead | undefined,
  expectedIds: ReadonlySet<string>,
  { sleep, monotonicNow, deadline }: Patience,
  file: string,
): Promise<PinnedRead | undefined> {
  let last = tryRead(read)
  for (;;) {
    await sleep(last !== 'moving' && looksHalfSaved(last, expectedIds) ? SUSPICIOUS_SETTLE_MS : SETTLE_MS)
    const next = tryRead(read)
    if (last !== 'moving' && next !== 'moving' && sameText(last, next)) return next
    if (monotonicNow() >= deadline) throw fileBusy(file)
    last = next
  }
}
