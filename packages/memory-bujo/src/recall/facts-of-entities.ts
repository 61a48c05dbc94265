import type { IndexedMemory } from '@mono-agent/memory-search'
import { statedFacts } from './facts.js'
import type { LookedUp } from './lookup.js'
import type { StatedFact } from './types.js'

/** Memories of one entity whose facts are looked at, the newest: those that nothing replaced, however much history there is. */
const MAX_STANDING = 200
/** And those of any state; a sheet shows fewer. */
const MAX_WITH_HISTORY = 50

/** What memories state of these entities, in the order of the entities, the newest memory first; of others nothing. */
export function factsOfEntities(
  found: Pick<LookedUp, 'index' | 'vantage' | 'asOf' | 'conversationId'>,
  entityIds: readonly string[],
  { withHistory }: { readonly withHistory: boolean },
): StatedFact[] {
  const { index, vantage, asOf, conversationId } = found
  const asked = { ...(asOf === undefined ? {} : { asOf }), ...(conversationId === undefined ? {} : { conversationId }) }
  return entityIds.flatMap((id) => {
    const standing = index.factsAbout([id], { ...asked, limit: MAX_STANDING, isStanding: true })
    const others = withHistory ? index.factsAbout([id], { ...asked, limit: MAX_WITH_HISTORY }) : []
    const memories = [...new Map([...standing, ...others].map((memory) => [memory.id, memory])).values()].sort(byNewest)
    return statedFacts(memories, vantage).filter(({ entityId }) => entityId === id)
  })
}

function byNewest(a: IndexedMemory, b: IndexedMemory): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1
  return a.id < b.id ? -1 : 1
}
