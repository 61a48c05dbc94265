/** Records looked at for one that holds a word itself; those with the most weight come first, so it is among the first. */
const MAX_LOOKS = 20
/** How far, relatively, an echo stands below: more than a tie, less than any difference in words makes. */
const STEP = 1e-6

interface Weighed {
  readonly id: string
  readonly bm25: number
}

/** The heaviest first, ties by id. */
const byWeight = (a: Weighed, b: Weighed): number => b.bm25 - a.bm25 || (a.id < b.id ? -1 : 1)

/**
 * Puts echoes below what they echo: a record that bears words of the query in its context alone (SEA-9) does not outweigh
 * the best record that holds one itself. bm25 would let it, where the one that holds the word has a long text before it,
 * for the length of all columns counts.
 * @param holdsWord  whether the record's own sentence holds a word of the query; asked of the heaviest only
 */
export function belowTheirSource<T extends Weighed>(
  candidates: readonly T[],
  holdsWord: (candidate: T) => boolean,
): T[] {
  const weighed = candidates.filter(({ bm25 }) => bm25 > 0)
  const [one] = weighed
  // Almost always the heaviest holds a word itself, and nothing needs to be put in order.
  if (one === undefined) return [...candidates]
  if (holdsWord(weighed.reduce((best, other) => (byWeight(other, best) < 0 ? other : best), one)))
    return [...candidates]
  const heaviest = weighed.sort(byWeight).slice(0, MAX_LOOKS)
  const first = heaviest.findIndex(holdsWord)
  const source = heaviest[first]
  if (source === undefined || first === 0) return [...candidates]
  const lowered = new Map(heaviest.slice(0, first).map((echo, at) => [echo, source.bm25 * (1 - STEP * (at + 1))]))
  return candidates.map((candidate) => {
    const bm25 = lowered.get(candidate)
    return bm25 === undefined ? candidate : { ...candidate, bm25 }
  })
}
