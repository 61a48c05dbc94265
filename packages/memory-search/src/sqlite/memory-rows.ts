import {
  bulletDigest,
  contentHash,
  parseInstant,
  type Attribution,
  type Bullet,
  type MemoryLabel,
  type MemoryStatus,
  type MemoryType,
} from '@mono-agent/memory-store'
import type { IndexedMemory } from '../types.js'
import type { Connection } from './connection.js'
import { prepared } from './statements.js'

/** A bullet and where it stands: `position` counts the bullets of its file from 0. */
export interface PlacedBullet {
  readonly bullet: Bullet
  readonly file: string
  readonly position: number
}

/** What a comparison with a day file needs of a row. */
export interface RowMark {
  readonly row: number
  readonly id: string
  readonly file: string
  readonly position: number
  readonly digest: string
}

/** A row as it is returned to callers. */
export interface MemoryRow {
  readonly row: number
  readonly id: string
  readonly file: string
  readonly position: number
  readonly sentence: string
  readonly type: MemoryType
  readonly status: MemoryStatus
  readonly salience: number
  readonly is_insight: number
  readonly created_at: string
  readonly due_at: string | null
  readonly occurred_at: string | null
  readonly speaker: string | null
  readonly attribution: Attribution | null
  readonly conversation_id: string | null
  readonly content_hash: string
  /** JSON. */
  readonly labels: string
  readonly replaceable: number | null
  readonly superseded_by: string | null
  readonly superseded_at: string | null
}

export const ROW_COLUMNS =
  'row, id, file, position, sentence, type, status, salience, is_insight, created_at, due_at, occurred_at, speaker, ' +
  'attribution, conversation_id, content_hash, labels, replaceable, ' +
  '(select by_id from supersessions where supersessions.id = memories.id) as superseded_by, ' +
  '(select at from supersessions where supersessions.id = memories.id) as superseded_at'

/** What a new memory may be about (CAP-14): what can be found and has no successor. */
export const CURRENT =
  'is_searchable = 1 and not exists (select 1 from supersessions where supersessions.id = memories.id)'

const FIELDS = [
  'id',
  'file',
  'position',
  'sentence',
  'type',
  'status',
  'salience',
  'is_insight',
  'created_at',
  'refs',
  'due_at',
  'occurred_at',
  'speaker',
  'attribution',
  'replaceable',
  'rev',
  'conversation_id',
  'labels',
  'moment',
  'content_hash',
  'digest',
  'content_id',
] as const

/** Dropped and invalidated memories are never found (REC-2). */
export const isLive = (status: MemoryStatus): boolean => status !== 'dropped' && status !== 'invalidated'

const flag = (value: boolean): number => (value ? 1 : 0)

/** The values of a row, every field of the bullet mirrored (SEA-7), in the order of the fields. */
export function rowValues({ bullet, file, position }: PlacedBullet): (string | number | null)[] {
  return [
    bullet.id,
    file,
    position,
    bullet.sentence,
    bullet.type,
    bullet.status,
    bullet.salience,
    flag(bullet.isInsight),
    bullet.createdAt,
    JSON.stringify(bullet.refs),
    bullet.dueAt ?? null,
    bullet.occurredAt ?? null,
    bullet.speaker ?? null,
    bullet.attribution ?? null,
    bullet.replaceable === undefined ? null : flag(bullet.replaceable),
    bullet.rev ?? null,
    bullet.conversationId ?? null,
    JSON.stringify(bullet.labels),
    parseInstant(bullet.occurredAt ?? bullet.createdAt) ?? 0,
    contentHash(bullet.sentence),
    // Over the lines as they stand, so that a change of an unknown key is seen as well.
    bulletDigest(bullet),
    bullet.contentId ?? null,
  ]
}

export interface RowWriter {
  /** The new row counts for nothing until the flags of its id are resolved. @returns the row number */
  insert(placed: PlacedBullet): number
  /** For a new database that is filled in the order of day and line: the first copy of an id counts (FMT-4). */
  insertResolved(placed: PlacedBullet, isDuplicate: boolean): void
  update(row: number, placed: PlacedBullet): void
  /** It counts for nothing until the flags of its id are resolved. */
  hide(row: number): void
  remove(row: number): void
  move(row: number, position: number): void
}

export function rowWriter(db: Connection): RowWriter {
  const insert = prepared<unknown[], unknown>(
    db,
    `insert into memories (${FIELDS.join(', ')}, is_duplicate, is_searchable) values (${FIELDS.map(() => '?').join(', ')}, ?, ?)`,
  )
  const update = prepared<unknown[], unknown>(
    db,
    `update memories set ${FIELDS.map((field) => `${field} = ?`).join(', ')} where row = ?`,
  )
  const hide = prepared<unknown[], unknown>(
    db,
    'update memories set is_searchable = 0 where row = ? and is_searchable = 1',
  )
  const remove = prepared<unknown[], unknown>(db, 'delete from memories where row = ?')
  const move = prepared<unknown[], unknown>(db, 'update memories set position = ? where row = ?')
  return {
    insert: (placed) => Number(insert.run(...rowValues(placed), 0, 0).lastInsertRowid),
    insertResolved: (placed, isDuplicate) =>
      void insert.run(...rowValues(placed), flag(isDuplicate), flag(!isDuplicate && isLive(placed.bullet.status))),
    update: (row, placed) => void update.run(...rowValues(placed), row),
    hide: (row) => void hide.run(row),
    remove: (row) => void remove.run(row),
    move: (row, position) => void move.run(position, row),
  }
}

/** All values of the rows of a file as `rowValues` makes them, in file order: what a validation compares. */
export const valuesOfFile = (db: Connection, file: string): (string | number | null)[][] =>
  prepared<[string], (string | number | null)[]>(
    db,
    `select ${FIELDS.join(', ')} from memories where file = ? order by position`,
  )
    .raw()
    .all(file)

/** Of these rows the first ones by id. */
export const firstById = (db: Connection, rows: readonly number[], limit: number): number[] =>
  prepared<[string, number], number>(
    db,
    // A cross join keeps the order of the tables: each row is looked up, and the memories are not walked by id.
    `select memories.row from json_each(?) as asked cross join memories on memories.row = asked.value
       order by memories.id limit ?`,
  )
    .pluck()
    .all(JSON.stringify(rows), limit)

/** Copies of an id do not count (FMT-4). */
export const countMemories = (db: Connection): number =>
  prepared<[], number>(db, 'select count(*) from memories where is_duplicate = 0').pluck().get() ?? 0

export const marksOfFile = (db: Connection, file: string): RowMark[] =>
  prepared<[string], RowMark>(
    db,
    'select row, id, file, position, digest from memories where file = ? order by position',
  ).all(file)

export function toIndexedMemory(row: MemoryRow): IndexedMemory {
  return {
    id: row.id,
    file: row.file,
    position: row.position,
    text: row.sentence,
    type: row.type,
    status: row.status,
    salience: row.salience,
    isInsight: row.is_insight === 1,
    createdAt: row.created_at,
    ...(row.occurred_at === null ? {} : { occurredAt: row.occurred_at }),
    ...(row.due_at === null ? {} : { dueAt: row.due_at }),
    ...(row.speaker === null ? {} : { speaker: row.speaker }),
    ...(row.conversation_id === null ? {} : { conversationId: row.conversation_id }),
    contentHash: row.content_hash,
    ...(row.attribution === null ? {} : { attribution: row.attribution }),
    ...(row.labels === NO_LABELS ? {} : { labels: labelsOf(row) }),
    ...(row.replaceable === null ? {} : { replaceable: row.replaceable === 1 }),
    ...(row.superseded_by === null ? {} : { supersededBy: row.superseded_by }),
    ...(row.superseded_at === null ? {} : { supersededAt: row.superseded_at }),
  }
}

const NO_LABELS = '[]'

/** As they were read from the bullet, which is the only writer of the column. */
export const labelsOf = ({ labels }: Pick<MemoryRow, 'labels'>): readonly MemoryLabel[] =>
  labels === NO_LABELS ? [] : (JSON.parse(labels) as readonly MemoryLabel[])
