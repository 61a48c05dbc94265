import type { GraphAssociation, GraphEntity, GraphLine, GraphRelation } from '@mono-agent/memory-store'
import { OWNER_ENTITY } from '../contract/index.js'
import type { AdmittedCapture, CaptureTurn, ExtractedEntity } from '../types.js'
import type { StoredMemory } from './plan-memories.js'

/** Named by memories without being declared; what a model says of it changes nothing. */
const OWNER: ExtractedEntity = { id: OWNER_ENTITY, name: 'Owner', type: 'person' }

/**
 * What the stored memories bring to the graph: who and what they are about, and the relations that they say. Of entities
 * and relations only those that a stored memory names, and only what is new or differs.
 */
export function planGraph(
  turn: CaptureTurn,
  { entities, relations }: Pick<AdmittedCapture, 'entities' | 'relations'>,
  stored: readonly StoredMemory[],
  knownEntity: (id: string) => GraphEntity | undefined,
): readonly GraphLine[] {
  const createdAt = turn.admittedAt
  const idOf = new Map(stored.map(({ memory, id }) => [memory.index, id]))
  const said = relations.flatMap(({ memories, src, relation, dst }): GraphRelation[] => {
    const support = [...new Set(memories.flatMap((index) => idOf.get(index) ?? []))].sort()
    return support.length === 0 ? [] : [{ kind: 'relation', src, dst, relation, createdAt, support }]
  })
  const about = stored.flatMap(({ memory, id }) =>
    [...new Set(memory.entities)].map((entityId): GraphAssociation => {
      return { kind: 'association', memoryId: id, entityId, provenance: memory.attribution, createdAt }
    }),
  )
  const named = new Set([
    ...stored.flatMap(({ memory }) => memory.entities),
    ...said.flatMap(({ src, dst }) => [src, dst]),
  ])
  const declared = entities.filter(({ id }) => id !== OWNER_ENTITY)
  const lines = [OWNER, ...declared].flatMap((entity): GraphEntity[] =>
    named.has(entity.id) ? entityLine(entity, knownEntity(entity.id), createdAt) : [],
  )
  return [...lines, ...said, ...about]
}

/** None where the log says the same already. A summary that is not given is no reason to lose the one that is known. */
function entityLine(
  { id, name, type, summary }: ExtractedEntity,
  known: GraphEntity | undefined,
  createdAt: string,
): GraphEntity[] {
  const kept = summary ?? known?.summary
  if (known !== undefined && known.name === name && known.type === type && known.summary === kept) return []
  return [{ kind: 'entity', id, name, type, ...(kept === undefined ? {} : { summary: kept }), createdAt }]
}
