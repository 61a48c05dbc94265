import type { FileIdentity } from '../disk/file-identity.js'
import type { Bullet } from '../format/bullet.js'
import type { DayDocument } from '../format/daily-file.js'
import type { DayChange, DayChangeOutcome } from '../format/day-changes.js'

/** The changes for one day file, in order. */
export interface DayFileBatch {
  /** Relative to the root, e.g. `daily/2026-05-01.md`. */
  readonly file: string
  readonly changes: readonly DayChange[]
}

/** What differs from the state with digest `base`; lets the index touch only these rows. */
export interface DayFileDelta {
  /** Undefined where there was no file. */
  readonly base: string | undefined
  readonly added: readonly Bullet[]
  readonly changed: readonly Bullet[]
  /** Ids. */
  readonly removed: readonly string[]
}

/** One day file as it is on stable storage. */
export interface DayFileState {
  /** Relative to the root, e.g. `daily/2026-05-01.md`. */
  readonly file: string
  readonly identity: FileIdentity
  /** SHA-256 of the bytes, lower-case hex. */
  readonly digest: string
  readonly document: DayDocument
  /** Absent where no earlier state is known: then every row of the file is to be compared. */
  readonly delta?: DayFileDelta
  /** One for each change, in order; empty from `read`. */
  readonly outcomes: readonly DayChangeOutcome[]
  /** The file was not as this writer left it: a person edited. */
  readonly drifted: boolean
}
