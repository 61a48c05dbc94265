import type { IndexedMemory, RankedMemory, RelatedEntity } from '@mono-agent/memory-search'
import { OWNER_ENTITY } from '../capture/contract/bounds.js'
import { roundedEvidence } from './evidence.js'

/** Direct hits, best first, whose entities reach out. */
export const HOP_HITS = 8
/** Entities that reach out. */
export const HOP_SEEDS = 16
/** Entities that are reached. */
export const HOP_ENTITIES = 8
/** Memories of one entity that is reached: its newest. */
export const HOP_MEMORIES_EACH = 2
/** Memories that one recall gets from relations. */
export const HOP_MEMORIES = 6
/**
 * What a related memory is worth of the hit it hangs on. With the default floors it survives the last cut beside a best hit
 * that clears the floor only if it hangs on one of at least 0.723: a near certain hit brings its neighbours, a doubtful one
 * brings none.
 */
export const HOP_SHARE = 0.9

/** Entity ids by memory id, as `IndexReader.entitiesOf` gives them. */
export type EntitiesOf = ReadonlyMap<string, readonly string[]>

/**
 * The entities that reach out from direct hits (REC-7), in the order of the hits, those of one hit by id. The owner reaches
 * out to nothing: nearly all memories are about the owner, so that would say nothing about the question.
 * @param direct  best first, after the cut, not what waits for its vector in a hybrid result: its score is on another scale
 */
export function hopSeeds(direct: readonly RankedMemory[], entitiesOf: EntitiesOf): string[] {
  const ids = direct.slice(0, HOP_HITS).flatMap(({ memory }) => [...(entitiesOf.get(memory.id) ?? [])].sort())
  return [...new Set(ids)].filter((id) => id !== OWNER_ENTITY).slice(0, HOP_SEEDS)
}

/** An entity one relation away, and the seed through which it is reached. */
export interface HopTarget {
  readonly id: string
  readonly from: string
}

/**
 * The entities whose memories are fetched: once each, through the seed that came first, in the order of those seeds, then
 * by id. Neither the owner nor a seed.
 * @param related  of the seeds, in any order
 */
export function hopTargets(seeds: readonly string[], related: readonly RelatedEntity[]): HopTarget[] {
  const places = new Map(seeds.map((id, at) => [id, at]))
  const placeOf = ({ from }: RelatedEntity): number => places.get(from) ?? Infinity
  const ordered = related
    .filter((entity) => places.has(entity.from) && !places.has(entity.id) && entity.id !== OWNER_ENTITY)
    .sort((a, b) => placeOf(a) - placeOf(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  const first = new Map<string, HopTarget>()
  for (const { id, from } of ordered) if (!first.has(id)) first.set(id, { id, from })
  return [...first.values()].slice(0, HOP_ENTITIES)
}

export interface Hop {
  /** As given to `hopSeeds`. */
  readonly direct: readonly RankedMemory[]
  readonly entitiesOf: EntitiesOf
  readonly targets: readonly HopTarget[]
  /** Of each target, newest first; what the caller's filters leave out is not in it. */
  readonly memoriesOf: ReadonlyMap<string, readonly IndexedMemory[]>
  /** Places that the result limit leaves after the direct hits, those that wait for a vector included. */
  readonly room: number
  /** Ids that are shown already. */
  readonly shown: ReadonlySet<string>
}

/**
 * The memories that relations add, to be placed after all direct hits, whatever their scores, and cut with them once more.
 * Each has its share of the best direct hit that is about the seed; it holds no anchor by itself. Deterministic: by target,
 * then as given.
 */
export function relatedHits({ direct, entitiesOf, targets, memoriesOf, room, shown }: Hop): RankedMemory[] {
  const most = Math.min(HOP_MEMORIES, Math.max(0, room))
  const found = new Map<string, RankedMemory>()
  for (const { id, from } of targets) {
    const hit = direct.slice(0, HOP_HITS).find(({ memory }) => entitiesOf.get(memory.id)?.includes(from))
    if (hit === undefined) continue
    for (const memory of (memoriesOf.get(id) ?? []).slice(0, HOP_MEMORIES_EACH)) {
      if (found.size >= most) return [...found.values()]
      if (!shown.has(memory.id) && !found.has(memory.id)) found.set(memory.id, related(memory, hit))
    }
  }
  return [...found.values()]
}

function related(memory: IndexedMemory, hit: RankedMemory): RankedMemory {
  const score = roundedEvidence(HOP_SHARE * hit.score)
  return {
    memory,
    score,
    parts: { lexical: 0, actor: 0, time: 0, question: 0, related: score },
    holdsAllAnchors: false,
  }
}
