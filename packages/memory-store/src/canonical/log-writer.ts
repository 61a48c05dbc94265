import { join } from 'node:path'
import { appendCovered } from '../disk/append-file.js'
import { identityOf, sameIdentity } from '../disk/file-identity.js'
import type { FileSystem } from '../disk/file-system.js'
import type { WriterLease } from '../disk/lease.js'
import { checkOwned } from '../disk/owned-file.js'
import { readPinned, type PinnedRead } from '../disk/read-pinned.js'
import { formatLineLog, keptLength } from '../format/line-log.js'
import {
  beginsWith,
  hashOf,
  logContent,
  type CanonicalFile,
  type LogBase,
  type LogContent,
  type LogFormat,
} from './log-content.js'
import { BUSY_AFTER_MS, readSettled } from './settled-read.js'

export interface LogOptions {
  /** Resolved path of the root. */
  readonly root: string
  readonly fs: FileSystem
  /** Held by the caller for as long as the file is written. */
  readonly lease: WriterLease
  /** Waits for an editor to finish; milliseconds. */
  readonly sleep: (ms: number) => Promise<void>
  /** Monotonic milliseconds. */
  readonly monotonicNow: () => number
  /** What the plan that is still to be carried out, if any, builds on: what follows it may be torn. */
  readonly covered?: LogBase
}

/** Where the lines of a plan go. */
export interface Placement<Line> {
  /** What stands before them, read anew; undefined if it is as it was left. */
  readonly lines: readonly Line[] | undefined
  /** Directly behind the base of the plan; else behind what somebody else wrote, some of the plan's lines among it perhaps. */
  readonly isPlanned: boolean
}

type Known<Line> = Omit<LogContent<Line>, 'lines'>

/**
 * An append-only canonical log in the hands of its one writer: knows length and digest of what it left, so that an append
 * does not read the file, and notices by one lstat when somebody else changed it. What they wrote stays.
 */
export class LogWriter<Line> {
  readonly #path: string
  #known: Known<Line> | undefined
  /** Flushed under this lease. What was only found may exist in the page cache alone (FMT-11). */
  #isDurable = false

  constructor(
    private readonly options: LogOptions,
    private readonly format: LogFormat<Line>,
  ) {
    this.#path = join(options.root, format.path)
  }

  /** Bytes that count. */
  get length(): number {
    return this.#known?.length ?? 0
  }

  /** What the next plan builds on. */
  base(): LogBase {
    return { length: this.length, digest: (this.#known?.hash ?? hashOf(new Uint8Array())).copy().digest('hex') }
  }

  /** The file as it was left; none if there is none, or a plan has yet to cut its end. */
  file(): CanonicalFile | undefined {
    const identity = this.#known?.identity
    if (identity?.size !== this.length) return undefined
    return { path: this.format.path, identity, digest: this.base().digest }
  }

  /** @throws {StoreError} path_unsafe, storage_failed */
  isAsLeft(): boolean {
    const stat = checkOwned(this.options.fs, this.#path, 'file')
    return this.#known !== undefined && sameIdentity(this.#known.identity, stat && identityOf(stat))
  }

  /** Reads the file; one that changed since it was left, until it has settled (FMT-13). */
  async #readNow(): Promise<PinnedRead | undefined> {
    const { fs, sleep, monotonicNow } = this.options
    const read = (): PinnedRead | undefined => readPinned(fs, this.#path)
    if (this.#known === undefined || this.isAsLeft()) return read()
    const patience = { sleep, monotonicNow, deadline: monotonicNow() + BUSY_AFTER_MS }
    return readSettled(read, new Set(), patience, this.format.path)
  }

  #take({ lines, ...known }: LogContent<Line>): readonly Line[] {
    this.#known = known
    this.#isDurable = false
    return lines
  }

  /**
   * Reads the file anew; behind a base that it begins with nothing counts.
   * @throws {StoreError} canonical_invalid; file_busy, path_unsafe, storage_failed
   */
  async read(covered?: LogBase): Promise<readonly Line[]> {
    const read = await this.#readNow()
    const bytes = read?.bytes ?? new Uint8Array()
    const isCovered = covered !== undefined && beginsWith(bytes, covered)
    return this.#take(logContent(this.format, read, isCovered ? covered.length : bytes.length))
  }

  /**
   * Finds where the lines of a plan go: behind its base, where an append that was cut is not kept. Behind whole lines of
   * somebody else, if there are any, and at the end of a file that no longer begins with what the plan builds on.
   * @param ours      the lines to be written, without line feeds
   * @param planned   all lines that the plan may have written before
   * @param mustRead  the caller wants to know all that stands before them
   * @throws {StoreError} canonical_invalid; file_busy, path_unsafe, storage_failed
   */
  async place(
    base: LogBase,
    ours: ReadonlySet<string>,
    planned: ReadonlySet<string>,
    mustRead = false,
  ): Promise<Placement<Line>> {
    const known = this.base()
    const isBase = known.length === base.length && known.digest === base.digest
    const isWhole = (this.#known?.identity?.size ?? 0) === known.length
    if (!mustRead && isBase && isWhole && this.isAsLeft()) return { lines: undefined, isPlanned: true }
    const read = await this.#readNow()
    const bytes = read?.bytes ?? new Uint8Array()
    const isCovered = beginsWith(bytes, base)
    const kept = isCovered ? keptLength(bytes, base.length, ours, planned, this.format.parse) : bytes.length
    const lines = this.#take(logContent(this.format, read, kept))
    return { lines, isPlanned: isCovered && kept === base.length }
  }

  /**
   * Appends at the place that was found; with no lines, what was found is cut and flushed.
   * @throws {StoreError} storage_failed, lease_lost, path_unsafe
   */
  async append(lines: readonly string[]): Promise<void> {
    const { fs, lease } = this.options
    const known = this.#known
    if (known === undefined) throw new TypeError('A log is read before it is appended to.')
    if (lines.length === 0 && (this.#isDurable || known.identity === undefined)) return
    const bytes = formatLineLog(lines)
    this.#known = undefined // should this fail, the file is read again
    await appendCovered(fs, lease, this.#path, known.length, bytes)
    this.left(known.length + bytes.length, known.hash.update(bytes))
  }

  /** The file was written by this process: so long, with these bytes. */
  left(length: number, hash = hashOf(new Uint8Array())): void {
    const stat = checkOwned(this.options.fs, this.#path, 'file')
    // Another size: somebody wrote in the same instant, and the next look reads it.
    this.#known = stat?.size === length ? { length, hash, identity: identityOf(stat) } : undefined
    this.#isDurable = this.#known !== undefined
  }

  /** Whatever happened to the file: the next look reads it. */
  forget(): void {
    this.#known = undefined
  }
}
