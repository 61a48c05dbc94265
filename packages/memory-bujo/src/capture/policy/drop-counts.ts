import type { DropCounts, DropReason } from '../types.js'

/** Sums counts by reason; what was never dropped has no entry. */
export function countDrops(reasons: Iterable<DropReason>, before: DropCounts = {}): DropCounts {
  const counts: Partial<Record<DropReason, number>> = { ...before }
  for (const reason of reasons) counts[reason] = (counts[reason] ?? 0) + 1
  return counts
}
