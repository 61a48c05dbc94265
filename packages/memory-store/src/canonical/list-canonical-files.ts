import { join } from 'node:path'
import type { FileSystem } from '../disk/file-system.js'
import { checkOwned } from '../disk/owned-file.js'
import { layout, type RootPath } from '../format/layout.js'
import { listDayFiles } from './list-day-files.js'

/** Canonical files beside the day files; bujo alone has them. */
export const AUTHORITY_FILES: readonly RootPath[] = [layout.graph, layout.replaySnapshot, layout.replayDelta]

/**
 * Every canonical file that is there, relative to the root: day files by day, then graph log and replay authority. They are
 * the files of the fingerprint (FMT-10).
 * @throws {StoreError} path_unsafe, storage_failed
 */
export function listCanonicalFiles(fs: FileSystem, root: string): RootPath[] {
  const authority = AUTHORITY_FILES.filter((path) => checkOwned(fs, join(root, path), 'file') !== undefined)
  return [...listDayFiles(fs, root), ...authority]
}
