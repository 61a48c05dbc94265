import { checkOwned, layout, type FileSystem } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { searchError } from '../errors.js'
import type { Connection } from '../sqlite/connection.js'
import { dailyFiles, recordedDaily } from '../sqlite/file-table.js'
import { lookAt } from './day-sources.js'

/** Which directory `daily/` is, as `device:inode`; undefined where there is none. @throws {StoreError} path_unsafe */
export function lookAtDaily(fs: FileSystem, root: string): string | undefined {
  const stat = checkOwned(fs, join(root, layout.daily), 'directory')
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}`
}

/**
 * Refuses to take the loss of the whole directory for deletions by a person: `daily/` is gone while files of it are
 * recorded, or it is not the directory that was recorded and more than half of them are not in it. Files that are deleted
 * from the directory itself, be it all of them, are deletions; so is a missing directory of which no file is recorded.
 * @returns which directory it is now  @throws {SearchError} canonical_mismatch  @throws {StoreError} path_unsafe
 */
export function requireDaily(db: Connection, fs: FileSystem, root: string): string | undefined {
  const found = lookAtDaily(fs, root)
  const recorded = recordedDaily(db)
  // An index of an earlier release has no record of the directory: only its absence can be told.
  if (found !== undefined && (recorded === undefined || found === recorded)) return found
  const files = dailyFiles(db)
  if (files.length === 0) return found
  if (found === undefined) throw searchError('canonical_mismatch', `daily/ is gone, with ${files.length} day files`)
  const gone = files.filter((path) => lookAt(fs, root, path) === undefined)
  if (gone.length * 2 > files.length) {
    const lost = `${gone.length} of ${files.length} day files`
    throw searchError('canonical_mismatch', `another directory took the place of daily/, without ${lost}`)
  }
  return found
}
