import type { FileSystem } from '../disk/file-system.js'
import type { WriterLease } from '../disk/lease.js'
import type { DayFileCache } from './day-file-cache.js'
import type { Patience } from './settled-read.js'

/** What one call on day files works with. */
export interface DayContext {
  readonly fs: FileSystem
  readonly lease: WriterLease
  readonly cache: DayFileCache
  readonly patience: Patience
  /** Ids that the index has of a day file, for one that was not read yet. */
  readonly indexedIds: (file: string) => Iterable<string>
  /** Throws where `daily/` is missing or another one, and must not be begun anew. */
  readonly assertDailyInPlace: () => void
}

export interface DayFileName {
  /** Relative to the root. */
  readonly file: string
  readonly path: string
  /** `YYYY-MM-DD` */
  readonly day: string
}
