import { join } from 'node:path'
import { identityOf } from '../disk/file-identity.js'
import type { FileSystem } from '../disk/file-system.js'
import { checkOwned } from '../disk/owned-file.js'
import { publishFiles, type FileContent } from '../disk/publish-file.js'
import { readPinned } from '../disk/read-pinned.js'
import { ensureDirectory } from '../disk/sync-directories.js'
import type { WriterLease } from '../disk/lease.js'
import { StoreError } from '../errors.js'
import { auditIds, extendAuditFile } from '../format/audit-file.js'
import type { AuditLine } from '../format/audit-line.js'
import { layout } from '../format/layout.js'

/** A file that is saved this often while it is to be written is busy. */
const MAX_TRIES = 8

export interface AuditRoot {
  /** Resolved path of the root. */
  readonly root: string
  readonly fs: FileSystem
  readonly lease: WriterLease
}

/**
 * Writes audit lines, each into the file of its day, all days in one publication (FMT-9). A turn whose line is there
 * already is left as it is, but its file is published all the same: after a crash, what is found may be in the page cache
 * only. Resolves when every line is on stable storage. To be called one at a time: see `CanonicalQueue`.
 * @returns lines that were not there before
 * @throws {StoreError} storage_failed, lease_lost, path_unsafe, file_busy: writing the same lines again finishes the work
 * @throws {RangeError} a line that cannot be written; nothing was
 */
export async function writeAuditLines({ root, fs, lease }: AuditRoot, lines: readonly AuditLine[]): Promise<number> {
  if (lines.length === 0) return 0
  lease.assertHeld()
  const directory = join(root, layout.audit)
  const isThere = checkOwned(fs, directory, 'directory') !== undefined
  const first = draftAudit(fs, root, lines)
  if (!isThere) await ensureDirectory(fs, directory)
  for (let tries = 1, drafts = first; ; tries++, drafts = draftAudit(fs, root, lines)) {
    try {
      await publishFiles(fs, lease, drafts)
      break
    } catch (error) {
      const isChanged = error instanceof StoreError && error.code === 'file_busy'
      if (!isChanged || tries === MAX_TRIES) throw error // a person saved meanwhile: their text is read and kept
    }
  }
  return first.reduce((sum, { added }) => sum + added, 0)
}

interface AuditDraft extends FileContent {
  readonly added: number
}

/** The files of these lines' days, with the lines at their ends. */
function draftAudit(fs: FileSystem, root: string, lines: readonly AuditLine[]): AuditDraft[] {
  return [...new Set(lines.map(({ day }) => day))].map((day) => {
    const path = join(root, layout.auditFile(day))
    const read = readPinned(fs, path)
    const ofDay = lines.filter((line) => line.day === day)
    const madeFrom = { identity: read && identityOf(read.stat) }
    return { path, madeFrom, ...extendAuditFile(read?.bytes, day, ofDay) }
  })
}

/**
 * Ids of the audit lines of a day, in file order; none where there is no file.
 * @throws {StoreError} path_unsafe, storage_failed, file_busy  @throws {RangeError} `day` is none
 */
export function readAuditIds(fs: FileSystem, root: string, day: string): string[] {
  checkOwned(fs, join(root, layout.audit), 'directory')
  const read = readPinned(fs, join(root, layout.auditFile(day)))
  return read === undefined ? [] : auditIds(read.bytes)
}
