import { bulletDigest, type Bullet, type DayFileState } from '@mono-agent/memory-store'
import type { Connection } from './connection.js'
import { recordedFile } from './file-table.js'
import { marksOfFile, type PlacedBullet, type RowMark } from './memory-rows.js'
import { prepared } from './statements.js'

/** What has to be done to the rows of one day file. */
export interface FileChanges {
  readonly added: readonly PlacedBullet[]
  readonly changed: readonly { readonly row: number; readonly placed: PlacedBullet }[]
  readonly removed: readonly RowMark[]
  /** Rows whose bullet is the same but stands elsewhere in its file, in the same order as before. */
  readonly moved: readonly { readonly row: number; readonly position: number }[]
}

/** PURE: compares what the index holds of a file with what the file says. */
export function compareFile(file: string, rows: readonly RowMark[], bullets: readonly Bullet[]): FileChanges {
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const added: PlacedBullet[] = []
  const changed: { row: number; placed: PlacedBullet }[] = []
  const moved: { row: number; position: number }[] = []
  let lastPosition = -1
  bullets.forEach((bullet, position) => {
    const placed = { bullet, file, position }
    const row = rowOf.get(bullet.id)
    if (row === undefined) return void added.push(placed)
    rowOf.delete(bullet.id)
    // Lines that changed places changed what stands before them: more than a number.
    const isOvertaken = row.position < lastPosition
    lastPosition = Math.max(lastPosition, row.position)
    if (isOvertaken || row.digest !== bulletDigest(bullet)) changed.push({ row: row.row, placed })
    else if (row.position !== position) moved.push({ row: row.row, position })
  })
  return { added, changed, removed: [...rowOf.values()], moved }
}

/** The rows of a file that is gone. */
export const dropFile = (db: Connection, file: string): FileChanges => ({
  added: [],
  changed: [],
  removed: marksOfFile(db, file),
  moved: [],
})

/**
 * What to do for a file that was just published. Where its delta fits what was recorded and only adds at the end or
 * changes in place, the work is that of the delta; else all bullets are compared.
 */
export function changesOfState(db: Connection, { file, document, delta, drifted }: DayFileState): FileChanges {
  const whole = (): FileChanges => compareFile(file, marksOfFile(db, file), document.bullets)
  // A person may also have changed the order of the lines, which a delta does not tell.
  if (delta === undefined || drifted || delta.removed.length > 0 || recordedFile(db, file)?.digest !== delta.base)
    return whole()
  const first = document.bullets.length - delta.added.length
  const tail = document.bullets.slice(Math.max(0, first))
  if (first < 0 || tail.some((bullet, at) => bullet.id !== delta.added[at]?.id)) return whole()
  const find = prepared<[string, string], { row: number; position: number }>(
    db,
    'select row, position from memories where file = ? and id = ?',
  )
  const changed: { row: number; placed: PlacedBullet }[] = []
  for (const bullet of delta.changed) {
    const found = find.get(file, bullet.id)
    if (found === undefined) return whole()
    changed.push({ row: found.row, placed: { bullet, file, position: found.position } })
  }
  return { added: tail.map((bullet, at) => ({ bullet, file, position: first + at })), changed, removed: [], moved: [] }
}
