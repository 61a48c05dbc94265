import {
  ensureDirectory,
  errnoOf,
  onDisk,
  storageError,
  withOutcome,
  writeBytes,
  type FileSystem,
  type OpenFile,
  type WriteOutcome,
  type WriterLease,
} from '@mono-agent/memory-store'
import { closeFile } from './close-file.js'
import { IntakeError } from './errors.js'
import { formatFrame, formatSegmentHeader } from './format/log-frame.js'
import type { IntakePaths } from './intake-paths.js'

/** With this much log that no checkpoint could fold in, admission stops. */
export const MAX_LOG_BYTES = 64 * 1024 * 1024

interface Segment {
  readonly number: number
  readonly path: string
  readonly file: OpenFile
  /** What the name must lead to: what is written to a file without a name is gone with the process. */
  readonly inode: { readonly dev: bigint; readonly ino: bigint }
  readonly headerEnd: number
  /** Up to here everything was flushed. */
  committedEnd: number
}

export interface AdmissionLogParts {
  readonly fs: FileSystem
  readonly lease: WriterLease
  readonly paths: IntakePaths
  /** Store id, 64 hex. */
  readonly store: string
  /** Segments on disk, ascending: folded in, or to be; none is written to again. */
  readonly segments: readonly number[]
  /** The number before that of the next segment. */
  readonly lastSegment: number
}

/** The log being written. One caller at a time: `append` and `rotate` never overlap. */
export class AdmissionLog {
  #segment: Segment | undefined
  #lastNumber: number
  /** The segment may end in bytes that nobody was told about: no frame may come behind them. */
  #isSealed = true
  /**
   * A segment that something removed or replaced. Nothing more is acknowledged until a checkpoint has folded in what it
   * held: an opening refuses a log with a gap.
   */
  #gone: number | undefined
  #bytes = 0
  #onDisk: number[]

  constructor(private readonly parts: AdmissionLogParts) {
    this.#lastNumber = parts.lastSegment
    this.#onDisk = [...parts.segments]
  }

  /** Bytes of frames that no checkpoint has folded in. */
  get bytes(): number {
    return this.#bytes
  }

  /** The segment being written, or the last one. */
  get lastNumber(): number {
    return this.#lastNumber
  }

  /**
   * Makes one group durable: one write at the committed end, one flush, one look whether the file still has its name.
   * @param body  canonical JSON array
   * @throws {StoreError} storage_failed, lease_lost  @throws {IntakeError} intake_invalid if the segment is gone; each with
   *   outcome `not_written`, or `unknown` if the group may be found later
   */
  async append(body: string): Promise<void> {
    const { lease } = this.parts
    if (this.#gone !== undefined) throw segmentGone('not_written')
    // Behind a failed flush a frame would prove that what stands before it was durable; so it goes to another file.
    if (this.#isSealed) await this.rotate()
    const { segment, frame } = await this.#write(body)
    try {
      await segment.file.dataSync()
    } catch (error) {
      this.#isSealed = true
      throw storageError(error, 'flush', segment.path, 'unknown')
    }
    try {
      if (!this.#isInPlace(segment, 'unknown')) throw segmentGone('unknown')
      lease.assertHeld() // another writer may have opened the root meanwhile, without this group
    } catch (error) {
      this.#isSealed = true
      throw withOutcome(error, 'unknown')
    }
    segment.committedEnd += frame.length
    this.#bytes += frame.length
  }

  /** Writes a frame behind the last one, or into the next segment where this one may not grow any more. */
  async #write(body: string): Promise<{ readonly segment: Segment; readonly frame: Uint8Array }> {
    for (;;) {
      const segment = this.#segment
      if (segment === undefined) throw new TypeError('The log has no segment.')
      if (this.#gone !== undefined) throw segmentGone('not_written') // the rotation has found a gap
      const frame = formatFrame({ store: this.parts.store, number: segment.number }, body)
      this.#assertHeld()
      try {
        writeBytes(segment.file, frame, segment.committedEnd)
        return { segment, frame }
      } catch (error) {
        const outcome = this.#cutBack(segment)
        // A limit on the size of files (RLIMIT_FSIZE, or the file system's own) is no fault of the disk: roll on.
        const isFull = errnoOf(error) === 'EFBIG' && segment.committedEnd > segment.headerEnd
        if (!isFull || outcome === 'unknown') throw storageError(error, 'append to', segment.path, outcome)
      }
      await this.rotate()
    }
  }

  /** Does its name still lead to what is being written? @param outcome  of the group, should the look fail */
  #isInPlace({ number, path, inode }: Segment, outcome: WriteOutcome): boolean {
    const stat = onDisk('look at', path, () => this.parts.fs.lstat(path), outcome)
    if (stat?.dev === inode.dev && stat.ino === inode.ino) return true
    this.#gone = number
    return false
  }

  /**
   * Starts the next segment; it is on stable storage, with its name, when this resolves.
   * @throws {StoreError} storage_failed, lease_lost: nothing changed, but that a sealed segment stays sealed
   */
  async rotate(): Promise<void> {
    const { fs, paths, store } = this.parts
    const number = this.#lastNumber + 1
    const path = paths.segment(number)
    this.#assertHeld()
    if (this.#segment !== undefined && !this.#isInPlace(this.#segment, 'not_written'))
      await ensureDirectory(fs, paths.log)
    // Left by an attempt that failed, and never written to; a new inode, for a failed flush is final for a file.
    if (onDisk('look at', path, () => fs.lstat(path), 'not_written') !== undefined) {
      onDisk('remove', path, () => fs.remove(path), 'not_written')
    }
    const header = formatSegmentHeader({ store, number })
    const file = onDisk('create', path, () => fs.open(path, 'create'), 'not_written')
    let inode: Segment['inode']
    try {
      inode = file.stat()
      writeBytes(file, header, 0)
      await file.sync()
      await fs.syncDirectory(paths.log)
    } catch (error) {
      closeFile(file)
      throw storageError(error, 'start', path, 'not_written')
    }
    closeFile(this.#segment?.file)
    this.#segment = { number, path, file, inode, headerEnd: header.length, committedEnd: header.length }
    this.#lastNumber = number
    this.#onDisk.push(number)
    this.#isSealed = false
  }

  /**
   * A checkpoint committed everything up to segment `through`.
   * @param bytes  `bytes` when it began
   * @returns the segments that may be removed
   */
  folded(through: number, bytes: number): readonly number[] {
    const removable = this.#onDisk.filter((number) => number <= through)
    this.#onDisk = this.#onDisk.filter((number) => number > through)
    this.#bytes -= bytes
    if (this.#gone !== undefined && this.#gone <= through) this.#gone = undefined
    return removable
  }

  get isSealed(): boolean {
    return this.#isSealed
  }

  close(): void {
    closeFile(this.#segment?.file)
    this.#segment = undefined
    this.#isSealed = true
  }

  /** Before a write: whatever is wrong, and since when, this group is not written. */
  #assertHeld(): void {
    try {
      this.parts.lease.assertHeld()
    } catch (error) {
      throw withOutcome(error, 'not_written')
    }
  }

  #cutBack(segment: Segment): WriteOutcome {
    try {
      segment.file.truncate(segment.committedEnd)
      return 'not_written'
    } catch {
      this.#isSealed = true // whatever stands there stays there: part of a frame, or all of it
      return 'unknown'
    }
  }
}

function segmentGone(outcome: WriteOutcome): IntakeError {
  return new IntakeError(
    'intake_invalid',
    'The log segment being written was removed or replaced under the running store. The turn was not acknowledged. What ' +
      'was acknowledged before is held in memory and is being written anew: send the turn again in a moment, keep the ' +
      'store open until then, and delete nothing under .capture-intake.',
    { outcome },
  )
}
