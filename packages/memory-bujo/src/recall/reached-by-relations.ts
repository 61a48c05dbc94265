import type { RankedMemory } from '@mono-agent/memory-search'
import type { LookedUp } from './lookup.js'
import { HOP_ENTITIES, HOP_HITS, HOP_MEMORIES_EACH, hopSeeds, hopTargets, relatedHits } from './one-hop.js'

/** Relations looked at: entities may be reached several times over, and the seeds themselves as well. */
const MAX_RELATED = HOP_ENTITIES * 8

/**
 * Memories of entities one relation away from what the direct hits are about (REC-7), as far as there is room for them.
 * @param hits  the direct ones, in the order in which they are shown
 */
export function reachedByRelations(
  { index, asOf }: Pick<LookedUp, 'index' | 'asOf'>,
  hits: readonly RankedMemory[],
  room: number,
): RankedMemory[] {
  if (room <= 0) return []
  const direct = hits.filter(({ parts }) => parts.semantic !== undefined)
  const when = asOf === undefined ? {} : { asOf }
  const entitiesOf = index.entitiesOf(direct.slice(0, HOP_HITS).map(({ memory }) => memory.id))
  const seeds = hopSeeds(direct, entitiesOf)
  if (seeds.length === 0) return []
  const targets = hopTargets(seeds, index.related(seeds, { limit: MAX_RELATED, ...when }))
  // What is shown already may be among the newest of a target, so a few more are read.
  const limit = Math.min(50, HOP_MEMORIES_EACH + hits.length)
  const shown = new Set(hits.map(({ memory }) => memory.id))
  const memoriesOf = new Map(
    targets.map(({ id }) => {
      const newest = index.memoriesOf(id, { limit, ...when }).filter((memory) => !shown.has(memory.id))
      return [id, newest] as const
    }),
  )
  return relatedHits({ direct, entitiesOf, targets, memoriesOf, room, shown })
}
