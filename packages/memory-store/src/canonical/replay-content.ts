import { join } from 'node:path'
import { identityOf, type FileIdentity } from '../disk/file-identity.js'
import type { FileSystem } from '../disk/file-system.js'
import { readPinned, type PinnedRead } from '../disk/read-pinned.js'
import { layout, type RootPath } from '../format/layout.js'
import { parseReplayEntry } from '../format/replay-log.js'
import { parseReplaySnapshot } from '../format/replay-snapshot.js'
import { ReplayState } from '../format/replay-state.js'
import type { ReplayEntry } from '../format/replay-types.js'
import { sha256Hex } from '../format/sha256.js'
import { canonicalInvalid, readLog, type CanonicalFile, type LogBase } from './log-content.js'

export const DELTA_FORMAT = { path: layout.replayDelta, parse: parseReplayEntry }

/** The snapshot as it was read; no file is a set of nothing. */
export interface SnapshotContent {
  readonly entries: readonly ReplayEntry[]
  readonly length: number
  readonly identity: FileIdentity | undefined
  readonly digest: string
}

/** @throws {StoreError} canonical_invalid, naming the byte */
export function snapshotContent(read: PinnedRead | undefined): SnapshotContent {
  if (read === undefined) return { entries: [], length: 0, identity: undefined, digest: '' }
  const parsed = parseReplaySnapshot(read.bytes)
  if (parsed.kind === 'invalid') {
    throw canonicalInvalid(layout.replaySnapshot, `cannot be read from byte ${parsed.offset} on`)
  }
  const { bytes, stat } = read
  return { entries: parsed.entries, length: bytes.length, identity: identityOf(stat), digest: sha256Hex(bytes) }
}

export function snapshotFile({ identity, digest }: Omit<SnapshotContent, 'entries'>): CanonicalFile | undefined {
  return identity && { path: layout.replaySnapshot, identity, digest }
}

function addAll(state: ReplayState, path: RootPath, entries: readonly ReplayEntry[]): void {
  for (const [index, entry] of entries.entries()) {
    const refusal = state.add(entry)
    // A cut compaction leaves the delta's entries in both files: they are a set.
    if (refusal === undefined || refusal === 'duplicate') continue
    throw canonicalInvalid(path, `holds an entry that those before it do not allow (${refusal}): entry ${index + 1}`)
  }
}

/**
 * The set that snapshot and delta hold together.
 * @throws {StoreError} canonical_invalid: two successors of one memory, a cycle, a sixth edge, more than the bounds
 */
export function foldReplay(snapshot: readonly ReplayEntry[], delta: readonly ReplayEntry[]): ReplayState {
  const state = new ReplayState()
  addAll(state, layout.replaySnapshot, snapshot)
  addAll(state, layout.replayDelta, delta)
  return state
}

/** The replay authority as it is (FMT-8). */
export interface ReplayContent {
  readonly state: ReplayState
  /** Of the delta: what the next plan builds on. */
  readonly base: LogBase
  /** Those that are there; not the delta while a plan has yet to cut its end. */
  readonly files: readonly CanonicalFile[]
}

/**
 * Reads the replay authority whole, pinned (FMT-1, FMT-10); for readers, who need no lease. The delta is read first: a
 * compaction in between leaves its entries in both.
 * @param covered  what a plan that is still to be carried out builds on: what follows it in the delta does not count
 * @throws {StoreError} canonical_invalid, naming the byte; path_unsafe, storage_failed, file_busy
 */
export function loadReplayFiles(fs: FileSystem, root: string, covered?: LogBase): ReplayContent {
  const { lines, length, hash, identity } = readLog(fs, root, DELTA_FORMAT, covered)
  const snapshot = snapshotContent(readPinned(fs, join(root, layout.replaySnapshot)))
  const digest = hash.digest('hex')
  const delta = identity?.size === length ? [{ path: layout.replayDelta, identity, digest }] : []
  const files = [...[snapshotFile(snapshot) ?? []].flat(), ...delta]
  return { state: foldReplay(snapshot.entries, lines), base: { length, digest }, files }
}
