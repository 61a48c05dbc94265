import {
  checkOwned,
  identityOf,
  parseDayFile,
  readPinned,
  sha256Hex,
  type DayDocument,
  type FileIdentity,
  type FileSystem,
} from '@mono-agent/memory-store'
import { join } from 'node:path'

/** A canonical day file as it was read. */
export interface DaySource {
  /** Relative to the root. */
  readonly path: string
  readonly identity: FileIdentity
  /** SHA-256 of the bytes, lower-case hex. */
  readonly digest: string
  readonly document: DayDocument
}

/** One lstat; refuses links and foreign owners (FMT-1). Undefined if there is no such file. */
export function lookAt(fs: FileSystem, root: string, path: string): FileIdentity | undefined {
  const stat = checkOwned(fs, join(root, path), 'file')
  return stat === undefined ? undefined : identityOf(stat)
}

/** Reads and parses one day file, pinned. Undefined if there is no such file. */
export function readDaySource(fs: FileSystem, root: string, path: string): DaySource | undefined {
  const read = readPinned(fs, join(root, path))
  if (read === undefined) return undefined
  return { path, identity: identityOf(read.stat), digest: sha256Hex(read.bytes), document: parseDayFile(read.bytes) }
}

/** The digest of one day file, without parsing it, which is most of the cost. Undefined if there is no such file. */
export function digestOf(fs: FileSystem, root: string, path: string): string | undefined {
  const read = readPinned(fs, join(root, path))
  return read === undefined ? undefined : sha256Hex(read.bytes)
}

/** As `file:line`, what looks like a memory and is none (FMT-4), in order. */
export function problemsOf({ path, document }: DaySource): { missingIdentity: string[]; duplicateIds: string[] } {
  const at = (kinds: readonly string[]): string[] =>
    document.problems.filter(({ kind }) => kinds.includes(kind)).map(({ line }) => `${path}:${line}`)
  return { missingIdentity: at(['missing_identity', 'invalid_sentence']), duplicateIds: at(['duplicate_id']) }
}

/** `file:line` of the bullets with these ids. */
export function linesOfIds({ path, document }: DaySource, ids: ReadonlySet<string>): string[] {
  return document.blocks.flatMap((block) =>
    block.kind === 'bullet' && ids.has(block.bullet.id) ? [`${path}:${block.line}`] : [],
  )
}
