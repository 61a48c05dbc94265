import type { HitProvenance, MemoryHit } from '@mono-agent/memory-store'
import { hitOf, type IndexedMemory, type IndexIdentity, type RankedMemory } from '@mono-agent/memory-search'
import { standingOf } from './currentness.js'
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
  return hitOf(
    { memory, score },
    currentnessOf(standingOf(memory, vantage), tier),
    explain ? { explanation: parts, provenance: provenanceOf(memory, chain) } : {},
  )
}

/** What took the place of what is known in bujo alone, so only there anything is called current (REC-4). */
export function currentnessOf(
  { state, endedOn }: Standing,
  tier: IndexIdentity['tier'],
): Pick<MemoryHit, 'currentness' | 'endedOn'> {
  if (tier !== 'bujo' && state === 'current') return {}
  return { currentness: state, ...(endedOn === undefined ? {} : { endedOn }) }
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
