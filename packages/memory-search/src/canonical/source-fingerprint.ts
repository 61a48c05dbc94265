import { fingerprint, listDayFiles, readPinned, sha256Hex, type FileSystem } from '@mono-agent/memory-store'
import { join } from 'node:path'
import type { RecordedFile } from '../sqlite/file-table.js'

/** The name of the state that an index was made from (FMT-10): of its day files, which is all that lite and journal read. */
export const recordedSource = (files: Iterable<RecordedFile>): string =>
  fingerprint([...files].map(({ path, identity, digest }) => ({ path, length: identity.size, digest })))

/** The name of the state that is on disk now. @throws {StoreError} path_unsafe, storage_failed */
export async function presentSource(fs: FileSystem, root: string, yieldTurn: () => Promise<void>): Promise<string> {
  const files = []
  for (const path of listDayFiles(fs, root)) {
    const read = readPinned(fs, join(root, path))
    if (read !== undefined) files.push({ path, length: read.bytes.length, digest: sha256Hex(read.bytes) })
    await yieldTurn()
  }
  return fingerprint(files)
}
