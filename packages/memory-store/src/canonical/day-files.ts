import type { FileSystem } from '../disk/file-system.js'
import type { WriterLease } from '../disk/writer-lease.js'
import type { CanonicalQueue } from './canonical-queue.js'
import type { DayFileBatch, DayFileState } from './day-file-state.js'

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
}

/** The only writer of day files. Calls may overlap: they run one after the other. */
export interface DayFiles {
  /**
   * Merges the changes into their day files (FMT-13) and publishes those; each file once, batches of one file in order.
   * Resolves, in the order of `batches`, when all is on stable storage.
   * @throws {StoreError} file_busy if a file keeps changing for ten seconds; storage_failed, lease_lost, path_unsafe.
   *   Some of the files may have been written: applying the same changes again finishes the work.
   */
  apply(batches: readonly DayFileBatch[]): Promise<DayFileState[]>
  /** One day file as it is now; undefined if there is none. @throws {StoreError} file_busy, storage_failed, path_unsafe */
  read(file: string): Promise<DayFileState | undefined>
  /** Day files, relative to the root: those in `daily/`, then dated files right under the root (FMT-2); sorted. */
  list(): string[]
}

export function openDayFiles(options: DayFilesOptions): DayFiles
