import { parseInstant } from '@mono-agent/memory-store'
import type { SidecarRecord } from '../sidecar/record.js'
import type { Connection } from './connection.js'
import { tagText } from './full-text.js'
import { RecentTexts } from './recent-texts.js'
import { prepared } from './statements.js'
import { vectorIn } from './vector-rows.js'

type Selected = [
  row: number,
  sentence: string,
  before1: string | null,
  before2: string | null,
  recordedAt: string,
  occurredAt: string | null,
  speaker: string | null,
  conversationId: string | null,
  isPreference: number,
  isLesson: number,
  before: number | null,
  vector: Buffer | null,
]

/** Sentences whose words are kept from one read to the next. */
const RECENT = 1_024

const recent = new WeakMap<Connection, RecentTexts>()

/** Of this connection: a walk through all records reads some at a time. */
function recentTexts(db: Connection): RecentTexts {
  const known = recent.get(db) ?? new RecentTexts(RECENT)
  recent.set(db, known)
  return known
}

const hasKind = (kind: 'preference' | 'lesson'): string =>
  `memories.labels <> '[]' and exists (select 1 from memory_labels where row = memories.row and kind = '${kind}')`

/**
 * The first or the second record before, as `neighbours` has them. A column with `+` has no affinity, as a bound value has none:
 * else SQLite would seek by the moment alone, and walk all records of one instant for each of them.
 */
const rowBefore = (
  skipped: 0 | 1,
): string => `(select earlier.row from memories as earlier indexed by memories_by_conversation
  where earlier.is_searchable = 1 and earlier.conversation_id is not null
    and earlier.conversation_id = memories.conversation_id
    and (earlier.moment, earlier.file, earlier.position) < (+memories.moment, +memories.file, +memories.position)
  order by earlier.moment desc, earlier.file desc, earlier.position desc limit 1 offset ${skipped})`

/** Words are taken from the sentences again: the index holds no texts. In one statement, so of one snapshot. */
const select = (rows: string, dimension: number | undefined): string => `
  select memories.row, memories.sentence, before1.sentence, before2.sentence, memories.created_at, memories.occurred_at,
      memories.speaker, memories.conversation_id, ${hasKind('preference')}, ${hasKind('lesson')}, before1.row,
      ${dimension === undefined ? 'null' : 'vector'}
    from memories
      left join memories as before1 on before1.row = ${rowBefore(0)}
      left join memories as before2 on before2.row = ${rowBefore(1)}
      ${dimension === undefined ? '' : 'left join memory_vectors on memory_vectors.row = memories.row'}
    where ${rows} and memories.is_searchable = 1`

/**
 * Reads one record as a sidecar mirrors it, in the caller's snapshot.
 * @param dimension  of the vectors; undefined in lite
 * @returns undefined where the row is gone or cannot be found
 */
export function recordOf(db: Connection, dimension: number | undefined): (row: number) => SidecarRecord | undefined {
  const find = prepared<[number], Selected>(db, select('memories.row = ?', dimension)).raw()
  const texts = recentTexts(db)
  return (row) => {
    const found = find.get(row)
    return found === undefined ? undefined : toRecord(found, texts)
  }
}

/**
 * The next searchable records by row, at most `limit`: what a sidecar is built from.
 * @param dimension  of the vectors; undefined in lite  @param row  the last one seen; 0 to begin
 */
export function recordsAfter(
  db: Connection,
  dimension: number | undefined,
  row: number,
  limit: number,
): SidecarRecord[] {
  const texts = recentTexts(db)
  return prepared<[number, number], Selected>(
    db,
    `${select('memories.row > ?', dimension)} order by memories.row limit ?`,
  )
    .raw()
    .all(row, limit)
    .map((found) => toRecord(found, texts))
}

function toRecord(found: Selected, texts: RecentTexts): SidecarRecord {
  const [row, sentence, before1, before2, createdAt, occurredAt, speaker, conversationId, ...rest] = found
  const [isPreference, isLesson, before, vector] = rest
  const tags = tagText({ created_at: createdAt, occurred_at: occurredAt, speaker, conversation_id: conversationId })
  return {
    row,
    columns: [texts.of(sentence), texts.of(before1 ?? ''), texts.of(before2 ?? ''), tags],
    recordedAt: parseInstant(createdAt) ?? 0,
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
