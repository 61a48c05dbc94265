import { sameIdentity, identityOf, type FileIdentity } from '../disk/file-identity.js'
import type { FileSystem, OpenFile } from '../disk/file-system.js'
import { openOwned } from '../disk/owned-file.js'
import { isHeldOpen } from '../disk/held-open.js'
import { readBytes } from '../disk/read-pinned.js'
import { discardTemporary, renameStaged, type StagedFile } from '../disk/staged-file.js'
import { onDisk, storageError } from '../disk/storage-error.js'
import type { WriterLease } from '../disk/lease.js'
import { sha256Hex } from '../format/sha256.js'
import type { DayText } from './day-text.js'

/** What became of one rename. */
export type Replacement =
  /** The name is ours, its directory not yet flushed. */
  | { readonly kind: 'replaced'; readonly identity: FileIdentity }
  /** It was not what had been read, or did not stay what was published: read again. */
  | { readonly kind: 'moved' }
  /** The platform does not replace a file that another program has open: wait, and look again. */
  | { readonly kind: 'held' }
  /** Replaced, but the old file had been written to meanwhile: it is open still, and the person's text is in it. */
  | { readonly kind: 'edited'; readonly identity: FileIdentity | undefined; readonly old: OpenFile }

/** A whole file read once more; with a name or without one. */
function digestOfOpen(file: OpenFile): string {
  return sha256Hex(readBytes(file, file.stat().size))
}

/**
 * Puts a staged day file in the place of what was read (FMT-13): looks once more, renames, and reads the replaced file,
 * which was kept open, once more. No step in here waits, so the instant in which a person's save can slip through is as
 * short as it can be.
 * @throws {StoreError} storage_failed with outcome `unknown`, lease_lost, path_unsafe; the temporary is removed
 */
export function replaceDayFile(fs: FileSystem, lease: WriterLease, staged: StagedFile, read: DayText): Replacement {
  let old: OpenFile | undefined
  let isOldWanted = false
  let isRenamed = false
  try {
    lease.assertHeld()
    old = openOwned(fs, staged.path, 'read')
    if (!sameIdentity(old === undefined ? undefined : identityOf(old.stat()), read.identity)) return { kind: 'moved' }
    let identity: FileIdentity | undefined
    try {
      identity = renameStaged(fs, staged)
    } catch (error) {
      if (isHeldOpen(error)) return { kind: 'held' }
      throw error
    }
    isRenamed = true
    if (old !== undefined && onDisk('read', staged.path, () => digestOfOpen(old as OpenFile)) !== read.digest) {
      isOldWanted = true
      return { kind: 'edited', identity, old }
    }
    return identity === undefined ? { kind: 'moved' } : { kind: 'replaced', identity }
  } catch (error) {
    throw storageError(error, 'replace', staged.path, 'unknown')
  } finally {
    if (!isRenamed) discardTemporary(fs, staged.temporary)
    if (!isOldWanted) onDisk('close', staged.path, () => old?.close(), 'unknown')
  }
}
