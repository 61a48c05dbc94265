import type { IndexedMemory } from '../types.js'
import type { Connection } from './connection.js'
import { CURRENT, labelsOf, ROW_COLUMNS, toIndexedMemory, type MemoryRow } from './memory-rows.js'
import { prepared } from './statements.js'

/** `<entity id> <fact key>` of the facts of a memory; a coarse owner fact has no key and counts for nothing here (CAP-9). */
const factKeysOf = (row: MemoryRow): string[] =>
  labelsOf(row).flatMap((label) =>
    label.kind === 'fact' && label.key !== undefined ? [`${label.entityId} ${label.key}`] : [],
  )

/**
 * Current memories about any of these entities: those with a fact of one of the keys first, then the newest, ties by id
 * (CAP-14).
 */
export function memoriesAbout(
  db: Connection,
  entityIds: readonly string[],
  { factKeys, limit }: { readonly factKeys: readonly string[]; readonly limit: number },
): IndexedMemory[] {
  const wanted = new Set(factKeys)
  const rows = prepared<[string], MemoryRow>(
    db,
    `select ${ROW_COLUMNS} from memories where ${CURRENT} and id in
       (select memory_id from associations where entity_id in (select value from json_each(?)))
       order by moment desc, id`,
  ).all(JSON.stringify(entityIds))
  const sharing = rows.filter((row) => factKeysOf(row).some((key) => wanted.has(key)))
  return [...new Set([...sharing, ...rows])].slice(0, limit).map(toIndexedMemory)
}

/** The names of the entities that these memories are about, of those that are about any. */
export function entityNames(db: Connection, ids: readonly string[]): Map<string, string[]> {
  const rows = prepared<[string], { readonly id: string; readonly name: string }>(
    db,
    `select distinct memory_id as id, name from associations join entities on entities.id = entity_id
       where memory_id in (select value from json_each(?)) order by memory_id, name`,
  ).all(JSON.stringify(ids))
  const names = new Map<string, string[]>()
  for (const { id, name } of rows) names.set(id, [...(names.get(id) ?? []), name])
  return names
}
