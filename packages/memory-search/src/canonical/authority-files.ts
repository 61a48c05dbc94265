import {
  foldGraph,
  layout,
  parseGraphLog,
  parseReplayLog,
  parseReplaySnapshot,
  readPinned,
  identityOf,
  ReplayState,
  sha256Hex,
  StoreError,
  type FileIdentity,
  type FileSystem,
  type GraphState,
  type ParsedLog,
} from '@mono-agent/memory-store'
import { join } from 'node:path'

/** The canonical files beside the day files, which bujo reads (FMT-7, 8), by what they say together. */
export const AUTHORITY_GROUPS = {
  graph: [layout.graph],
  replay: [layout.replaySnapshot, layout.replayDelta],
} as const

export type AuthorityGroup = keyof typeof AUTHORITY_GROUPS

export const AUTHORITY_PATHS: readonly string[] = Object.values(AUTHORITY_GROUPS).flat()

/**
 * Bytes from the start of a log that count, where a retained commit plan covers its end: what follows may be cut, and the
 * plan appends it again (design, 9). Only for a file that begins as the plan says.
 */
export interface AuthorityCover {
  readonly graph?: number
  readonly replayDelta?: number
}

export interface AuthorityPlace {
  readonly root: string
  readonly fs: FileSystem
  readonly cover?: AuthorityCover | undefined
}

/** One of these files as it was read. */
export interface AuthorityRead {
  readonly path: string
  readonly identity: FileIdentity
  /** Those that count. */
  readonly bytes: Uint8Array
  /** Of the bytes that count. */
  readonly digest: string
  /** False where a plan covers an end that does not count. */
  readonly isWhole: boolean
}

/**
 * Reads one of these files. Undefined if there is no such file.
 * @param recorded  digest of what is known: a file that is just that counts whole, whatever a plan covers
 * @throws {StoreError} path_unsafe, storage_failed, file_busy
 */
export function readAuthorityFile(
  { fs, root, cover = {} }: AuthorityPlace,
  path: string,
  recorded?: string,
): AuthorityRead | undefined {
  const read = readPinned(fs, join(root, path))
  if (read === undefined) return undefined
  const whole = {
    path,
    identity: identityOf(read.stat),
    bytes: read.bytes,
    digest: sha256Hex(read.bytes),
    isWhole: true,
  }
  const length = path === layout.graph ? cover.graph : path === layout.replayDelta ? cover.replayDelta : undefined
  if (length === undefined || read.bytes.length <= length || whole.digest === recorded) return whole
  const bytes = read.bytes.subarray(0, length)
  return { ...whole, bytes, digest: sha256Hex(bytes), isWhole: false }
}

function linesOf<Line>(path: string, { lines, damage }: ParsedLog<Line>): readonly Line[] {
  const [first] = damage
  if (first !== undefined) throw invalid(path, `line ${first.line} is ${first.kind}`)
  return lines
}

const invalid = (path: string, what: string): StoreError =>
  new StoreError(
    'canonical_invalid',
    `${path}: ${what}. It was left untouched. Mend it by hand or from version control.`,
  )

/** What the graph log says. @throws {StoreError} canonical_invalid: a line that is none, or a torn end without a plan */
export const readGraph = (log: AuthorityRead | undefined): GraphState =>
  foldGraph(log === undefined ? [] : linesOf(log.path, parseGraphLog(log.bytes)))

/**
 * What snapshot and delta say together.
 * @throws {StoreError} canonical_invalid: one that cannot be read, or entries that the rules of FMT-8 forbid
 */
export function readReplay(snapshot: AuthorityRead | undefined, delta: AuthorityRead | undefined): ReplayState {
  const state = new ReplayState()
  const add = (path: string, entries: Iterable<Parameters<ReplayState['add']>[0]>): void => {
    for (const entry of entries) {
      const refusal = state.add(entry)
      // A cut between snapshot and emptied delta leaves entries in both.
      if (refusal !== undefined && refusal !== 'duplicate') throw invalid(path, `an entry is refused: ${refusal}`)
    }
  }
  if (snapshot !== undefined) {
    const parsed = parseReplaySnapshot(snapshot.bytes)
    if (parsed.kind === 'invalid') throw invalid(snapshot.path, `cannot be read from byte ${parsed.offset}`)
    add(snapshot.path, parsed.entries)
  }
  if (delta !== undefined) add(delta.path, linesOf(delta.path, parseReplayLog(delta.bytes)))
  return state
}
