import { cosine } from '../ranking/cosine.js'

/** Vectors that are compared at most: two million numbers times two hundred memories stay under a second. */
export const MAX_SAMPLED_VECTORS = 2_000

/** Memories whose nearest neighbour is looked for, and that are paired at random. */
export const MAX_SAMPLED_MEMORIES = 200

/** Memories that a query is compared with to see what says nothing. */
export const MAX_BACKGROUND = 100

/** Random pairs of each sampled memory. */
const PAIRS_A_MEMORY = 5

/** How a store's own memories score among themselves. All are cosines. */
export interface StoreScores {
  /** Memories paired without looking at what they say. */
  readonly random: readonly number[]
  /** Each sampled memory and the one nearest to it. */
  readonly neighbouring: readonly number[]
}

/**
 * Scores a sample of a store's vectors. Nothing is drawn: the sample is spread evenly over the order given, so that the
 * same store gives the same figures. With more than `MAX_SAMPLED_VECTORS` the nearest one of a sample is a little further
 * away than that of the whole store.
 * @param vectors  of unit length and one model, in an order such as that of recording; duplicates removed, for a memory that
 *   was stored twice is its own neighbour at 1
 */
export function sampleStoreScores(vectors: readonly Float32Array[]): StoreScores {
  const sample = spread(vectors, MAX_SAMPLED_VECTORS)
  if (sample.length < 2) return { random: [], neighbouring: [] }
  const random: number[] = []
  const neighbouring: number[] = []
  const positions = spread([...sample.keys()], MAX_SAMPLED_MEMORIES)
  for (const position of positions) {
    const own = sample[position]
    if (own === undefined) continue
    const others = sample.map((other, i) => (i === position ? -1 : cosine(own, other)))
    neighbouring.push(others.reduce((best, score) => Math.max(best, score), -1))
    for (const distance of distances(sample.length)) {
      const score = others[(position + distance) % sample.length]
      if (score !== undefined) random.push(score)
    }
  }
  return { random, neighbouring }
}

/** The cosines of a query with up to a hundred of a store's vectors, evenly spread over their order. */
export function sampleQueryScores(query: Float32Array, vectors: readonly Float32Array[]): number[] {
  return spread(vectors, MAX_BACKGROUND).map((vector) => cosine(query, vector))
}

/** Far apart in the order, where neighbours in time speak of the same thing; each between 1 and `length - 1`, once. */
function distances(length: number): Set<number> {
  const found = new Set<number>()
  for (let part = 1; part <= PAIRS_A_MEMORY; part++) {
    found.add(Math.min(length - 1, Math.max(1, Math.round((length * part) / (PAIRS_A_MEMORY + 1)))))
  }
  return found
}

/** At most `count` of the items, evenly spread, in their order. */
function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items]
  return Array.from({ length: count }, (_, i) => items[Math.floor((i * items.length) / count)] as T)
}
