import { identityOf, type FileIdentity } from './file-identity.js'
import type { WriteOutcome } from '../errors.js'
import type { FileStat, FileSystem, OpenFile } from './file-system.js'
import { errnoOf, onDisk, storageError } from './storage-error.js'
import { writeBytes } from './write-bytes.js'
import type { WriterLease } from './lease.js'

/** Content that is on stable storage under a temporary name, waiting to be renamed to `path`. */
export interface StagedFile {
  readonly path: string
  readonly temporary: string
  /** As it was when it was closed. */
  readonly written: FileStat
}

/** How many staged files are open at once: enough to share the disk's flushes, few enough for any limit of open files. */
const STAGED_AT_ONCE = 16

type Temporaries = Pick<WriterLease, 'temporaryName'>

/** Debris of a lost opening may have the name if `.writer-epoch` was removed: it is left to `removeOldTemporaries`. */
function createTemporary(fs: FileSystem, lease: Temporaries, path: string): { temporary: string; file: OpenFile } {
  for (;;) {
    const temporary = lease.temporaryName(path)
    try {
      return { temporary, file: fs.open(temporary, 'create') }
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
    }
  }
}

/** Takes a temporary away. That it stays is no loss: the next opening removes it. */
export function discardTemporary(fs: FileSystem, temporary: string): void {
  try {
    fs.remove(temporary)
  } catch {
    // Gone already, or on a disk that refuses everything: the error that led here is the one to tell.
  }
}

/**
 * Writes and flushes `bytes` beside `path`: a rename is atomic only within one file system.
 * @param outcome  of the caller's whole work, should this step fail
 * @throws {StoreError} storage_failed; the temporary is removed
 */
export async function stageFile(
  fs: FileSystem,
  lease: Temporaries,
  path: string,
  bytes: Uint8Array,
  outcome: WriteOutcome = 'not_written',
): Promise<StagedFile> {
  const { temporary, file } = onDisk('create', path, () => createTemporary(fs, lease, path), outcome)
  try {
    let written: FileStat
    try {
      writeBytes(file, bytes, 0)
      await file.sync() // before the rename: a name must never point at bytes not yet on disk
      written = file.stat()
    } finally {
      file.close()
    }
    return { path, temporary, written }
  } catch (error) {
    discardTemporary(fs, temporary)
    throw storageError(error, 'write', path, outcome)
  }
}

/** `stageFile` for several; all are staged or none. */
export async function stageFiles(
  fs: FileSystem,
  lease: Temporaries,
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  outcome: WriteOutcome = 'not_written',
): Promise<StagedFile[]> {
  const staged: StagedFile[] = []
  for (let start = 0; start < files.length; start += STAGED_AT_ONCE) {
    const slice = files.slice(start, start + STAGED_AT_ONCE)
    const results = await Promise.allSettled(slice.map(({ path, bytes }) => stageFile(fs, lease, path, bytes, outcome)))
    for (const result of results) if (result.status === 'fulfilled') staged.push(result.value)
    const failed = results.find((result) => result.status === 'rejected')
    if (failed === undefined) continue
    for (const { temporary } of staged) discardTemporary(fs, temporary)
    throw failed.reason
  }
  return staged
}

/**
 * Gives a staged file its name. The name is durable only after its directory was flushed.
 * @returns how to know the file again; undefined if it was replaced or written to in the same instant
 * @throws the file system's error as it came
 */
export function renameStaged(fs: FileSystem, staged: StagedFile): FileIdentity | undefined {
  fs.rename(staged.temporary, staged.path)
  const now = fs.lstat(staged.path) // only now: the rename itself changes ctime
  const { ino, size, mtimeNs } = staged.written
  const isOurs = now !== undefined && now.ino === ino && now.size === size && now.mtimeNs === mtimeNs
  return isOurs ? identityOf(now) : undefined
}
