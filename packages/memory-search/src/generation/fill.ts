import { listDayFiles } from '@mono-agent/memory-store'
import type { FileSystem } from '@mono-agent/memory-store'
import { searchError } from '../errors.js'
import { lookAtDaily } from '../canonical/daily-directory.js'
import { problemsOf, readDaySource, linesOfIds } from '../canonical/day-sources.js'
import type { Connection } from '../sqlite/connection.js'
import { walkWords, WALK_START, type WalkPlace } from '../sqlite/context-columns.js'
import { writeDaily, writeFileRow } from '../sqlite/file-table.js'
import { wordWriter } from '../sqlite/full-text.js'
import { rowWriter } from '../sqlite/memory-rows.js'
import type { RebuildReport } from '../types.js'

/** Rows written or words analyzed between two yields: about ten milliseconds. */
export const SLICE = 100

export interface FillOptions {
  readonly root: string
  readonly fs: FileSystem
  readonly now: () => number
  readonly yieldTurn: () => Promise<void>
  readonly onProgress: (done: number, total: number) => void
  /** Day files may change meanwhile: what is read of each is what counts, and a catch-up finds the rest. */
  readonly mayBeEdited: boolean
}

/**
 * Fills a new database from all day files, in the order of day and line, which decides which copy of an id counts
 * (FMT-4). First the rows, then the words, for a record's words hold those of the records before it.
 */
export async function fillDatabase(db: Connection, options: FillOptions): Promise<RebuildReport['skipped']> {
  const { fs, root, now, yieldTurn, onProgress, mayBeEdited } = options
  writeDaily(db, lookAtDaily(fs, root))
  const paths = listDayFiles(fs, root)
  const rows = rowWriter(db)
  const seen = new Set<string>()
  const missingIdentity: string[] = []
  const duplicateIds: string[] = []
  let unstructured = 0
  for (const [at, path] of paths.entries()) {
    const source = readDaySource(fs, root, path)
    if (source === undefined) {
      if (mayBeEdited) continue // removed since it was listed
      throw searchError('source_changed', 'a day file vanished')
    }
    const { bullets } = source.document
    const copies = new Set<string>()
    for (let start = 0; start < bullets.length; start += SLICE) {
      db.transaction(() => {
        bullets.slice(start, start + SLICE).forEach((bullet, offset) => {
          if (seen.has(bullet.id)) copies.add(bullet.id)
          rows.insertResolved({ bullet, file: path, position: start + offset }, seen.has(bullet.id))
          seen.add(bullet.id)
        })
      })()
      await yieldTurn()
    }
    writeFileRow(db, { path, identity: source.identity, digest: source.digest, recordedAt: now() })
    const problems = problemsOf(source)
    missingIdentity.push(...problems.missingIdentity)
    duplicateIds.push(...problems.duplicateIds, ...linesOfIds(source, copies))
    unstructured += source.document.unstructuredLines
    onProgress(at + 1, paths.length)
    await yieldTurn()
  }
  await fillWords(db, yieldTurn)
  return { unstructured, missingIdentity, duplicateIds }
}

async function fillWords(db: Connection, yieldTurn: () => Promise<void>): Promise<void> {
  const words = wordWriter(db)
  let place: WalkPlace | undefined = WALK_START
  while (place !== undefined) {
    const from: WalkPlace = place
    place = db.transaction(() => {
      const step = walkWords(db, from, SLICE)
      for (const { row, columns } of step?.rows ?? []) words.write(row, columns)
      return step?.next
    })()
    await yieldTurn()
  }
}
