import { basename, dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { StoreError } from '../errors.js'
import { failClosed } from './fail-closed.js'
import { identityOf, sameIdentity, type FileIdentity } from './file-identity.js'
import type { FileSystem } from './file-system.js'
import { isHeldOpen } from './held-open.js'
import { checkOwned } from './owned-file.js'
import { discardTemporary, renameStaged, stageFiles, type StagedFile } from './staged-file.js'
import { onDisk, storageError } from './storage-error.js'
import { writeBytes } from './write-bytes.js'
import type { WriterLease } from './lease.js'

export interface FileContent {
  /** Absolute path; its directory exists. */
  readonly path: string
  readonly bytes: Uint8Array
  /**
   * What the content was made from: `identity` as it was read, undefined if there was no file. Looked at once more right
   * before the rename. Left out: whatever is there is replaced.
   */
  readonly madeFrom?: { readonly identity: FileIdentity | undefined }
}

/** What publication needs of a lease; the epoch file is published before there is one. */
export type Publisher = Pick<WriterLease, 'assertHeld' | 'temporaryName' | 'failClosed'>

/** Where a file that is open elsewhere cannot be replaced (Windows), the rename is tried again this often and long. */
const RENAME_RETRY_MS = 50
const RENAME_RETRIES = 20

type Identities = Map<string, FileIdentity | undefined>

async function renamePatiently(
  fs: FileSystem,
  lease: Publisher,
  staged: StagedFile,
): Promise<FileIdentity | undefined> {
  for (let retries = 0; ; retries++) {
    lease.assertHeld()
    try {
      return renameStaged(fs, staged)
    } catch (error) {
      if (retries === RENAME_RETRIES || !isHeldOpen(error)) throw storageError(error, 'replace', staged.path, 'unknown')
    }
    await wait(RENAME_RETRY_MS)
  }
}

/** A save between this look and the rename, microseconds later, is beyond reach. */
function assertUnchanged(fs: FileSystem, { path, madeFrom }: FileContent): void {
  if (madeFrom === undefined) return
  const stat = checkOwned(fs, path, 'file')
  if (sameIdentity(madeFrom.identity, stat && identityOf(stat))) return
  throw new StoreError(
    'file_busy',
    `${basename(path)} was changed while it was to be replaced. It was left as it is. Try again.`,
  )
}

/** Everything but the flush of the directories. */
async function replaceAll(fs: FileSystem, lease: Publisher, files: readonly FileContent[]): Promise<Identities> {
  for (const { path } of files) checkOwned(fs, path, 'file')
  const staged = await stageFiles(fs, lease, files)
  const identities: Identities = new Map()
  try {
    for (const [index, file] of staged.entries()) {
      assertUnchanged(fs, files[index] as FileContent)
      identities.set(file.path, await renamePatiently(fs, lease, file))
    }
    return identities
  } finally {
    for (const { path, temporary } of staged) if (!identities.has(path)) discardTemporary(fs, temporary)
  }
}

/** Flushes the directories of `files`, each once. @returns the files whose names are in doubt, and the first reason */
async function flushNames(
  fs: FileSystem,
  files: readonly FileContent[],
): Promise<{ readonly doubtful: readonly FileContent[]; readonly cause: unknown }> {
  const doubtful: FileContent[] = []
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
 * @param files  each path once
 * @returns by path, how to know the file again; undefined for one that somebody wrote to in the same instant
 * @throws {StoreError} storage_failed: outcome `not_written` while every file is as it was, else `unknown`. A directory
 *   whose flush failed has names in doubt: its files are published once more under new inodes, and if that fails too the
 *   lease is failed closed. file_busy: one is no longer what its content was made from (`madeFrom`); those before it in the
 *   list were replaced, but not flushed. lease_lost; path_unsafe.
 */
export async function publishFiles(
  fs: FileSystem,
  lease: Publisher,
  files: readonly FileContent[],
): Promise<ReadonlyMap<string, FileIdentity | undefined>> {
  lease.assertHeld()
  const identities = await replaceAll(fs, lease, files)
  const { doubtful } = await flushNames(fs, files)
  if (doubtful.length === 0) return identities
  const contents = doubtful.map(({ path, bytes }) => ({ path, bytes })) // made from what they themselves replaced
  const anew = await publishAgain(fs, lease, doubtful[0]?.path ?? '', () => contents)
  return new Map([...identities, ...anew])
}

/**
 * The last try after a failed flush: what is in doubt is written anew, whole, or nothing is written any more.
 * @param path  named in the message
 * @throws {StoreError} storage_failed, lease_lost
 */
export async function publishAgain(
  fs: FileSystem,
  lease: Publisher,
  path: string,
  contents: () => readonly FileContent[],
): Promise<ReadonlyMap<string, FileIdentity | undefined>> {
  try {
    const files = contents()
    const identities = await replaceAll(fs, lease, files)
    const { doubtful, cause } = await flushNames(fs, files)
    if (doubtful.length > 0) throw cause
    return identities
  } catch (error) {
    return failClosed(lease, error, path)
  }
}

/** `publishFiles` for one. */
export async function publishFile(
  fs: FileSystem,
  lease: Publisher,
  path: string,
  bytes: Uint8Array,
): Promise<FileIdentity | undefined> {
  return (await publishFiles(fs, lease, [{ path, bytes }])).get(path)
}

/**
 * Replaces a file whole without a flush: for `runtime.json` only, which may be old, empty or torn after a power loss.
 * @throws {StoreError} storage_failed, lease_lost, path_unsafe
 */
export function replaceFile(fs: FileSystem, lease: Publisher, path: string, bytes: Uint8Array): void {
  lease.assertHeld()
  checkOwned(fs, path, 'file')
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
