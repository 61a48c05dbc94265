import { BodyTexts } from './body-texts.js'
import { noteChange } from './change-log.js'
import type { Connection } from './connection.js'
import { neighbours } from './context-columns.js'
import { duplicateResolver } from './duplicate-ids.js'
import type { FileChanges } from './file-changes.js'
import { rowWriter, type PlacedBullet } from './memory-rows.js'
import { StaleWords } from './stale-words.js'
import { prepared } from './statements.js'
import { keepsVectors, refreshVectors } from './vector-rows.js'

export interface ChangeCounts {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

interface Update {
  readonly row: number
  readonly placed: PlacedBullet
}

/** A bullet taken out of one file and put into another is one memory that moved: its row goes along. */
function pairMoves(changes: readonly FileChanges[]): { removed: number[]; added: PlacedBullet[]; updates: Update[] } {
  const gone = new Map(changes.flatMap(({ removed }) => removed).map(({ id, row }) => [id, row]))
  const removed = changes.flatMap(({ removed: rows }) => rows).filter(({ id, row }) => gone.get(id) !== row)
  const updates = changes.flatMap(({ changed }) => changed)
  const added: PlacedBullet[] = []
  for (const placed of changes.flatMap((change) => change.added)) {
    const row = gone.get(placed.bullet.id)
    if (row === undefined) {
      added.push(placed)
      continue
    }
    gone.delete(placed.bullet.id)
    updates.push({ row, placed })
  }
  return { removed: [...removed.map(({ row }) => row), ...gone.values()], added, updates }
}

/**
 * Carries out the changes of some files, within the caller's transaction. The cost is that of what changed: besides the
 * rows themselves, the two records after each get new context, where they were before and where they are now.
 * @param texts  what was analyzed ahead
 */
export function applyChanges(
  db: Connection,
  changes: readonly FileChanges[],
  texts: BodyTexts = new BodyTexts(),
): ChangeCounts {
  const { removed, added, updates } = pairMoves(changes)
  const around = neighbours(db)
  const rowsOfId = prepared<[string], number>(db, 'select row from memories where id = ?').pluck()
  const idOfRow = prepared<[number], string>(db, 'select id from memories where row = ?').pluck()
  const ids = new Set(added.map(({ bullet }) => bullet.id))
  for (const row of [...removed, ...updates.map((update) => update.row)]) {
    const id = idOfRow.get(row)
    if (id !== undefined) ids.add(id)
  }
  // Another copy of a touched id may begin or cease to count, so its rows are touched as well.
  const touched = new Set([...ids].flatMap((id) => rowsOfId.all(id)))
  const stale = new StaleWords(db, texts)
  for (const row of touched) for (const near of [row, ...around.after(row)]) stale.note(near)

  // Until all are what they will be, none of them can be found: what stands after their new places is still what it was.
  const rows = rowWriter(db)
  for (const row of touched) rows.hide(row)
  for (const row of removed) rows.remove(row)
  for (const { row, placed } of updates) rows.update(row, placed)
  for (const { row, position } of changes.flatMap(({ moved }) => moved)) rows.move(row, position)
  for (const placed of added) touched.add(rows.insert(placed))
  for (const row of touched) for (const near of [row, ...around.after(row)]) stale.note(near)
  duplicateResolver(db)(ids)

  stale.refresh()
  if (keepsVectors(db)) refreshVectors(db, touched)
  // Once for words and vectors: what was touched is among what is stale, and so is whatever stands after another record now.
  const note = noteChange(db)
  for (const row of stale.rows) note(row)
  return { added: added.length, changed: updates.length, removed: removed.length }
}
