import type { MemoryStatus } from '@mono-agent/memory-store'
import type { IndexedMemory } from '../types.js'
import { toIndexedMemory, type MemoryRow } from './memory-rows.js'

/**
 * SQL that judges rows of `memories` as they were at `@asOf`, an instant as `spelledInstant` writes it (REC-9). Known with
 * their instant are the recording, the supersession and the terminal entry of a memory: of these what came later counts for
 * nothing. Of what has no instant, a status set by a person or a rewording, the present is told.
 */
const superseded = (when: string): string =>
  `exists (select 1 from supersessions where supersessions.id = memories.id and supersessions.at ${when} @asOf)`
const forgotten = (when: string): string =>
  `exists (select 1 from terminals where terminals.id = memories.id and terminals.at ${when} @asOf)`

/** Whether its successor had taken its place by then. */
export const SUPERSEDED_AS_OF = superseded('<=')

/**
 * Its status then. A task that was invalidated by its supersession was open before; what was dropped on purpose was live
 * before, unless it was a task that had been superseded by then. Whether that was open or done nobody wrote down: open.
 */
export const STATUS_AS_OF = `case
    when status = 'invalidated' and ${superseded('>')} then 'open'
    when status = 'dropped' and ${forgotten('>')}
      then iif(type = 'task' and ${SUPERSEDED_AS_OF}, 'invalidated', 'open')
    else status
  end`

/** Whether it was recorded by then and could be found: a superseded note or event can (REC-2). */
export const LIVE_AS_OF = `is_duplicate = 0 and memories.created_at <= @asOf
  and (is_searchable = 1 or ${STATUS_AS_OF} not in ('dropped', 'invalidated'))`

/** To be read beside `ROW_COLUMNS`, for `toMemoryAsOf`. */
export const AS_OF_COLUMNS = `${STATUS_AS_OF} as status_then, ${SUPERSEDED_AS_OF} as was_superseded`

export interface RowAsOf extends MemoryRow {
  readonly status_then: MemoryStatus
  readonly was_superseded: number
}

/** The memory as it was then. */
export function toMemoryAsOf(row: RowAsOf): IndexedMemory {
  const memory = { ...toIndexedMemory(row), status: row.status_then }
  if (row.was_superseded === 1) return memory
  const { supersededBy: _later, supersededAt: _at, ...before } = memory
  return before
}

/** Instants of the years 0000..9999, which are those that can be written. */
const FIRST = Date.parse('0000-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * An instant as rows spell theirs, so that texts compare as times do. One before or after all that can be written is the
 * first or the last that can.
 * @param asOf  epoch milliseconds
 * @throws {RangeError} it is no number
 */
export function spelledInstant(asOf: number): string {
  if (Number.isNaN(asOf)) throw new RangeError('An instant is given in epoch milliseconds.')
  return new Date(Math.min(Math.max(asOf, FIRST), LAST)).toISOString()
}
