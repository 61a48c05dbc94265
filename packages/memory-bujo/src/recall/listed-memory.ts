import { attributionOf, validityOf, type IndexedMemory, type IndexIdentity } from '@mono-agent/memory-search'
import type { ListedMemory } from '../types.js'
import { standingOf } from './currentness.js'
import { currentnessOf } from './to-hit.js'
import type { Vantage } from './types.js'

/** A memory as listings show it: with all that a hit says of it, so that both are marked alike (REC-4). */
export function listedMemory(memory: IndexedMemory, vantage: Vantage, tier: IndexIdentity['tier']): ListedMemory {
  const attribution = attributionOf(memory)
  return {
    ...memory,
    ...validityOf(memory),
    ...currentnessOf(standingOf(memory, vantage), tier),
    ...(attribution === undefined ? {} : { attribution }),
  }
}
