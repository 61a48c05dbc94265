import { join } from 'node:path'
import { identityOf, sameIdentity } from '../disk/file-identity.js'
import { checkOwned } from '../disk/owned-file.js'
import { publishFile } from '../disk/publish-file.js'
import { readPinned, type PinnedRead } from '../disk/read-pinned.js'
import { layout } from '../format/layout.js'
import { formatReplayEntry, parseReplayEntry } from '../format/replay-log.js'
import { formatReplaySnapshot, isCompactionDue } from '../format/replay-snapshot.js'
import { admitEntries, ReplayState, type RefusedEntry } from '../format/replay-state.js'
import type { ReplayEntry } from '../format/replay-types.js'
import { sha256Hex } from '../format/sha256.js'
import type { LogBase } from './log-content.js'
import { LogWriter, type LogOptions } from './log-writer.js'
import {
  DELTA_FORMAT,
  foldReplay,
  snapshotContent,
  snapshotFile,
  type ReplayContent,
  type SnapshotContent,
} from './replay-content.js'
import { BUSY_AFTER_MS, readSettled } from './settled-read.js'

export interface ReplayAppend extends ReplayContent {
  /** Of the entries of the plan those in force, as the authority holds them. */
  readonly inForce: readonly ReplayEntry[]
  /** Those that the authority could not take any more: their target changed meanwhile, or there is no room. */
  readonly refused: readonly RefusedEntry[]
}

/** The replay authority in the hands of its one writer. Calls are made one at a time: see `CanonicalQueue`. */
export interface ReplayFiles {
  /**
   * What it holds, read anew only if somebody changed it, or an append failed. `state` is live: later appends are in it.
   * @param covered  what the plan under way, if any, builds on: should the delta be read, what follows it does not count
   * @throws {StoreError} canonical_invalid, file_busy, path_unsafe, storage_failed
   */
  look(covered?: LogBase): Promise<ReplayContent>
  /**
   * Puts the entries of a plan into the delta, behind `base`, where an append that was cut may lie; doing it again changes
   * nothing. If the files were edited or compacted meanwhile, those that are missing go to the delta's end (CAP-19).
   * Resolves when all is on stable storage.
   * @param planned  all that an earlier append of the plan may have written, if these are not all
   * @throws {StoreError} as `look`, and lease_lost  @throws {RangeError} an entry that cannot be written
   */
  append(base: LogBase, entries: readonly ReplayEntry[], planned?: readonly ReplayEntry[]): Promise<ReplayAppend>
  /**
   * Folds the delta into the snapshot where it outgrew a quarter of it, and 64 KiB: publishes the snapshot, then an empty
   * delta. To be called while no plan is waiting. @returns the files as they are then; undefined if it was not due
   */
  compactIfDue(): Promise<ReplayContent | undefined>
}

/** Reads the files once. @throws {StoreError} canonical_invalid, path_unsafe, storage_failed, file_busy */
export async function openReplayFiles(options: LogOptions): Promise<ReplayFiles> {
  const files = new WrittenReplayFiles(options)
  await files.read(options.covered)
  return files
}

class WrittenReplayFiles implements ReplayFiles {
  readonly #delta: LogWriter<ReplayEntry>
  readonly #snapshotPath: string
  /** Undefined: to be read, whatever its identity. */
  #snapshot: Omit<SnapshotContent, 'entries'> | undefined
  #state = new ReplayState()

  constructor(private readonly options: LogOptions) {
    this.#delta = new LogWriter(options, DELTA_FORMAT)
    this.#snapshotPath = join(options.root, layout.replaySnapshot)
  }

  #content(): ReplayContent {
    const files = [this.#snapshot && snapshotFile(this.#snapshot), this.#delta.file()]
    return { state: this.#state, base: this.#delta.base(), files: files.filter((file) => file !== undefined) }
  }

  #isSnapshotAsLeft(): boolean {
    const stat = checkOwned(this.options.fs, this.#snapshotPath, 'file')
    return this.#snapshot !== undefined && sameIdentity(this.#snapshot.identity, stat && identityOf(stat))
  }

  /** One that changed since it was left is read until it has settled (FMT-13). */
  async #readSnapshot(): Promise<readonly ReplayEntry[]> {
    const { fs, sleep, monotonicNow } = this.options
    const readNow = (): PinnedRead | undefined => readPinned(fs, this.#snapshotPath)
    const patience = { sleep, monotonicNow, deadline: monotonicNow() + BUSY_AFTER_MS }
    const isNew = this.#snapshot === undefined || this.#isSnapshotAsLeft()
    const read = isNew ? readNow() : await readSettled(readNow, new Set(), patience, layout.replaySnapshot)
    const { entries, ...snapshot } = snapshotContent(read)
    this.#snapshot = snapshot
    return entries
  }

  async read(covered?: LogBase): Promise<void> {
    const delta = await this.#delta.read(covered)
    this.#state = foldReplay(await this.#readSnapshot(), delta)
  }

  async look(covered?: LogBase): Promise<ReplayContent> {
    if (!this.#delta.isAsLeft() || !this.#isSnapshotAsLeft()) await this.read(covered)
    return this.#content()
  }

  async append(
    base: LogBase,
    entries: readonly ReplayEntry[],
    planned: readonly ReplayEntry[] = entries,
  ): Promise<ReplayAppend> {
    const texts = entries.map(formatReplayEntry)
    const all = new Set(planned.map(formatReplayEntry))
    const { lines } = await this.#delta.place(base, new Set(texts), all, !this.#isSnapshotAsLeft())
    if (lines !== undefined) this.#state = foldReplay(await this.#readSnapshot(), lines)
    const wanted = texts.map((text) => parseReplayEntry(text) as ReplayEntry)
    const { added, refused } = admitEntries(this.#state, wanted)
    await this.#delta.append(added.map(formatReplayEntry))
    for (const entry of added) this.#state.add(entry)
    const content = await this.look() // reads only if somebody wrote in the same instant
    const inForce = new Set(wanted.flatMap((entry) => this.#state.find(entry) ?? []))
    const missed = refused.filter(({ reason }) => reason !== 'duplicate')
    return { ...content, inForce: [...inForce], refused: missed }
  }

  async compactIfDue(): Promise<ReplayContent | undefined> {
    await this.look()
    if (!isCompactionDue(this.#delta.length, this.#snapshot?.length ?? 0)) return undefined
    const { fs, lease, root } = this.options
    const bytes = formatReplaySnapshot(this.#state)
    this.#snapshot = undefined // should this fail, the file is read again
    const identity = await publishFile(fs, lease, this.#snapshotPath, bytes)
    // Only now: a cut in between leaves entries in both files, never in none.
    this.#delta.forget()
    await publishFile(fs, lease, join(root, layout.replayDelta), new Uint8Array())
    this.#delta.left(0)
    if (identity !== undefined) this.#snapshot = { length: bytes.length, identity, digest: sha256Hex(bytes) }
    return this.look()
  }
}
