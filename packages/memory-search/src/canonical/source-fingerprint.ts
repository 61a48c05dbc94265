import { fingerprint, listDayFiles, readPinned, sha256Hex, type FileSystem } from '@mono-agent/memory-store'
import { join } from 'node:path'
import type { Connection } from '../sqlite/connection.js'
import { recordedAuthority, recordedFiles } from '../sqlite/file-table.js'
import type { IndexIdentity } from '../types.js'
import { AUTHORITY_PATHS } from './authority-files.js'

/**
 * The name of the state that an index was made from (FMT-10): of its day files, which is all that lite and journal read,
 * and in bujo of graph and replay authority, of which the others have recorded none.
 */
export const recordedSource = (db: Connection): string =>
  fingerprint(
    [...recordedFiles(db).values(), ...recordedAuthority(db).values()].map(({ path, identity, digest }) => ({
      path,
      length: identity.size,
      digest,
    })),
  )

/** The name of the state that is on disk now, for this tier. @throws {StoreError} path_unsafe, storage_failed */
export async function presentSource(
  fs: FileSystem,
  root: string,
  { tier }: IndexIdentity,
  yieldTurn: () => Promise<void>,
): Promise<string> {
  const files = []
  for (const path of [...listDayFiles(fs, root), ...(tier === 'bujo' ? AUTHORITY_PATHS : [])]) {
    const read = readPinned(fs, join(root, path))
    if (read !== undefined) files.push({ path, length: read.bytes.length, digest: sha256Hex(read.bytes) })
    await yieldTurn()
  }
  return fingerprint(files)
}
