import type { Attribution, FactLabel, MemoryHit, MemoryLabel } from '@mono-agent/memory-store'
import type { IndexIdentity, RankedMemory } from '../types.js'

/**
 * A memory as callers of a search see it; what made its score only where they asked for it. What took the place of what is
 * known in bujo alone, so only there anything is called current (REC-4).
 */
export function toHit(
  { memory, score, parts }: RankedMemory,
  tier: IndexIdentity['tier'],
  isExplained: boolean,
): MemoryHit {
  const { labels = [] } = memory
  const attribution = memory.attribution ?? agreedAttribution(labels)
  return {
    id: memory.id,
    score,
    text: memory.text,
    type: memory.type,
    status: memory.status,
    createdAt: memory.createdAt,
    ...(memory.occurredAt === undefined ? {} : { occurredAt: memory.occurredAt }),
    ...validityOf(labels),
    ...(memory.dueAt === undefined ? {} : { dueAt: memory.dueAt }),
    ...(tier === 'bujo' ? { currentness: memory.supersededBy === undefined ? 'current' : 'superseded' } : {}),
    ...(attribution === undefined ? {} : { attribution }),
    source: {
      ...(memory.conversationId === undefined ? {} : { conversationId: memory.conversationId }),
      ...(memory.speaker === undefined ? {} : { speaker: memory.speaker }),
      file: memory.file,
    },
    ...(isExplained ? { explanation: parts } : {}),
  }
}

/** The one value that all have; undefined if they differ or there are none. */
const agreed = <T>(values: readonly (T | undefined)[]): T | undefined =>
  values.every((value) => value === values[0]) ? values[0] : undefined

/** A memory whose labels were learned in different ways has none of its own. Lessons have no attribution. */
const agreedAttribution = (labels: readonly MemoryLabel[]): Attribution | undefined =>
  agreed(labels.flatMap((label) => (label.kind === 'lesson' ? [] : [label.attribution])))

/** Of the facts of a memory, if they agree; a coarse owner fact is about no time (CAP-9). */
function validityOf(labels: readonly MemoryLabel[]): Pick<MemoryHit, 'validFrom' | 'validTo'> {
  const facts = labels.filter((label): label is FactLabel => label.kind === 'fact' && label.key !== undefined)
  const validFrom = agreed(facts.map((fact) => fact.validFrom))
  const validTo = agreed(facts.map((fact) => fact.validTo))
  return { ...(validFrom === undefined ? {} : { validFrom }), ...(validTo === undefined ? {} : { validTo }) }
}
