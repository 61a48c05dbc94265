import { parseInstant } from '@mono-agent/memory-store'
import type { SidecarRecord } from '../sidecar/record.js'
import type { Connection } from './connection.js'
import type { WordColumns } from './full-text.js'
import { prepared } from './statements.js'
import { vectorIn } from './vector-rows.js'

type Selected = [
  row: number,
  ...columns: [...WordColumns],
  recordedAt: string,
  isPreference: number,
  isLesson: number,
  before: number | null,
  vector: Buffer | null,
]

const hasKind = (kind: 'preference' | 'lesson'): string =>
  `memories.labels <> '[]' and exists (select 1 from memory_labels where row = memories.row and kind = '${kind}')`

/**
 * The record before, as `rowBefore` has it. A column with `+` has no affinity, as a bound value has none: else SQLite would
 * seek by the moment alone, and walk all records of one instant for each of them.
 */
const ROW_BEFORE = `(select earlier.row from memories as earlier indexed by memories_by_conversation
  where earlier.is_searchable = 1 and earlier.conversation_id is not null
    and earlier.conversation_id = memories.conversation_id
    and (earlier.moment, earlier.file, earlier.position) < (+memories.moment, +memories.file, +memories.position)
  order by earlier.moment desc, earlier.file desc, earlier.position desc limit 1)`

/** Words are read where FTS5 keeps them: asked through FTS5 each row would cost twice as much. */
const select = (rows: string, dimension: number | undefined): string => `
  select memories.row, c0, c1, c2, c3, created_at, ${hasKind('preference')}, ${hasKind('lesson')}, ${ROW_BEFORE},
      ${dimension === undefined ? 'null' : 'vector'}
    from memory_words_content as words cross join memories on memories.row = words.id
      ${dimension === undefined ? '' : 'left join memory_vectors on memory_vectors.row = words.id'}
    where ${rows} and is_searchable = 1`

/**
 * Reads one record as a sidecar mirrors it, in the caller's snapshot.
 * @param dimension  of the vectors; undefined in lite
 * @returns undefined where the row is gone or cannot be found
 */
export function recordOf(db: Connection, dimension: number | undefined): (row: number) => SidecarRecord | undefined {
  const find = prepared<[number], Selected>(db, select('words.id = ?', dimension)).raw()
  return (row) => {
    const found = find.get(row)
    return found === undefined ? undefined : toRecord(found)
  }
}

/**
 * The next searchable records by row, at most `limit`: what a sidecar is built from.
 * @param dimension  of the vectors; undefined in lite  @param row  the last one seen; 0 to begin
 */
export const recordsAfter = (
  db: Connection,
  dimension: number | undefined,
  row: number,
  limit: number,
): SidecarRecord[] =>
  prepared<[number, number], Selected>(db, `${select('words.id > ?', dimension)} order by words.id limit ?`)
    .raw()
    .all(row, limit)
    .map(toRecord)

function toRecord([row, ...rest]: Selected): SidecarRecord {
  const [body, before1, before2, tags, recordedAt, isPreference, isLesson, before, vector] = rest
  return {
    row,
    columns: [body, before1, before2, tags],
    recordedAt: parseInstant(recordedAt) ?? 0,
    kinds: kindsOf(isPreference === 1, isLesson === 1),
    before: before ?? undefined,
    vector: vector === null ? undefined : vectorIn(vector),
  }
}

const [NONE, PREFERENCE, LESSON, BOTH] = [[], ['preference'], ['lesson'], ['preference', 'lesson']] as const

/** Shared lists: most records have none. */
function kindsOf(isPreference: boolean, isLesson: boolean): SidecarRecord['kinds'] {
  if (isPreference) return isLesson ? BOTH : PREFERENCE
  return isLesson ? LESSON : NONE
}
