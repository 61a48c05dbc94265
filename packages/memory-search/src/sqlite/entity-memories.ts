import type { IndexedMemory, IndexReader } from '../types.js'
import type { Connection } from './connection.js'
import { askedInstant, liveAt, newestOf } from './newest-rows.js'
import { prepared } from './statements.js'

/** Live memories about an entity, the newest recorded first, ties by id. */
export function memoriesOf(
  db: Connection,
  entityId: string,
  { limit, asOf }: Parameters<IndexReader['memoriesOf']>[1],
): IndexedMemory[] {
  const asked = askedInstant(asOf)
  const live = liveAt(asked)
  const condition =
    asked.asOf === undefined
      ? live
      : `${live} and exists (select 1 from associations
           where entity_id = @entityId and memory_id = memories.id and associations.created_at <= @asOf)`
  const walk = { table: 'entity_memories', where: 'entity_id = @entityId', values: { entityId } } as const
  return newestOf(db, [walk], { condition, limit, ...asked })
}

/** Ids of the entities that each of these memories is about, sorted by code unit; memories without any are absent. */
export function entitiesOf(db: Connection, memoryIds: readonly string[]): Map<string, readonly string[]> {
  const select = prepared<[string], string>(
    db,
    'select distinct entity_id from associations where memory_id = ?',
  ).pluck()
  const found = memoryIds.map((id) => [id, select.all(id).sort()] as const)
  return new Map(found.filter(([, entities]) => entities.length > 0))
}
