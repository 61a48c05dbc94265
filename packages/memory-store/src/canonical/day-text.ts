import { identityOf, type FileIdentity } from '../disk/file-identity.js'
import type { PinnedRead } from '../disk/read-pinned.js'
import { emptyDayDocument, parseDayFile, type DayDocument } from '../format/daily-file.js'
import { sha256Hex } from '../format/sha256.js'

/** A day file at one moment; identity and digest are undefined while there is no file. */
export interface DayText {
  readonly identity: FileIdentity | undefined
  readonly digest: string | undefined
  readonly document: DayDocument
}

/** @param day  `YYYY-MM-DD`, the heading of a file that does not exist yet */
export function dayTextOf(read: PinnedRead | undefined, day: string): DayText {
  if (read === undefined) return { identity: undefined, digest: undefined, document: emptyDayDocument(day) }
  return { identity: identityOf(read.stat), digest: sha256Hex(read.bytes), document: parseDayFile(read.bytes) }
}
