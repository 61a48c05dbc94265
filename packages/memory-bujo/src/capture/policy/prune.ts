import { OWNER_ENTITY } from '../contract/bounds.js'
import type { AdmittedCapture, AdmittedMemory, AdmittedRelation, ExtractedEntity } from '../types.js'
import type { PlannedMemory } from './attribution.js'

interface Endpoints {
  readonly src: string
  readonly dst: string
}

/** Ids of the entities that a memory names: itself, by its facts, and by the relations that it supports. */
export function entitiesNamedBy(memory: PlannedMemory | AdmittedMemory, relations: readonly Endpoints[]): Set<string> {
  const ids = new Set([...memory.entities, ...relations.flatMap(({ src, dst }) => [src, dst])])
  for (const label of memory.labels) {
    if (label.kind !== 'fact') continue
    ids.add('entity' in label ? label.entity : label.entityId)
    if (label.value?.type === 'entity') ids.add(label.value.entityId)
    if (label.value?.type === 'relationship') ids.add(label.value.target) // an id, or plain words that name no entity
  }
  return ids
}

/**
 * The part of a graph that `memories` bear out: relations that one of them supports, entities that one of them names
 * (CAP-7, CAP-11, CAP-21). What a model declares of the owner is left out: that entity is the host's.
 */
export function pruneGraph(
  memories: readonly AdmittedMemory[],
  entities: readonly ExtractedEntity[],
  relations: readonly AdmittedRelation[],
): Pick<AdmittedCapture, 'entities' | 'relations'> {
  const left = new Set(memories.map(({ index }) => index))
  const supported = relations
    .map((relation) => ({ ...relation, memories: relation.memories.filter((index) => left.has(index)) }))
    .filter((relation) => relation.memories.length > 0)
  const named = new Set(supported.flatMap(({ src, dst }) => [src, dst]))
  for (const memory of memories) for (const id of entitiesNamedBy(memory, [])) named.add(id)
  return {
    entities: entities.filter(({ id }) => id !== OWNER_ENTITY && named.has(id)),
    relations: supported,
  }
}

/** A capture with these of its memories alone, and of its graph what they bear out. */
export function pruneCapture(capture: AdmittedCapture, memories: readonly AdmittedMemory[]): AdmittedCapture {
  return { ...capture, memories, ...pruneGraph(memories, capture.entities, capture.relations) }
}
