import type { IndexedMemory } from '@mono-agent/memory-search'
import { statedFacts } from './facts.js'
import type { LookedUp } from './lookup.js'
import type { StatedFact } from './types.js'

/** Memories whose facts are looked at, the newest: a sheet or a card shows fewer. */
const MAX_FACT_MEMORIES = 50

/** What memories state of these entities, in the order of the entities, the newest memory first; of others nothing. */
export function factsOfEntities(
  { index, vantage, asOf, conversationId }: Pick<LookedUp, 'index' | 'vantage' | 'asOf' | 'conversationId'>,
  entityIds: readonly string[],
): StatedFact[] {
  const options = { limit: MAX_FACT_MEMORIES, ...(asOf === undefined ? {} : { asOf }) }
  const isAsked = ({ conversationId: source }: IndexedMemory): boolean =>
    conversationId === undefined || source === conversationId
  return entityIds.flatMap((id) =>
    statedFacts(index.factsAbout([id], options).filter(isAsked), vantage).filter(({ entityId }) => entityId === id),
  )
}
