import type { Attribution, FactLabel, MemoryHit } from '@mono-agent/memory-store'
import type { IndexedMemory, IndexIdentity, RankedMemory } from '../types.js'

/**
 * A memory as callers of a search see it; what made its score only where they asked for it. What took the place of what is
 * known in bujo alone, so only there anything is called current (REC-4).
 */
export function toHit(ranked: RankedMemory, tier: IndexIdentity['tier'], isExplained: boolean): MemoryHit {
  const currentness = ranked.memory.supersededBy === undefined ? 'current' : 'superseded'
  return hitOf(ranked, tier === 'bujo' ? { currentness } : {}, isExplained ? { explanation: ranked.parts } : {})
}

/** The hit of a ranked memory (REC-1): how it stands, and what more is to be said of it, are the caller's to judge. */
export function hitOf(
  { memory, score }: Pick<RankedMemory, 'memory' | 'score'>,
  standing: Pick<MemoryHit, 'currentness' | 'endedOn'>,
  more: Pick<MemoryHit, 'explanation' | 'provenance'>,
): MemoryHit {
  const attribution = attributionOf(memory)
  return {
    id: memory.id,
    score,
    text: memory.text,
    type: memory.type,
    status: memory.status,
    createdAt: memory.createdAt,
    ...(memory.occurredAt === undefined ? {} : { occurredAt: memory.occurredAt }),
    ...validityOf(memory),
    ...(memory.dueAt === undefined ? {} : { dueAt: memory.dueAt }),
    ...standing,
    ...(attribution === undefined ? {} : { attribution }),
    source: {
      ...(memory.conversationId === undefined ? {} : { conversationId: memory.conversationId }),
      ...(memory.speaker === undefined ? {} : { speaker: memory.speaker }),
      file: memory.file,
    },
    ...more,
  }
}

/** The one value that all have; undefined if they differ or there are none. */
export const agreed = <T>(values: readonly T[]): T | undefined =>
  values.every((value) => value === values[0]) ? values[0] : undefined

/** Facts with a key; a coarse owner fact says of whom a memory speaks and is about no time (CAP-9). */
export const keyedFacts = ({ labels = [] }: IndexedMemory): FactLabel[] =>
  labels.filter((label): label is FactLabel => label.kind === 'fact' && label.key !== undefined)

/**
 * Who vouches for a memory: what its line says, else what its facts and preferences agree on. Lessons have no attribution;
 * labels that were learned in different ways give none.
 */
export function attributionOf({ attribution, labels = [] }: IndexedMemory): Attribution | undefined {
  return attribution ?? agreed(labels.flatMap((label) => (label.kind === 'lesson' ? [] : [label.attribution])))
}

/** Of the facts of a memory, if they agree. */
export function validityOf(memory: IndexedMemory): Pick<MemoryHit, 'validFrom' | 'validTo'> {
  const facts = keyedFacts(memory)
  const validFrom = agreed(facts.map((fact) => fact.validFrom))
  const validTo = agreed(facts.map((fact) => fact.validTo))
  return { ...(validFrom === undefined ? {} : { validFrom }), ...(validTo === undefined ? {} : { validTo }) }
}
