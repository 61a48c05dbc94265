import { join, posix } from 'node:path'
import type { FileSystem } from '../disk/file-system.js'
import { listNames } from '../disk/list-names.js'
import { checkOwned } from '../disk/owned-file.js'
import { dayOfFile, layout } from '../format/layout.js'

function dayFilesIn(fs: FileSystem, root: string, directory: string): string[] {
  return listNames(fs, join(root, directory))
    .map((name) => posix.join(directory, name))
    .filter((file) => dayOfFile(file) !== undefined)
}

/**
 * Day files, relative to the root: those in `daily/`, and dated files right under the root (an older layout, FMT-2); by
 * day, so that "the first of two equal ids" means the same everywhere (FMT-4).
 * @throws {StoreError} path_unsafe where `daily/` is a link or another user's
 */
export function listDayFiles(fs: FileSystem, root: string): string[] {
  const byDay = (a: string, b: string): number => compare(dayOfFile(a) ?? '', dayOfFile(b) ?? '') || compare(a, b)
  checkOwned(fs, join(root, layout.daily), 'directory')
  return [...dayFilesIn(fs, root, layout.daily), ...dayFilesIn(fs, root, '')].sort(byDay)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
