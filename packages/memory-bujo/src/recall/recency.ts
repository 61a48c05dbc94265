import { parseInstant } from '@mono-agent/memory-store'
import type { Calibration, IndexedMemory, RankedMemory } from '@mono-agent/memory-search'
import { evidenceOf } from './evidence.js'
import { cutBounds } from './tail-cut.js'
import type { Vantage } from './types.js'

/** What recency can do at most (REC-21). */
export const RECENCY_SHARE = 0.02
/** After which it does half of that. */
export const RECENCY_HALF_LIFE_DAYS = 30

const DAY_MS = 86_400_000

/**
 * What age adds to a memory when hits are put in order, 0..0.02: only to events without a fact or preference and to notes
 * without labels, for what is a fact stays one. Age counts from when it happened, else from when it was recorded; an
 * instant that is missing, none, or to come earns nothing (REC-21).
 */
export function recencyOf(memory: IndexedMemory, { at }: Pick<Vantage, 'at'>): number {
  const since = mayAge(memory) ? parseInstant(memory.occurredAt ?? memory.createdAt) : undefined
  if (since === undefined || since > at) return 0
  return RECENCY_SHARE * 2 ** (-(at - since) / (RECENCY_HALF_LIFE_DAYS * DAY_MS))
}

function mayAge({ type, labels = [] }: IndexedMemory): boolean {
  if (type === 'note') return labels.length === 0
  return type === 'event' && labels.every(({ kind }) => kind === 'lesson')
}

/**
 * The same hits with the same scores, the newer before the older where their scores are next to each other (REC-21). A hit
 * that the deliberate floor or the tail would cut, or that waits for its vector, keeps its very place; the others take
 * turns in theirs. Ties stay as they were. For the direct hits of a hybrid result, after their number has been limited: it
 * must not decide who is among them.
 */
export function orderByRecency<T extends RankedMemory>(
  ranked: readonly T[],
  calibration: Calibration,
  vantage: Pick<Vantage, 'at'>,
): T[] {
  const bounds = cutBounds(ranked, calibration)
  if (bounds === undefined) return [...ranked]
  const least = Math.max(bounds.keep, calibration.deliberateFloor)
  const mayMove = (hit: T): boolean => (evidenceOf(hit, calibration) ?? -Infinity) >= least
  const movable = ranked
    .filter(mayMove)
    .map((hit) => ({ hit, order: hit.score + recencyOf(hit.memory, vantage) }))
    .sort((a, b) => b.order - a.order) // stable
  const next = movable.values()
  return ranked.map((hit) => (mayMove(hit) ? (next.next().value as { hit: T }).hit : hit))
}
