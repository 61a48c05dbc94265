import { basename, dirname } from 'node:path'
import { StoreError } from '../errors.js'
import type { FileSystem, OpenFile } from './file-system.js'
import { openOwned } from './owned-file.js'
import { publishAgain, type Publisher } from './publish-file.js'
import { readBytes } from './read-pinned.js'
import { errnoOf, onDisk, storageError } from './storage-error.js'
import { writeBytes } from './write-bytes.js'

interface Target {
  readonly file: OpenFile
  readonly isNew: boolean
}

function openTarget(fs: FileSystem, path: string, base: number): Target {
  const file = openOwned(fs, path, 'write')
  if (file !== undefined) return { file, isNew: false }
  if (base > 0) throw shorter(path, 0, base)
  return { file: onDisk('create', path, () => fs.open(path, 'create'), 'not_written'), isNew: true }
}

function shorter(path: string, size: number, base: number): StoreError {
  return new StoreError(
    'canonical_invalid',
    `${basename(path)} holds ${size} bytes; ${base} were written to it before. Nothing was written. ` +
      'Something cut or removed it: bring it back from a backup.',
  )
}

/** Back to what it was. If that fails too, the bytes after `base` are cut by the next append. */
function cutBack(fs: FileSystem, { file, isNew }: Target, path: string, base: number): void {
  try {
    if (isNew) fs.remove(path)
    else file.truncate(base)
  } catch {
    // The error that led here is the one to tell; `base` still says how much counts.
  }
}

/** The first `base` bytes were flushed when `base` was recorded, so the cache may be believed about them. */
function wholeContent(file: OpenFile, base: number, bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(base + bytes.length)
  whole.set(readBytes(file, base))
  whole.set(bytes, base)
  return whole
}

/**
 * Makes the file `base` bytes of what it was, then `bytes`: of what an append that was cut left behind `base`, nothing else
 * stays. Doing it again with the same arguments changes nothing at any moment, so a replay may: what it wrote before, and
 * somebody has seen, is not away for an instant. Resolves when all is on stable storage; a
 * file that did not exist (`base` 0) is made, and its name is durable too.
 * @param base  bytes that a plan or catalog covers; what follows them was never acknowledged
 * @throws {StoreError} canonical_invalid if the file is shorter than `base`; storage_failed: outcome `not_written` (the
 *   file is cut back to `base`) or `unknown`. After a failed flush the file is published anew, whole; if that fails too
 *   the lease is failed closed. lease_lost, path_unsafe.
 */
export async function appendCovered(
  fs: FileSystem,
  lease: Publisher,
  path: string,
  base: number,
  bytes: Uint8Array,
): Promise<void> {
  lease.assertHeld()
  const target = openTarget(fs, path, base)
  const { file } = target
  try {
    const { size } = onDisk('look at', path, () => file.stat(), 'not_written')
    if (size < base) throw shorter(path, size, base)
    try {
      writeBytes(file, bytes, base) // by position: O_APPEND would write behind bytes that do not count
      if (size > base + bytes.length) file.truncate(base + bytes.length)
    } catch (error) {
      cutBack(fs, target, path, base)
      throw storageError(error, 'append to', path, 'not_written')
    }
    try {
      await file.dataSync()
      if (base === 0) await fs.syncDirectory(dirname(path)) // made now, or by an append that did not get this far
    } catch (error) {
      if (errnoOf(error) === undefined) throw error
      await publishAgain(fs, lease, path, () => [{ path, bytes: wholeContent(file, base, bytes) }])
    }
  } finally {
    onDisk('close', path, () => file.close(), 'unknown')
  }
}
