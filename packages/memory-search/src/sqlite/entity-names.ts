import { possibleIds } from '../query/entity-ids.js'
import { MAX_QUERY_LENGTH } from '../query/match-expression.js'
import { nameTokens, type NameToken } from '../query/name-tokens.js'
import { namesIn, type KnownKey } from '../query/names-in.js'
import type { IndexedEntity } from '../types.js'
import type { Connection } from './connection.js'
import { prepared } from './statements.js'

interface EntityRow {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly summary: string | null
  readonly created_at: string
}

const ENTITY_COLUMNS = 'id, name, type, summary, created_at'

const toEntity = ({ summary, created_at: createdAt, ...row }: EntityRow): IndexedEntity => ({
  ...row,
  ...(summary === null ? {} : { summary }),
  createdAt,
})

export function entityOf(db: Connection, id: string): IndexedEntity | undefined {
  const row = prepared<[string], EntityRow>(db, `select ${ENTITY_COLUMNS} from entities where id = ?`).get(id)
  return row === undefined ? undefined : toEntity(row)
}

/** A part of a text: an entity named by its id, or what stands between such ids. */
type Passage = { readonly id: string } | { readonly text: string }

/**
 * The entities that a text names by their ids or whole names, in the order of their first mention, those of one name by id;
 * each once, at most `limit`. A word costs one look into the index, and one more for each word by which it may be the
 * beginning of a longer name: how many entities there are plays no part. Of the text the part counts that is searched for,
 * its first `MAX_QUERY_LENGTH` units.
 */
export function entitiesNamedIn(db: Connection, text: string, limit: number): IndexedEntity[] {
  const passages = passagesOf(db, text.slice(0, MAX_QUERY_LENGTH))
  const tokens = passages.map((passage): NameToken[] => ('text' in passage ? nameTokens(passage.text) : []))
  const look = keyReader(db, tokens.flat())
  const byName = prepared<[string], EntityRow>(
    db,
    `select ${ENTITY_COLUMNS} from entities where name_key = ? order by id`,
  )
  const found = new Map<string, IndexedEntity>()
  for (const [at, passage] of passages.entries()) {
    const named =
      'id' in passage
        ? [entityOf(db, passage.id)]
        : namesIn(tokens[at] ?? [], look).flatMap((key) => byName.all(key).map(toEntity))
    for (const entity of named) if (entity !== undefined) found.set(entity.id, found.get(entity.id) ?? entity)
    if (found.size >= limit) break
  }
  return [...found.values()].slice(0, limit)
}

/** Parts a text at the ids in it: what an id is made of is no name besides, and no name goes across it. */
function passagesOf(db: Connection, text: string): Passage[] {
  const exists = prepared<[string], number>(db, 'select 1 from entities where id = ?').pluck()
  const passages: Passage[] = []
  let from = 0
  for (const { at, readings } of possibleIds(text)) {
    const id = readings.find((reading) => exists.get(reading) !== undefined)
    if (id === undefined) continue
    passages.push({ text: text.slice(from, at) }, { id })
    from = at + id.length
  }
  return [...passages, { text: text.slice(from) }]
}

const NO_KEY: KnownKey = { isName: false, isBeginning: false }
/** Keys that continue a key do so after a space, and what sorts right after all of them is the key and `!`. */
const STARTS = `name_key > key || ' ' and name_key < key || '!'`

/** What the index knows of a key; the words of the text, of which most begin no name, are looked up at one go. */
function keyReader(db: Connection, tokens: readonly NameToken[]): (key: string) => KnownKey {
  const words = new Set(tokens.filter(({ begins }) => begins).map(({ text }) => text))
  const first = prepared<[string], string>(
    db,
    `select value as key from json_each(?)
       where exists (select 1 from entities where name_key >= value and name_key < value || '!')`,
  ).pluck()
  const beginning = new Set(first.all(JSON.stringify([...words])))
  const select = prepared<[string], { readonly isName: number; readonly isBeginning: number }>(
    db,
    `select exists (select 1 from entities where name_key = key) as isName,
       exists (select 1 from entities where ${STARTS}) as isBeginning from (select ? as key)`,
  )
  const known = new Map<string, KnownKey>()
  return (key) => {
    if (words.has(key) && !beginning.has(key)) return NO_KEY
    let found = known.get(key)
    if (found === undefined) {
      const row = select.get(key)
      known.set(
        key,
        (found = row === undefined ? NO_KEY : { isName: row.isName === 1, isBeginning: row.isBeginning === 1 }),
      )
    }
    return found
  }
}
