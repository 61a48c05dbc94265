import { constants } from 'node:fs'
import * as nodeFs from 'node:fs'
import { promisify } from 'node:util'

const fsync = promisify(nodeFs.fsync)
const fdatasync = promisify(nodeFs.fdatasync)

/** What tells one state of a file from another without reading it. Times are nanoseconds since the epoch. */
export interface FileStat {
  readonly kind: 'file' | 'directory' | 'symlink' | 'other'
  readonly dev: bigint
  readonly ino: bigint
  readonly size: number
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
  /** Permission bits only, e.g. 0o600. */
  readonly mode: number
  readonly uid: number
  readonly links: number
}

/**
 * How a file is opened. Links are never followed at the last step (O_NOFOLLOW where the platform has it).
 * `create` fails with EEXIST if the name is taken; `write` needs an existing file and does not truncate it.
 */
export type OpenMode = 'read' | 'write' | 'create'

export interface OpenFile {
  stat(): FileStat
  /** Reads up to `into.length` bytes at `position`; 0 at the end. */
  read(into: Uint8Array, position: number): number
  /** Writes at `position`; may write less than asked. Returns the bytes written. */
  write(bytes: Uint8Array, position: number): number
  truncate(length: number): void
  /** fsync, off the calling thread. */
  sync(): Promise<void>
  /** fdatasync, off the calling thread: enough where only bytes and length count. */
  dataSync(): Promise<void>
  close(): void
}

/**
 * The one way to the disk. Small operations are synchronous (microseconds in the page cache); a flush, the only one
 * that waits for hardware, is not. Crash, fault and fsync-counting tests wrap this port; errors are Node's own, with `code`.
 */
export interface FileSystem {
  open(path: string, mode: OpenMode): OpenFile
  /** Never follows a link; undefined where there is nothing (ENOENT). */
  lstat(path: string): FileStat | undefined
  /** Names in a directory, sorted by code unit; throws ENOENT where there is none. */
  list(path: string): string[]
  makeDirectory(path: string): void
  rename(from: string, to: string): void
  remove(path: string): void
  removeDirectory(path: string): void
  chmod(path: string, mode: number): void
  /** The path with every link resolved. */
  resolve(path: string): string
  /** Makes names of a directory durable. A platform without directory fsync does nothing. */
  syncDirectory(path: string): Promise<void>
}

const FILE_MODE = 0o600
const DIRECTORY_MODE = 0o700
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
const OPEN_FLAGS: Record<OpenMode, number> = {
  read: constants.O_RDONLY | NO_FOLLOW,
  write: constants.O_RDWR | NO_FOLLOW,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW,
}

/** False on Windows: no POSIX modes, owners or directory fsync; `validate` says so (FMT-1). */
export const HAS_POSIX_FILES = process.platform !== 'win32'

function toFileStat(stats: nodeFs.BigIntStats): FileStat {
  return {
    kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : 'other',
    dev: stats.dev,
    ino: stats.ino,
    size: Number(stats.size),
    mtimeNs: stats.mtimeNs,
    ctimeNs: stats.ctimeNs,
    mode: Number(stats.mode & 0o7777n),
    uid: Number(stats.uid),
    links: Number(stats.nlink),
  }
}

class NodeFile implements OpenFile {
  constructor(private readonly descriptor: number) {}

  stat(): FileStat {
    return toFileStat(nodeFs.fstatSync(this.descriptor, { bigint: true }))
  }
  read(into: Uint8Array, position: number): number {
    return nodeFs.readSync(this.descriptor, into, 0, into.length, position)
  }
  write(bytes: Uint8Array, position: number): number {
    return nodeFs.writeSync(this.descriptor, bytes, 0, bytes.length, position)
  }
  truncate(length: number): void {
    nodeFs.ftruncateSync(this.descriptor, length)
  }
  sync(): Promise<void> {
    return fsync(this.descriptor)
  }
  dataSync(): Promise<void> {
    return fdatasync(this.descriptor)
  }
  close(): void {
    nodeFs.closeSync(this.descriptor)
  }
}

/** The real disk. */
export const nodeFileSystem: FileSystem = {
  open: (path, mode) => new NodeFile(nodeFs.openSync(path, OPEN_FLAGS[mode], FILE_MODE)),
  lstat(path) {
    const stats = nodeFs.lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? undefined : toFileStat(stats)
  },
  list: (path) => nodeFs.readdirSync(path).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
  makeDirectory: (path) => nodeFs.mkdirSync(path, { mode: DIRECTORY_MODE }),
  rename: (from, to) => nodeFs.renameSync(from, to),
  remove: (path) => nodeFs.unlinkSync(path),
  removeDirectory: (path) => nodeFs.rmdirSync(path),
  chmod: (path, mode) => nodeFs.chmodSync(path, mode),
  resolve: (path) => nodeFs.realpathSync(path),
  async syncDirectory(path) {
    if (!HAS_POSIX_FILES) return
    const descriptor = nodeFs.openSync(path, constants.O_RDONLY)
    try {
      await fsync(descriptor)
    } finally {
      nodeFs.closeSync(descriptor)
    }
  },
}
