import { basename } from 'node:path'
import { StoreError } from '../errors.js'
import { sameIdentity } from './file-identity.js'
import type { FileStat, FileSystem, OpenFile } from './file-system.js'
import { openOwned } from './owned-file.js'
import { onDisk } from './storage-error.js'

export interface PinnedRead {
  readonly bytes: Uint8Array
  /** As it was before and after the read. */
  readonly stat: FileStat
}

/** A read that is disturbed this often meets a file that is written all the time; the caller waits and asks again. */
const MAX_TRIES = 8

/** All bytes from `position` 0 up to `length`, or fewer if the file ends earlier. */
export function readBytes(file: OpenFile, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let filled = 0
  while (filled < length) {
    const count = file.read(bytes.subarray(filled), filled)
    if (count === 0) break
    filled += count
  }
  return filled === length ? bytes : bytes.subarray(0, filled)
}

/** One try: undefined if the file moved while it was read. */
export function readUnmoved(file: OpenFile): PinnedRead | undefined {
  const before = file.stat()
  const bytes = readBytes(file, before.size)
  const after = file.stat()
  return bytes.length === before.size && sameIdentity(before, after) ? { bytes, stat: after } : undefined
}

/**
 * Reads a file whole so that no two states of it are mixed (FMT-10): opened without following links, `fstat` before and
 * after, read again if it moved. That nothing moved does not mean that an editor had finished (FMT-13).
 * @returns undefined if there is no such file
 * @throws {StoreError} path_unsafe; storage_failed; file_busy if it moved during each of eight reads
 */
export function readPinned(fs: FileSystem, path: string): PinnedRead | undefined {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const file = openOwned(fs, path, 'read')
    if (file === undefined) return undefined
    try {
      const read = onDisk('read', path, () => readUnmoved(file))
      // Without a name any more, it was replaced: what has the name now is the file.
      if (read !== undefined && read.stat.links !== 0) return read
    } finally {
      onDisk('close', path, () => file.close())
    }
  }
  throw new StoreError('file_busy', `${basename(path)} changed during each of ${MAX_TRIES} reads. Try again later.`)
}
