import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { HAS_POSIX_FILES, type FileSystem } from './file-system.js'
import { discardTemporary, renameStaged, stageFiles, type StagedFile } from './staged-file.js'
import { errnoOf, onDisk, storageError } from './storage-error.js'
import { writeBytes } from './write-bytes.js'
import type { WriterLease } from './writer-lease.js'

export interface FileContent {
  /** Absolute path; its directory exists. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** What publication needs of a lease; the epoch file is published before there is one. */
export type Publisher = Pick<WriterLease, 'assertHeld' | 'temporaryName' | 'failClosed'>

/** Where a file that is open elsewhere cannot be replaced (Windows), the rename is tried again this often and long. */
const RENAME_RETRY_MS = 50
const RENAME_RETRIES = 20

/** Is this the refusal to replace a file that another program has open? */
export function isHeldOpen(error: unknown, hasPosixFiles = HAS_POSIX_FILES): boolean {
  return !hasPosixFiles && ['EPERM', 'EACCES', 'EBUSY'].includes(errnoOf(error) ?? '')
}

async function renameHeld(fs: FileSystem, lease: Publisher, staged: StagedFile): Promise<void> {
  for (let retries = 0; ; retries++) {
    lease.assertHeld()
    try {
      renameStaged(fs, staged)
      return
    } catch (error) {
      if (retries === RENAME_RETRIES || !isHeldOpen(error)) throw storageError(error, 'replace', staged.path, 'unknown')
    }
    await wait(RENAME_RETRY_MS)
  }
}

/** Everything but the flush of the directories. */
async function replaceAll(fs: FileSystem, lease: Publisher, files: readonly FileContent[]): Promise<void> {
  const staged = await stageFiles(fs, lease, files)
  let renamed = 0
  try {
    for (const file of staged) {
      await renameHeld(fs, lease, file)
      renamed++
    }
  } finally {
    for (const { temporary } of staged.slice(renamed)) discardTemporary(fs, temporary)
  }
}

/** Flushes the directories of `files`; the files whose names are in doubt, and why. */
async function flushNames<F extends { readonly path: string }>(
  fs: FileSystem,
  files: readonly F[],
): Promise<{ readonly doubtful: F[]; readonly cause: unknown }> {
  const doubtful: F[] = []
  let cause: unknown
  for (const directory of new Set(files.map(({ path }) => dirname(path)))) {
    try {
      await fs.syncDirectory(directory)
    } catch (error) {
      cause ??= error
      doubtful.push(...files.filter(({ path }) => dirname(path) === directory))
    }
  }
  return { doubtful, cause }
}

/**
 * Replaces each file whole: after a crash at any instruction a reader finds its old bytes or its new ones (FMT-11). The
 * files of one directory share its flush; between the files there is no order. Resolves when all is on stable storage.
 * @throws {StoreError} storage_failed: outcome `not_written` while every file is as it was, else `unknown`. A directory
 *   whose flush failed has names in doubt: its files are published once more under new inodes, and if that fails too the
 *   lease is failed closed. lease_lost.
 */
export async function publishFiles(fs: FileSystem, lease: Publisher, files: readonly FileContent[]): Promise<void> {
  lease.assertHeld()
  await replaceAll(fs, lease, files)
  const first = await flushNames(fs, files)
  if (first.doubtful.length === 0) return
  await publishAgain(fs, lease, first.doubtful)
}

/** The last try after a failed flush: what is in doubt is written anew, whole, or nothing is written any more. */
export async function publishAgain(fs: FileSystem, lease: Publisher, files: readonly FileContent[]): Promise<void> {
  try {
    await replaceAll(fs, lease, files)
    const { doubtful, cause } = await flushNames(fs, files)
    if (doubtful.length > 0) throw storageError(cause, 'flush the directory of', doubtful[0]?.path ?? '', 'unknown')
  } catch (error) {
    lease.failClosed(error)
    throw storageError(error, 'publish again', files[0]?.path ?? '', 'unknown')
  }
}

/** `publishFiles` for one. */
export async function publishFile(fs: FileSystem, lease: Publisher, path: string, bytes: Uint8Array): Promise<void> {
  await publishFiles(fs, lease, [{ path, bytes }])
}

/**
 * Replaces a file whole without a flush: for `runtime.json` only, which may be old, empty or torn after a power loss.
 * @throws {StoreError} storage_failed, lease_lost
 */
export function replaceFile(fs: FileSystem, lease: Publisher, path: string, bytes: Uint8Array): void {
  lease.assertHeld()
  const temporary = lease.temporaryName(path)
  onDisk('replace', path, () => {
    const file = fs.open(temporary, 'create')
    try {
      try {
        writeBytes(file, bytes, 0)
      } finally {
        file.close()
      }
      fs.rename(temporary, path)
    } catch (error) {
      discardTemporary(fs, temporary)
      throw error
    }
  })
}
