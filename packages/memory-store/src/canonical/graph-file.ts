import type { FileSystem } from '../disk/file-system.js'
import { formatGraphLine, parseGraphLine } from '../format/graph-log.js'
import { foldGraph, type GraphState } from '../format/graph-state.js'
import type { GraphLine } from '../format/graph-types.js'
import { layout } from '../format/layout.js'
import { readLog, type CanonicalFile, type LogBase } from './log-content.js'
import { LogWriter, type LogOptions } from './log-writer.js'

const FORMAT = { path: layout.graph, parse: parseGraphLine }

/** `graph.jsonl` as it is (FMT-7). */
export interface GraphContent {
  readonly graph: GraphState
  /** All bytes that count: what the next plan builds on. */
  readonly base: LogBase
  /** None where there is no file, or a plan has yet to cut its end. */
  readonly file: CanonicalFile | undefined
}

/**
 * Reads the graph log whole, pinned (FMT-1, FMT-10); for readers, who need no lease.
 * @param covered  what a plan that is still to be carried out builds on: what follows it may be torn, and does not count
 * @throws {StoreError} canonical_invalid, naming the byte; path_unsafe, storage_failed, file_busy
 */
export function loadGraphFile(fs: FileSystem, root: string, covered?: LogBase): GraphContent {
  const { lines, length, hash, identity } = readLog(fs, root, FORMAT, covered)
  const digest = hash.digest('hex')
  const file = identity?.size === length ? { path: layout.graph, identity, digest } : undefined
  return { graph: foldGraph(lines), base: { length, digest }, file }
}

/** The graph log in the hands of its one writer. Calls are made one at a time: see `CanonicalQueue`. */
export interface GraphFile {
  /**
   * What it holds, read anew only if somebody changed it, or an append failed. `graph` is live: later appends are in it.
   * @param covered  what the plan under way, if any, builds on: should the file be read, what follows it does not count
   * @throws {StoreError} canonical_invalid, file_busy, path_unsafe, storage_failed
   */
  look(covered?: LogBase): Promise<GraphContent>
  /**
   * Puts the lines of a plan behind `base`, where an append that was cut may lie; doing it again changes nothing. If the
   * file was edited meanwhile, those that are missing go to its end (CAP-19). Resolves when all is on stable storage.
   * @param planned  all that an earlier append of the plan may have written, if these are not all
   * @throws {StoreError} as `look`, and lease_lost  @throws {RangeError} a line that cannot be written
   */
  append(base: LogBase, lines: readonly GraphLine[], planned?: readonly GraphLine[]): Promise<GraphContent>
}

/** Reads the file once. @throws {StoreError} canonical_invalid, path_unsafe, storage_failed, file_busy */
export async function openGraphFile(options: LogOptions): Promise<GraphFile> {
  const log = new LogWriter(options, FORMAT)
  let graph = foldGraph(await log.read(options.covered))

  /** Lines that the file has none of. */
  function missingOf(texts: readonly string[], there: readonly GraphLine[]): string[] {
    const known = new Set(there.map(formatGraphLine))
    return [...new Set(texts)].filter((text) => !known.has(text))
  }

  async function look(covered?: LogBase): Promise<GraphContent> {
    if (!log.isAsLeft()) graph = foldGraph(await log.read(covered))
    return { graph, base: log.base(), file: log.file() }
  }

  return {
    look,
    async append(base, lines, planned = lines) {
      const texts = lines.map(formatGraphLine)
      const { lines: before, isPlanned } = await log.place(base, new Set(texts), new Set(planned.map(formatGraphLine)))
      if (before !== undefined) graph = foldGraph(before)
      const missing = isPlanned ? texts : missingOf(texts, before ?? [])
      await log.append(missing)
      for (const text of missing) graph.add(parseGraphLine(text) as GraphLine)
      return look() // reads only if somebody wrote in the same instant
    },
  }
}
