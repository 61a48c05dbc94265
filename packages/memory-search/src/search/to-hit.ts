import type { Attribution, FactLabel, HitExplanation, MemoryHit, MemoryLabel } from '@mono-agent/memory-store'
import { labelsOf, type MemoryRow } from '../sqlite/memory-rows.js'
import type { IndexIdentity } from '../types.js'

/**
 * A row as callers see it; `explanation` only where they asked for it. What took the place of what is known in bujo alone,
 * so only there anything is called current (REC-4).
 */
export function toHit(
  row: MemoryRow,
  score: number,
  tier: IndexIdentity['tier'],
  explanation?: HitExplanation,
): MemoryHit {
  const labels = labelsOf(row)
  const attribution = row.attribution ?? agreedAttribution(labels)
  return {
    id: row.id,
    score,
    text: row.sentence,
    type: row.type,
    status: row.status,
    createdAt: row.created_at,
    ...(row.occurred_at === null ? {} : { occurredAt: row.occurred_at }),
    ...validityOf(labels),
    ...(row.due_at === null ? {} : { dueAt: row.due_at }),
    ...(tier === 'bujo' ? { currentness: row.superseded_by === null ? 'current' : 'superseded' } : {}),
    ...(attribution === undefined ? {} : { attribution }),
    source: {
      ...(row.conversation_id === null ? {} : { conversationId: row.conversation_id }),
      ...(row.speaker === null ? {} : { speaker: row.speaker }),
      file: row.file,
    },
    ...(explanation === undefined ? {} : { explanation }),
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
