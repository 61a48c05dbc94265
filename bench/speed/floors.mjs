// SEA-18, by the number of memories.

/** × naive, × the peers, shares, opening in naive queries, bytes a memory, × naive's file. */
export const FLOORS = {
  10_000: { naive: 10, stretch: 15, r10: 0.995, r50: 0.97, peers: { lancedb: 20, orama: 20, mem0: 250 }, opening: 1 },
  100_000: {
    naive: 40,
    stretch: 60,
    r10: 0.995,
    r50: 0.97,
    peers: { lancedb: 60, orama: 100, mem0: 1_500 },
    opening: 0.5,
  },
  1_000_000: { naive: 60, r10: 0.995, r50: 0.95, peers: {}, opening: 0.5 },
}

/** At 1,000 memories: not slower than naive, and under this. */
export const SMALL = { size: 1_000, maxMs: 2 }

export const LEXICAL = 0.99
export const MAX_BYTES = 250
export const MAX_DISK = 1.15
export const MAX_HOLD_MS = 20

/** What bounds of time and room are of: vectors of other models are told. */
export const BOUND_DIMENSION = 768

/** Sizes without bounds of their own have those of the next smaller one that has, the smallest ones those of 10,000. */
export function floorsOf(size) {
  const known = Object.keys(FLOORS).map(Number)
  return FLOORS[known.filter((one) => one <= size).at(-1) ?? known[0]]
}
