import type { Attribution, HitProvenance, MemoryHit } from '@mono-agent/memory-store'
import type { IndexedMemory, IndexIdentity, RankedMemory } from '@mono-agent/memory-search'
import { agreed, keyedFacts, standingOf } from './currentness.js'
import type { Standing, Vantage } from './types.js'

export interface HitDetail {
  /** Adds the parts of the score and where the hit comes from (REC-10). */
  readonly explain?: boolean
  /** Memories whose place was taken one after the other, this one included, the oldest first. */
  readonly chain?: HitProvenance['chain']
}

/** A ranked memory as callers see it (REC-1). */
export function toHit(
  { memory, score, parts }: Pick<RankedMemory, 'memory' | 'score' | 'parts'>,
  vantage: Vantage,
  tier: IndexIdentity['tier'],
  { explain = false, chain }: HitDetail = {},
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
    ...currentnessOf(standingOf(memory, vantage), tier),
    ...(attribution === undefined ? {} : { attribution }),
    source: {
      ...(memory.conversationId === undefined ? {} : { conversationId: memory.conversationId }),
      ...(memory.speaker === undefined ? {} : { speaker: memory.speaker }),
      file: memory.file,
    },
    ...(explain ? { explanation: parts, provenance: provenanceOf(memory, chain) } : {}),
  }
}

/**
 * Who vouches for a memory: what its line says, else what its facts and preferences agree on. Lessons have no attribution;
 * labels that were learned in different ways give none.
 */
export function attributionOf({ attribution, labels = [] }: IndexedMemory): Attribution | undefined {
  return attribution ?? agreed(labels.flatMap((label) => (label.kind === 'lesson' ? [] : [label.attribution])))
}

/** What took the place of what is known in bujo alone, so only there anything is called current (REC-4). */
export function currentnessOf({ state, endedOn }: Standing, tier: IndexIdentity['tier']): Partial<MemoryHit> {
  if (tier !== 'bujo' && state === 'current') return {}
  return { currentness: state, ...(endedOn === undefined ? {} : { endedOn }) }
}

/** Of the facts of a memory, if they agree; a coarse owner fact is about no time (CAP-9). */
export function validityOf(memory: IndexedMemory): Pick<MemoryHit, 'validFrom' | 'validTo'> {
  const facts = keyedFacts(memory)
  const validFrom = agreed(facts.map((fact) => fact.validFrom))
  const validTo = agreed(facts.map((fact) => fact.validTo))
  return { ...(validFrom === undefined ? {} : { validFrom }), ...(validTo === undefined ? {} : { validTo }) }
}

/** Ids of what a turn made begin with half of the turn's id, `r-<32 hex digits>-`. */
const TURN = /^r-([0-9a-f]{32})-/

function provenanceOf({ id, file, conversationId }: IndexedMemory, chain: HitProvenance['chain']): HitProvenance {
  const turn = TURN.exec(id)?.[1]
  return {
    ...(turn === undefined ? {} : { turn }),
    ...(conversationId === undefined ? {} : { conversationId }),
    file,
    ...(chain === undefined ? {} : { chain }),
  }
}
