import {
  checkOwned,
  flushed,
  formatTemporaryName,
  LAYOUT_DIRECTORIES,
  locateRoot,
  onDisk,
  writeBytes,
  type FileSystem,
} from '@mono-agent/memory-store'
import { dirname, join, resolve } from 'node:path'

/** No writer has this epoch: what a killed check leaves is swept by the next opening. */
const NO_EPOCH = 0

/**
 * Whether the root and each of its directories is one's own and takes files: a small one is written, flushed and removed
 * in each, under a reserved temporary name. Takes no lease, so it works beside a running agent.
 * @returns what was found, for people
 * @throws {StoreError} path_unsafe, storage_failed
 */
export async function checkRootWritable(fs: FileSystem, path: string, number: number): Promise<string> {
  const absolute = resolve(path)
  if (onDisk('look at', absolute, () => fs.lstat(absolute)) === undefined) {
    const parent = nearestDirectory(fs, absolute)
    await tryWriting(fs, parent, number)
    return 'The root is not there yet, and can be made.'
  }
  const root = locateRoot(fs, absolute)
  checkOwned(fs, root, 'directory')
  const present = LAYOUT_DIRECTORIES.map((directory) => join(root, directory)).filter(
    (directory) => checkOwned(fs, directory, 'directory') !== undefined,
  )
  for (const directory of [root, ...present]) await tryWriting(fs, directory, number)
  return `The root and ${present.length} directories in it are one's own and take files.`
}

/** The directory in which the first missing part of the path would be made. */
function nearestDirectory(fs: FileSystem, path: string): string {
  const parent = dirname(path)
  if (parent === path || onDisk('look at', parent, () => fs.lstat(parent)) !== undefined) return parent
  return nearestDirectory(fs, parent)
}

async function tryWriting(fs: FileSystem, directory: string, number: number): Promise<void> {
  const path = join(directory, formatTemporaryName({ target: 'validate', epoch: NO_EPOCH, number }))
  const file = onDisk('create a file in', directory, () => fs.open(path, 'create'), 'not_written')
  try {
    onDisk('write in', directory, () => writeBytes(file, new TextEncoder().encode('validate\n'), 0))
    await flushed('flush a file in', directory, () => file.sync())
  } finally {
    file.close()
    onDisk('remove a file from', directory, () => fs.remove(path))
  }
}
