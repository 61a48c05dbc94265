// What callers may rely on; everything else is free to change.
export { MemoryError, STORE_ERRORS, StoreError } from './errors.js'
export type { MemoryErrorOptions, StoreErrorCode, WriteOutcome } from './errors.js'
export type * from './types.js'

// disk: the one way to it, ownership, publication, appends, the lease
export {
  HAS_POSIX_FILES,
  nodeFileSystem,
  type FileStat,
  type FileSystem,
  type OpenFile,
  type OpenMode,
} from './disk/file-system.js'
export { identityOf, sameIdentity, type FileIdentity } from './disk/file-identity.js'
export { checkOwned, openOwned, type OwnedKind } from './disk/owned-file.js'
export { readPinned, type PinnedRead } from './disk/read-pinned.js'
export { publishFile, publishFiles, replaceFile, type FileContent } from './disk/publish-file.js'
export { appendCovered } from './disk/append-file.js'
export { writeBytes } from './disk/write-bytes.js'
export { errnoOf, flushed, onDisk, storageError } from './disk/storage-error.js'
export { ensureDirectory, syncDirectories } from './disk/sync-directories.js'
export { listTemporaries, removeOldTemporaries, temporaryEpoch, type TemporaryFile } from './disk/temporary-files.js'
export { locateRoot, prepareRoot } from './disk/root-directory.js'
export { acquireWriterLease, type WriterLease } from './disk/writer-lease.js'
export { readEpoch, WRITER_EPOCH } from './disk/writer-epoch.js'
export { WRITER_LEASE } from './disk/writer-lock.js'

// canonical: the only writer of day files
export { createCanonicalQueue, type CanonicalQueue } from './canonical/canonical-queue.js'
export { openDayFiles, type DayFiles, type DayFilesOptions } from './canonical/day-files.js'
export type { DayFileBatch, DayFileDelta, DayFileState } from './canonical/day-file-state.js'
