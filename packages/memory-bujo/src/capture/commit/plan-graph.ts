import type { GraphAssociation, GraphEntity, GraphLine, GraphRelation } from '@mono-agent/memory-store'
import { OWNER_ENTITY } from '../contract/index.js'
import type { AdmittedCapture, CaptureTurn, ExtractedEntity } from '../types.js'
import type { StoredMemory } from './plan-memories.js'

/** Named by memories without being declared; what a model says of it changes nothing. */
const OWNER: ExtractedEntity = { id: OWNER_ENTITY, name: 'Owner', type: 'person' }

/**
 * What the stored memories bring to the graph: who and what they are about, and the relations that they say. Of entities
 * and relations only those that a stored memory names, and only what is new, or differs and is a user's to change.
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
  const byUsers = namedByUsers(stored, relations)
  const lines = [OWNER, ...declared].flatMap((entity): GraphEntity[] => {
    const known = knownEntity(entity.id)
    // A page must not be able to call somebody whom the user knows by another name.
    const mayBeSaid = named.has(entity.id) && (known === undefined || byUsers.has(entity.id))
    return mayBeSaid ? entityLine(entity, known, createdAt) : []
  })
  return [...lines, ...said, ...about]
}

/** Entities that a stored memory of a user's is about, or relates. */
function namedByUsers(stored: readonly StoredMemory[], relations: AdmittedCapture['relations']): ReadonlySet<string> {
  const users = stored.filter(({ memory }) => memory.source === 'user').map(({ memory }) => memory)
  const places = new Set(users.map(({ index }) => index))
  const related = relations.filter(({ memories }) => memories.some((index) => places.has(index)))
  return new Set([...users.flatMap((memory) => memory.entities), ...related.flatMap(({ src, dst }) => [src, dst])])
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
