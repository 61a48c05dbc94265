import { formatDayFile, type DayDocument } from '../format/daily-file.js'
import type { DayChange, DayChangeOutcome } from '../format/day-changes.js'
import { sha256Hex } from '../format/sha256.js'
import { readCurrent } from './current-day.js'
import type { DayContext, DayFileName } from './day-context.js'
import type { DayText } from './day-text.js'
import { mergeDay, type LateEdit } from './merge-day.js'

/** One day file on its way, from the first look to stable storage; it takes a round more for each edit it meets. */
export interface DayRewrite extends DayFileName {
  readonly changes: readonly DayChange[]
  /** What the delta is against: the state as last known, else as first read. */
  base?: Pick<DayText, 'digest' | 'document'>
  drifted: boolean
  late?: LateEdit
  /** A flush of its directory failed: it is published again, whatever it holds. */
  isInDoubt: boolean
}

/** What is to be written, merged from what was read and the changes. */
export interface DayDraft {
  readonly rewrite: DayRewrite
  readonly read: DayText
  readonly document: DayDocument
  readonly outcomes: readonly DayChangeOutcome[]
  readonly bytes: Uint8Array
  readonly digest: string
  /** The file holds this already, published and flushed by this writer. */
  readonly isOnDisk: boolean
}

/** Reads the file and merges the changes in. @throws {StoreError} file_busy, path_unsafe, storage_failed */
export async function draftDay(context: DayContext, rewrite: DayRewrite): Promise<DayDraft> {
  const last = context.cache.get(rewrite.file)
  const read = await readCurrent(context, rewrite)
  if (last !== undefined && last !== read) rewrite.drifted = true
  rewrite.base ??= last ?? read
  const { document, outcomes } = mergeDay(read, rewrite.changes, rewrite.late)
  const bytes = formatDayFile(document)
  const digest = sha256Hex(bytes)
  // What was found may be in the page cache only (FMT-11): unchanged or not, it is published once under this lease.
  const isOnDisk = read.isDurable && !rewrite.isInDoubt && read.digest === digest
  return { rewrite, read, document, outcomes, bytes, digest, isOnDisk }
}
