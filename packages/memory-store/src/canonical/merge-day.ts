import { sameIdentity, type FileIdentity } from '../disk/file-identity.js'
import type { Bullet } from '../format/bullet.js'
import type { DayDocument } from '../format/daily-file.js'
import { applyDayChanges, type DayChange, type DayChangeOutcome } from '../format/day-changes.js'
import type { DayText } from './day-text.js'

/** A person's text that was found in the replaced file after the rename. */
export interface LateEdit {
  readonly document: DayDocument
  /** What their edit was made to. */
  readonly before: DayDocument
  /** What we had put in its place; undefined where that is not to be replaced by `document`. */
  readonly ours: FileIdentity | undefined
}

export interface MergedDay {
  readonly document: DayDocument
  readonly outcomes: readonly DayChangeOutcome[]
}

/** Bullets that only the late edit has. */
function lateBullets(late: LateEdit, current: DayDocument): Bullet[] {
  const known = new Set([...late.before.bullets, ...current.bullets].map(({ id }) => id))
  return late.document.bullets.filter(({ id }) => !known.has(id))
}

/**
 * Our changes on top of the person's text. A late edit is the newer text as long as the file is what we published over
 * it; if they have saved once more since, that save counts, and of the late edit its new bullets are kept.
 */
export function mergeDay(current: DayText, changes: readonly DayChange[], late: LateEdit | undefined): MergedDay {
  if (late === undefined) return applyDayChanges(current.document, changes)
  if (late.ours !== undefined && sameIdentity(late.ours, current.identity))
    return applyDayChanges(late.document, changes)
  const theirs = lateBullets(late, current.document).map((bullet): DayChange => ({ kind: 'add', bullets: [bullet] }))
  const kept = applyDayChanges(current.document, theirs)
  return applyDayChanges(kept.document, changes)
}
