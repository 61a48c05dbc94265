import type { FactKey, FactLabel, FactValue } from '@mono-agent/memory-store'
import { keyedFacts, type IndexedMemory } from '@mono-agent/memory-search'
import { dayOf, hasBegun, hasPassed, standingOf } from './currentness.js'
import type { StatedFact, Standing, Vantage } from './types.js'

/**
 * The labelled facts that memories state, in the order of the memories and of their labels (REC-6). Coarse owner facts state
 * nothing and take no part. A fact is current if its memory is, and the vantage lies within its own validity: one whose
 * `validFrom` is still to come is not, and has not ended either.
 */
export function statedFacts(memories: readonly IndexedMemory[], vantage: Vantage): StatedFact[] {
  return memories.flatMap((memory) => {
    const standing = standingOf(memory, vantage)
    return keyedFacts(memory)
      .filter(hasValue)
      .map((label) => stated(label, memory, standing, vantage))
  })
}

type ValuedFact = FactLabel & { readonly key: FactKey; readonly value: FactValue }

const hasValue = (label: FactLabel): label is ValuedFact => label.key !== undefined && label.value !== undefined

function stated(label: ValuedFact, memory: IndexedMemory, standing: Standing, vantage: Vantage): StatedFact {
  const { entityId, key, value, attribution, validFrom, validTo } = label
  const hasEnded = validTo !== undefined && hasPassed(validTo, vantage)
  const isToCome = validFrom !== undefined && !hasBegun(validFrom, vantage)
  const endedOn = hasEnded ? dayOf(validTo) : standing.endedOn
  return {
    memory,
    entityId,
    key,
    value,
    attribution,
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
    isCurrent: standing.state === 'current' && !hasEnded && !isToCome,
    ...(endedOn === undefined ? {} : { endedOn }),
  }
}
