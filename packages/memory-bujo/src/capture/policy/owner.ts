import { OWNER_ENTITY } from '../contract/bounds.js'
import type { AdmittedMemory, AdmittedRelation, CaptureTurn } from '../types.js'
import { isOwnersWord } from './attribution.js'

/** Entities of a memory; who the owner is, only a verified owner turn tells (CAP-9). */
export function entitiesOnTurn(entities: readonly string[], turn: CaptureTurn): readonly string[] {
  return turn.isOwnerTurn ? entities : entities.filter((id) => id !== OWNER_ENTITY)
}

/**
 * Relations of which one end is the owner are owner facts in another form: they need the owner's own words, and only the
 * memories that hold those support them.
 */
export function withoutForgedOwner(
  relations: readonly AdmittedRelation[],
  memories: readonly AdmittedMemory[],
  turn: CaptureTurn,
): { readonly relations: readonly AdmittedRelation[]; readonly refused: number } {
  const own = new Set(memories.filter((memory) => isOwnersWord(memory, turn)).map(({ index }) => index))
  const kept = relations
    .map((relation) =>
      relation.src === OWNER_ENTITY || relation.dst === OWNER_ENTITY
        ? { ...relation, memories: relation.memories.filter((index) => own.has(index)) }
        : relation,
    )
    .filter((relation) => relation.memories.length > 0)
  return { relations: kept, refused: relations.length - kept.length }
}
