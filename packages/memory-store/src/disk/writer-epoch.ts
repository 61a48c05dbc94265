import { basename, join } from 'node:path'
import { layout } from '../format/layout.js'
import { parseTemporaryName } from '../format/temporary-name.js'
import type { FileIdentity } from './file-identity.js'
import type { FileSystem } from './file-system.js'
import { checkOwned } from './owned-file.js'
import { publishFile, type Publisher } from './publish-file.js'
import { readPinned } from './read-pinned.js'
import { onDisk } from './storage-error.js'
import { temporariesIn } from './temporary-files.js'

/** What tells that nobody published an epoch after us: a rename gives a new inode, a write a new ctime. */
export type EpochMark = Pick<FileIdentity, 'ino' | 'ctimeNs' | 'size'>

const DECIMAL = /^[1-9]\d{0,14}\n?$/
/** What has a digit more is no epoch that a writer of this library reached. */
const MAX_EPOCH = 999_999_999_999_999

/** @returns the number, from 1; undefined if the bytes are no such number */
export function parseEpoch(bytes: Uint8Array): number | undefined {
  const text = Buffer.from(bytes).toString('latin1')
  return DECIMAL.test(text) ? Number(text) : undefined
}

/**
 * The epoch of the next opening. An opening that was cut before its epoch had its name left a temporary of that epoch:
 * it is passed over, or this writer would take that debris for work of its own.
 * @throws {StoreError} path_unsafe, storage_failed
 */
export function nextEpoch(fs: FileSystem, root: string): number {
  const cut = temporariesIn(fs, root).filter(({ path }) => isOfEpochFile(path))
  return Math.max(readEpoch(fs, root), ...cut.map(({ epoch }) => epoch).filter((epoch) => epoch < MAX_EPOCH)) + 1
}

function isOfEpochFile(path: string): boolean {
  return parseTemporaryName(basename(path))?.target === layout.writerEpoch
}

export function formatEpoch(epoch: number): Uint8Array {
  return Buffer.from(`${epoch}\n`, 'latin1')
}

/**
 * The epoch of the last opening by a writer, for readers as well; 0 if the file is missing or holds no number. It may be
 * counted from 1 again, because it carries no data: what matters is that each opening publishes another file, and a
 * temporary name that is taken already is passed over.
 * @throws {StoreError} path_unsafe, storage_failed
 */
export function readEpoch(fs: FileSystem, root: string): number {
  const read = readPinned(fs, join(root, layout.writerEpoch))
  return read === undefined ? 0 : (parseEpoch(read.bytes) ?? 0)
}

/**
 * Publishes the epoch of this opening: the first act under the lock (FMT-12).
 * @returns undefined if another one took its place in the same instant
 */
export async function publishEpoch(
  fs: FileSystem,
  root: string,
  epoch: number,
  publisher: Publisher,
): Promise<EpochMark | undefined> {
  return publishFile(fs, publisher, join(root, layout.writerEpoch), formatEpoch(epoch))
}

/** One lstat; undefined if the file is gone. */
export function lookAtEpoch(fs: FileSystem, root: string): EpochMark | undefined {
  const path = join(root, layout.writerEpoch)
  return onDisk('look at', path, () => fs.lstat(path))
}

export function isSameEpoch(a: EpochMark, b: EpochMark | undefined): boolean {
  return b !== undefined && a.ino === b.ino && a.ctimeNs === b.ctimeNs && a.size === b.size
}

/** FMT-1 for the epoch file, before anything is written. */
export function checkEpochFile(fs: FileSystem, root: string): void {
  checkOwned(fs, join(root, layout.writerEpoch), 'file')
}
