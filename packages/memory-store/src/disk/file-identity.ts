import type { FileStat } from './file-system.js'

/** One state of one file. Equal identities mean equal bytes, but for edits within one tick of the file system's clock. */
export interface FileIdentity {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: number
  readonly mtimeNs: bigint
  readonly ctimeNs: bigint
}

export function identityOf(stat: FileStat): FileIdentity {
  return { dev: stat.dev, ino: stat.ino, size: stat.size, mtimeNs: stat.mtimeNs, ctimeNs: stat.ctimeNs }
}

/** Two absent files are the same state as well. */
export function sameIdentity(a: FileIdentity | undefined, b: FileIdentity | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.dev === b.dev
}
