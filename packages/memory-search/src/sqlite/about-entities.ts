import type { IndexedMemory } from '../types.js'
import type { Connection } from './connection.js'
import { CURRENT, ROW_COLUMNS, toIndexedMemory, type MemoryRow } from './memory-rows.js'
import { prepared } from './statements.js'

/** Associations that are looked up one by one; of what has more, such as the owner, the newest memories soon hold some. */
const FEW = 200

const ABOUT =
  'exists (select 1 from associations where memory_id = memories.id and entity_id in (select value from wanted))'
const NEWEST = 'order by moment desc, id limit ?'

/**
 * Current memories about any of these entities: those with a fact of one of the keys first, then the newest, ties by id
 * (CAP-14). The cost does not grow with the memories of an entity.
 * @param factKeys  `<entity id> <fact key>`
 */
export function memoriesAbout(
  db: Connection,
  entityIds: readonly string[],
  { factKeys, limit }: { readonly factKeys: readonly string[]; readonly limit: number },
): IndexedMemory[] {
  const entities = JSON.stringify(entityIds)
  const wanted = 'with wanted as (select value from json_each(?))'
  const sharing = prepared<[string, string, number], MemoryRow>(
    db,
    `${wanted} select ${ROW_COLUMNS} from memories
       where row in (select row from memory_facts where fact_key in (select value from json_each(?)))
         and ${CURRENT} and ${ABOUT} ${NEWEST}`,
  ).all(entities, JSON.stringify(factKeys), limit)
  if (sharing.length === limit) return sharing.map(toIndexedMemory)
  const associations = prepared<[string, number], number>(
    db,
    `${wanted} select count(*) from (select 1 from associations where entity_id in (select value from wanted) limit ?)`,
  )
    .pluck()
    .get(entities, FEW + 1)
  const source =
    (associations ?? 0) > FEW
      ? `memories indexed by memories_by_moment where ${ABOUT}`
      : 'memories where id in (select memory_id from associations where entity_id in (select value from wanted))'
  const newest = prepared<[string, number], MemoryRow>(
    db,
    `${wanted} select ${ROW_COLUMNS} from ${source} and ${CURRENT} ${NEWEST}`,
  ).all(entities, limit + sharing.length)
  const rows = new Map([...sharing, ...newest].map((row) => [row.row, row]))
  return [...rows.values()].slice(0, limit).map(toIndexedMemory)
}

/**
 * The names of the entities that the memories of these rows are about, as far as they are wanted; only of rows that have
 * some. Many memories are about one entity, and few entities have a wanted name: so each name is looked at once.
 */
export function entityNames(
  db: Connection,
  rows: readonly number[],
  isWanted: (name: string) => boolean,
): Map<number, string[]> {
  const isAnyAbout = prepared<[], number>(db, 'select exists (select 1 from entity_memories)').pluck()
  if (isAnyAbout.get() === 0) return new Map()
  const asked = JSON.stringify(rows)
  const nameOf = new Map(
    prepared<[string], [id: string, name: string]>(
      db,
      `select id, name from entities where id in (select entity_id
         from json_each(?) as asked cross join entity_memories on entity_memories.row = asked.value)`,
    )
      .raw()
      .all(asked)
      .filter(([, name]) => isWanted(name)),
  )
  const names = new Map<number, string[]>()
  if (nameOf.size === 0) return names
  const about = prepared<[string, string], [row: number, entityId: string]>(
    db,
    `select entity_memories.row, entity_id from json_each(?) as asked cross join entity_memories
       on entity_memories.row = asked.value and entity_id in (select value from json_each(?))`,
  ).raw()
  for (const [row, entityId] of about.all(asked, JSON.stringify([...nameOf.keys()]))) {
    const name = nameOf.get(entityId)
    if (name !== undefined) names.set(row, [...(names.get(row) ?? []), name])
  }
  return names
}
