import { join } from 'node:path'
import type { FileSystem } from '../disk/file-system.js'
import { readPinned } from '../disk/read-pinned.js'
import type { WriterLease } from '../disk/lease.js'
import { dayOfFile } from '../format/layout.js'
import { createCanonicalQueue, type CanonicalQueue } from './canonical-queue.js'
import { readCurrent } from './current-day.js'
import type { DayContext, DayFileName } from './day-context.js'
import type { DayRewrite } from './day-draft.js'
import { DayFileCache } from './day-file-cache.js'
import { dayFileDelta } from './day-file-delta.js'
import type { DayFileBatch, DayFileState } from './day-file-state.js'
import { dayTextOf, type DayText } from './day-text.js'
import { listDayFiles } from './list-day-files.js'
import { rewriteDays } from './rewrite-days.js'
import { BUSY_AFTER_MS } from './settled-read.js'

export interface DayFilesOptions {
  /** Resolved path of the root. */
  readonly root: string
  readonly fs: FileSystem
  /** Held by the caller for as long as day files are written. */
  readonly lease: WriterLease
  /** Waits for an editor to finish; milliseconds. */
  readonly sleep: (ms: number) => Promise<void>
  /** Monotonic milliseconds. */
  readonly monotonicNow: () => number
  /** The root's queue, shared with the other writers of canonical files; default: one of its own. */
  readonly queue?: CanonicalQueue
  /** Ids that the index has of a day file: a file that lost some of them may be half saved. */
  readonly indexedIds?: (file: string) => Iterable<string>
  /** Called before anything is written, and again right before `daily/` is made; throws if it must not be. */
  readonly assertDailyInPlace?: () => void
}

/** The only writer of day files. Calls may overlap: they run one after the other. */
export interface DayFiles {
  /**
   * Merges the changes into their day files (FMT-13) and publishes those; each file once, batches of one file in order.
   * Resolves, in the order of `batches`, when all is on stable storage.
   * @throws {StoreError} file_busy if a file keeps changing for ten seconds; storage_failed, lease_lost, path_unsafe.
   *   Some of the files may have been written: applying the same changes again finishes the work.
   * @throws {TypeError} a name that is no day file's, or a batch without changes
   */
  apply(batches: readonly DayFileBatch[]): Promise<DayFileState[]>
  /**
   * One day file as it is now, for the index; undefined if there is none. One that changed since this object last saw it
   * is awaited like for a write; one it never saw is read once.
   * @throws {StoreError} file_busy, storage_failed, path_unsafe
   */
  read(file: string): Promise<DayFileState | undefined>
  /** Day files, relative to the root: those in `daily/` and dated files right under the root (FMT-2), by day. */
  list(): string[]
}

function nameOf(root: string, file: string): DayFileName {
  const day = dayOfFile(file)
  if (day === undefined) throw new TypeError('A day file is named YYYY-MM-DD.md, in daily/ or right under the root.')
  return { file, path: join(root, file), day }
}

/** One rewrite a file, with the changes of all its batches. */
function planRewrites(root: string, batches: readonly DayFileBatch[]): DayRewrite[] {
  const changes = new Map<string, DayFileBatch['changes'][number][]>()
  for (const batch of batches) {
    if (batch.changes.length === 0) throw new TypeError('A batch of changes is empty.')
    changes.set(batch.file, [...(changes.get(batch.file) ?? []), ...batch.changes])
  }
  return [...changes].map(([file, all]) => ({ ...nameOf(root, file), changes: all, drifted: false, isInDoubt: false }))
}

/** Each batch gets the state of its file and the outcomes of its own changes. */
function statesByBatch(batches: readonly DayFileBatch[], states: ReadonlyMap<string, DayFileState>): DayFileState[] {
  const taken = new Map<string, number>()
  return batches.map(({ file, changes }) => {
    const state = states.get(file)
    if (state === undefined) throw new RangeError('A batch has no state.')
    const start = taken.get(file) ?? 0
    taken.set(file, start + changes.length)
    return { ...state, outcomes: state.outcomes.slice(start, start + changes.length) }
  })
}

function stateOf(file: string, text: DayText, last: DayText | undefined): DayFileState | undefined {
  const { identity, digest, document } = text
  if (identity === undefined || digest === undefined) return undefined
  const delta = last === undefined ? {} : { delta: dayFileDelta(last.digest, last.document, document) }
  const drifted = last !== undefined && last.digest !== digest
  return { file, identity, digest, document, ...delta, outcomes: [], drifted }
}

/** Opens nothing: files are read when they are asked for. See `DayFiles`. */
export function openDayFiles(options: DayFilesOptions): DayFiles {
  const { root, fs, lease, sleep, monotonicNow, queue = createCanonicalQueue() } = options
  const { indexedIds = () => [], assertDailyInPlace = () => undefined } = options
  const cache = new DayFileCache()
  const context = (): DayContext => {
    const patience = { sleep, monotonicNow, deadline: monotonicNow() + BUSY_AFTER_MS }
    return { fs, lease, cache, patience, indexedIds, assertDailyInPlace }
  }

  async function readNow(name: DayFileName): Promise<DayFileState | undefined> {
    const last = cache.get(name.file)
    if (last !== undefined) return stateOf(name.file, await readCurrent(context(), name), last)
    const read = readPinned(fs, name.path)
    return read && stateOf(name.file, dayTextOf(read, name.day), undefined)
  }

  return {
    async apply(batches) {
      const rewrites = planRewrites(root, batches)
      const states = await queue.run(() => rewriteDays(context(), rewrites))
      return statesByBatch(batches, states)
    },
    async read(file) {
      const name = nameOf(root, file)
      return queue.run(() => readNow(name))
    },
    list: () => listDayFiles(fs, root),
  }
}
