import {
  checkOwned,
  dayOfFile,
  errnoOf,
  identityOf,
  layout,
  onDisk,
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

function namesIn(fs: FileSystem, directory: string): string[] {
  try {
    return fs.list(directory)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    return onDisk('list', directory, () => {
      throw error
    })
  }
}

/** Day files of a root, relative to it, by day; dated files right under the root (an older layout) are among them. */
export function listDayFiles(fs: FileSystem, root: string): string[] {
  const inDaily = namesIn(fs, join(root, layout.daily)).map((name) => `${layout.daily}/${name}`)
  return [...namesIn(fs, root), ...inDaily]
    .filter((path) => dayOfFile(path) !== undefined)
    .sort((a, b) => compare(a.slice(-13), b.slice(-13)) || compare(a, b))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** True where `daily/` is there, even empty: a root that never had a memory has none. */
export const hasDaily = (fs: FileSystem, root: string): boolean =>
  checkOwned(fs, join(root, layout.daily), 'directory') !== undefined

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
