import { parseInstant } from '@mono-agent/memory-store'
import type { SidecarRecord } from '../sidecar/record.js'
import type { Connection } from './connection.js'
import { bodyText, tagText } from './full-text.js'
import { Recent } from './recent.js'
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

/** Words as the index has them, of what records near each other share. */
interface RecentWords {
  /** By sentence. */
  readonly bodies: Recent<string>
  /** By what they are made of, as JSON: days of authors in conversations. */
  readonly tags: Recent<string>
}

const newWords = (capacity: number): RecentWords => ({
  bodies: new Recent(capacity, bodyText),
  tags: new Recent(capacity, tagsOfKey),
})

/** Of a walk through all records, and of what is read again after a change. */
const [OF_WALK, OF_CHANGES] = [1_024, 64]

/** Of the walk that a connection is on, which reads some records at a time. */
const ofWalk = new WeakMap<Connection, RecentWords>()

type TagKey = readonly [
  createdAt: string,
  occurredAt: string | null,
  speaker: string | null,
  conversation: string | null,
]

/** Tags tell the day and no more of an instant. */
const tagKey = (createdAt: string, occurredAt: string | null, ...rest: [string | null, string | null]): string =>
  JSON.stringify([createdAt.slice(0, DAY), occurredAt?.slice(0, DAY) ?? null, ...rest] satisfies TagKey)

const DAY = 'YYYY-MM-DD'.length

function tagsOfKey(key: string): string {
  const [createdAt, occurredAt, speaker, conversation] = JSON.parse(key) as TagKey
  return tagText({ created_at: createdAt, occurred_at: occurredAt, speaker, conversation_id: conversation })
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
  const words = newWords(OF_CHANGES)
  return (row) => {
    const found = find.get(row)
    return found === undefined ? undefined : toRecord(found, words)
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
  const words = ofWalk.get(db) ?? newWords(OF_WALK)
  const found = prepared<[number, number], Selected>(
    db,
    `${select('memories.row > ?', dimension)} order by memories.row limit ?`,
  )
    .raw()
    .all(row, limit)
  // Nothing of a walk stays once it is at its end.
  if (found.length < limit) ofWalk.delete(db)
  else ofWalk.set(db, words)
  return found.map((record) => toRecord(record, words))
}

function toRecord(found: Selected, { bodies, tags }: RecentWords): SidecarRecord {
  const [row, sentence, before1, before2, createdAt, occurredAt, speaker, conversationId, ...rest] = found
  const [isPreference, isLesson, before, vector] = rest
  return {
    row,
    columns: [
      bodies.of(sentence),
      bodies.of(before1 ?? ''),
      bodies.of(before2 ?? ''),
      tags.of(tagKey(createdAt, occurredAt, speaker, conversationId)),
    ],
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
