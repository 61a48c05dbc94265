import type { IndexReader, RelatedEntity } from '../types.js'
import type { Connection } from './connection.js'
import { askedInstant, liveAt } from './newest-rows.js'
import { spelledInstant } from './as-of.js'
import { prepared } from './statements.js'

interface RelationRow extends RelatedEntity {
  readonly created_at: string
}

const HOUR_MS = 3_600_000
/** A day without a zone is over once it is over everywhere (UTC-12), and has begun once it began anywhere (UTC+14). */
const LAST_ZONE_MS = 12 * HOUR_MS
const FIRST_ZONE_MS = 14 * HOUR_MS

const DAY_LENGTH = 'YYYY-MM-DD'.length
const dayOf = (instant: number): string => spelledInstant(instant).slice(0, DAY_LENGTH)

/** Open ends are empty texts. An end is past when its instant is. */
const VALID = `(valid_to = '' or valid_to >= iif(length(valid_to) = ${DAY_LENGTH}, @lastDay, @at))
  and (valid_from = '' or valid_from <= iif(length(valid_from) = ${DAY_LENGTH}, @firstDay, @at))`

/** The two ways to go along a relation, each in the order of an index. */
const DIRECTIONS = [
  { own: 'src', other: 'dst' },
  { own: 'dst', other: 'src' },
] as const

/**
 * Entities one relation away from these, in either direction, each once: those of the relation that was stated last first,
 * then by id, relation and the entity they are related to. Followed is what was recorded and valid at the asked instant and
 * rests on a memory that was live then.
 * @param now  epoch milliseconds: validity is judged then where no `asOf` is asked
 */
export function relatedEntities(
  db: Connection,
  entityIds: readonly string[],
  { limit, asOf, now }: Parameters<IndexReader['related']>[1] & { readonly now: number },
): RelatedEntity[] {
  const at = asOf ?? now
  const own = new Set(entityIds)
  const asked = askedInstant(asOf)
  const values = {
    at: spelledInstant(at),
    lastDay: dayOf(at - LAST_ZONE_MS),
    firstDay: dayOf(at + FIRST_ZONE_MS),
    own: JSON.stringify([...own]),
    ...asked,
  }
  const found = [...own].flatMap((id) =>
    DIRECTIONS.flatMap((direction) => {
      const rows = prepared<[object], RelationRow>(db, relationsSql(direction, asked)).iterate({ ...values, id })
      return firstOfEach(rows, limit)
    }),
  )
  return firstOfEach(found.sort(byLatest), limit).map(({ id, from, relation }) => ({ id, from, relation }))
}

function relationsSql({ own, other }: (typeof DIRECTIONS)[number], asked: { readonly asOf?: string }): string {
  return `select ${other} as id, ${own} as "from", relation, created_at from relations as walked
    where ${own} = @id and ${asked.asOf === undefined ? '' : 'created_at <= @asOf and'} ${VALID}
      and ${other} not in (select value from json_each(@own))
      and exists (select 1 from relation_support as support join memories on memories.id = support.memory_id
        where support.src = walked.src and support.relation = walked.relation and support.dst = walked.dst
          and support.valid_from = walked.valid_from and support.valid_to = walked.valid_to and ${liveAt(asked)})
    order by created_at desc, ${other}, relation`
}

/** The first of each entity, until there are enough: rows that come one by one are read no further. */
function firstOfEach(rows: Iterable<RelationRow>, limit: number): RelationRow[] {
  const found = new Map<string, RelationRow>()
  for (const row of rows) {
    if (!found.has(row.id)) found.set(row.id, row)
    if (found.size >= limit) break
  }
  return [...found.values()]
}

/** As SQLite compares texts, so that what a walk leaves out would have come later here as well. */
const compareTexts = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

const byLatest = (one: RelationRow, other: RelationRow): number =>
  compareTexts(other.created_at, one.created_at) ||
  compareTexts(one.id, other.id) ||
  compareTexts(one.relation, other.relation) ||
  compareTexts(one.from, other.from)
