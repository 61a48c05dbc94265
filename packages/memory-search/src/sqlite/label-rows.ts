import type { IndexedMemory, IndexReader } from '../types.js'
import { STATUS_AS_OF, SUPERSEDED_AS_OF } from './as-of.js'
import type { Connection } from './connection.js'
import { CURRENT } from './memory-rows.js'
import { askedInstant, newestOf, type Walk } from './newest-rows.js'

const SUPERSEDED = 'exists (select 1 from supersessions where supersessions.id = memories.id)'

/**
 * Memories with a keyed fact about any of these entities, the newest recorded first, ties by id: nothing that was forgotten,
 * and history too unless only what stands is asked for (REC-6, REC-17). What is not asked for takes no place of the limit.
 */
export function factsAbout(
  db: Connection,
  entityIds: readonly string[],
  { limit, asOf, isStanding = false, conversationId }: Parameters<IndexReader['factsAbout']>[1],
): IndexedMemory[] {
  const asked = askedInstant(asOf)
  const [status, superseded] = asked.asOf === undefined ? ['status', SUPERSEDED] : [STATUS_AS_OF, SUPERSEDED_AS_OF]
  const conditions = [
    `is_duplicate = 0 and ${status} <> 'dropped'`,
    ...(isStanding ? [`${status} <> 'invalidated' and not ${superseded}`] : []),
    ...(conversationId === undefined ? [] : ['conversation_id = @conversationId']),
  ]
  const walks = [...new Set(entityIds)].map((entityId): Walk => {
    const { values, ...walk } = ofEntity(entityId, 1)
    return { ...walk, values: { ...values, ...(conversationId === undefined ? {} : { conversationId }) } }
  })
  return newestOf(db, walks, { condition: conditions.join(' and '), limit, ...asked })
}

/**
 * Current memories with a label of this kind and one of these scopes, about this entity; what is not asked does not count.
 * The newest recorded first, ties by id. Facts have no scope, preferences and lessons no entity.
 */
export function labelled(
  db: Connection,
  asked: Parameters<IndexReader['labelled']>[0],
  limit: number,
): IndexedMemory[] {
  return newestOf(db, walksOf(asked), { condition: CURRENT, limit })
}

function walksOf({ kind, scopes, entityId }: Parameters<IndexReader['labelled']>[0]): Walk[] {
  const table = 'memory_labels'
  if (entityId !== undefined) {
    const isAnswered = kind === 'fact' && scopes === undefined
    return isAnswered ? [ofEntity(entityId, 0), ofEntity(entityId, 1)] : []
  }
  if (scopes === undefined) return [{ table, where: 'kind = @kind', values: { kind } }]
  const where = `kind = @kind and scope = @scope and scope <> ''`
  return [...new Set(scopes)].map((scope) => ({ table, where, values: { kind, scope } }))
}

/** Facts about an entity, keyed or coarse ones. */
const ofEntity = (entityId: string, hasKey: 0 | 1): Walk => ({
  table: 'memory_labels',
  where: `entity_id = @entityId and entity_id <> '' and has_key = @hasKey`,
  values: { entityId, hasKey },
})
