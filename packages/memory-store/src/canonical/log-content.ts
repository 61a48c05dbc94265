import { createHash, type Hash } from 'node:crypto'
import { join } from 'node:path'
import { identityOf, type FileIdentity } from '../disk/file-identity.js'
import type { FileSystem } from '../disk/file-system.js'
import { readPinned, type PinnedRead } from '../disk/read-pinned.js'
import { StoreError } from '../errors.js'
import type { RootPath } from '../format/layout.js'
import { parseLineLog, type ParseLine } from '../format/line-log.js'

/** The bytes that a log began with when a plan was made: the plan's lines go behind them. */
export interface LogBase {
  /** Bytes from the start of the file. */
  readonly length: number
  /** SHA-256 of these bytes, lower-case hex. */
  readonly digest: string
}

/** A canonical file as it is: how to know it again, and the SHA-256 of all its bytes. */
export interface CanonicalFile {
  /** Relative to the root. */
  readonly path: RootPath
  readonly identity: FileIdentity
  readonly digest: string
}

/** An append-only log that was read. */
export interface LogContent<Line> {
  readonly lines: readonly Line[]
  /** Bytes that count: all of the file, but for a tail that a plan covers. */
  readonly length: number
  /** Over those bytes, to be gone on with. */
  readonly hash: Hash
  /** Of the file as it is, tail included; undefined where there is none. */
  readonly identity: FileIdentity | undefined
}

export interface LogFormat<Line> {
  readonly path: RootPath
  readonly parse: ParseLine<Line>
}

export function hashOf(bytes: Uint8Array): Hash {
  return createHash('sha256').update(bytes)
}

/** Does what was read begin with what a plan builds on? */
export function beginsWith(bytes: Uint8Array, base: LogBase): boolean {
  return bytes.length >= base.length && hashOf(bytes.subarray(0, base.length)).digest('hex') === base.digest
}

/** A canonical file is damaged; it says where. */
export function canonicalInvalid(path: RootPath, what: string): StoreError {
  return new StoreError(
    'canonical_invalid',
    `${path} ${what}. It was left untouched. Mend it by hand, or bring it back from version control or a backup.`,
  )
}

/**
 * The lines of the first `length` bytes.
 * @throws {StoreError} canonical_invalid, naming the file and the first byte that cannot be read
 */
export function logContent<Line>(
  { path, parse }: LogFormat<Line>,
  read: PinnedRead | undefined,
  length: number,
): LogContent<Line> {
  const bytes = (read?.bytes ?? new Uint8Array()).subarray(0, length)
  const { lines, damage } = parseLineLog(bytes, parse)
  const [first] = damage
  if (first !== undefined) {
    const what = first.kind === 'torn' ? 'ends in a torn line' : 'holds a line that cannot be read'
    throw canonicalInvalid(path, `${what}: line ${first.line}, from byte ${first.offset}`)
  }
  return { lines, length: bytes.length, hash: hashOf(bytes), identity: read && identityOf(read.stat) }
}

/**
 * Reads a log whole, pinned. Behind the base of a plan nothing counts: an append may have been cut there (FMT-7).
 * @throws {StoreError} canonical_invalid; path_unsafe, storage_failed, file_busy
 */
export function readLog<Line>(
  fs: FileSystem,
  root: string,
  format: LogFormat<Line>,
  covered: LogBase | undefined,
): LogContent<Line> {
  const read = readPinned(fs, join(root, format.path))
  const size = read?.bytes.length ?? 0
  const isCovered = covered !== undefined && beginsWith(read?.bytes ?? new Uint8Array(), covered)
  return logContent(format, read, isCovered ? covered.length : size)
}
