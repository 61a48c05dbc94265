import { keepGreatest } from './keep-greatest.js'
import { topSlots } from './select-top.js'

/**
 * Records whose stored vectors are read whatever estimates say: so many for each that is looked for, and at least. Those that
 * share an estimate count as one: they are copies of a sentence.
 */
export const WEIGHED_FOR_EACH = 1.6
export const MIN_WEIGHED = 32
/** Where so many are about as near, as in families of thousands, more would take too long, and which are taken matters less. */
export const MAX_WEIGHED = 640
/**
 * How far below the place that counts, in standard errors of the estimates, those must be that are left out. The last place that
 * counts is in the middle of what is looked for: twice as many are looked for as are returned. Of the first ones hardly any may be
 * missed; behind them one more costs less than what reading for it takes (SEA-18: .995 of the ten nearest, .97 of the fifty).
 */
export const FIRST = 10
export const APART_FROM_FIRST = 2.4
export const APART_FROM_LAST = 1.5

/** Where more than so many tie, their ids and vectors are not read one by one: the exact source compares them in SQLite. */
export const MOST_TIED = 4_096

/** A record by its row, and what it is placed by. */
export interface Placed {
  readonly row: number
  readonly value: number
}

/** The greatest value first, then by row. */
export const byValue = (a: Placed, b: Placed): number => b.value - a.value || a.row - b.row

export interface NearestAsked {
  /** By slot; -Infinity: the record has no vector. */
  readonly estimates: Float32Array
  readonly size: number
  /** 0: the slot does not count; absent: all do. */
  readonly mask: Uint8Array | undefined
  /** Records that are looked for. */
  readonly sought: number
  /** Standard error of the estimate of a slot. */
  readonly errorOf: (slot: number) => number
  readonly rowOf: (slot: number) => number
  /** By the stored vector, which is read. */
  readonly cosineAt: (slot: number) => number
}

/**
 * The nearest records: stored vectors are read in the order of the estimates, until one that was not read is hardly among
 * those that count.
 * @returns by cosine, `sought` of them or more, if there are; undefined: so many share an estimate that they should not be
 *   read one by one
 */
export function weighNearest({
  estimates,
  size,
  mask,
  sought,
  errorOf,
  rowOf,
  cosineAt,
}: NearestAsked): Placed[] | undefined {
  const least = Math.max(MIN_WEIGHED, Math.ceil(WEIGHED_FOR_EACH * sought))
  const most = Math.max(least, MAX_WEIGHED)
  const weighed = new Weighed(Math.ceil(sought / 2))
  const estimateOf = (slot: number): number => estimates[slot] as number
  for (let count = Math.min(2 * least, most); ; count = count < most ? Math.min(2 * count, most) : 2 * count) {
    const { above, tied } = topSlots(estimates, size, { count, least: -Infinity, mask })
    if (above.length + tied.length > MOST_TIED) return undefined
    // More of them begin with the same ones: of slots that share an estimate all or none are chosen.
    const slots = [...above, ...tied].sort((a, b) => estimateOf(b) - estimateOf(a) || rowOf(a) - rowOf(b))
    for (const slot of slots.slice(weighed.records.length)) {
      const estimate = estimateOf(slot)
      if (weighed.estimates >= least && weighed.isBeyond(estimate, errorOf(slot))) return weighed.inOrder()
      weighed.add(rowOf(slot), estimate, cosineAt(slot))
    }
    if (slots.length < count || (count >= most && weighed.estimates >= least)) return weighed.inOrder()
  }
}

/** Records whose vectors were read, in the order of their estimates. */
class Weighed {
  readonly records: Placed[] = []
  /** Different ones. */
  estimates = 0
  /** The greatest cosines, those that count, in falling order; -Infinity where there are none yet. */
  readonly #best: Float64Array
  #estimate = Infinity

  constructor(counting: number) {
    this.#best = new Float64Array(counting).fill(-Infinity)
  }

  add(row: number, estimate: number, cosine: number): void {
    this.records.push({ row, value: cosine })
    if (estimate !== this.#estimate) this.estimates++
    this.#estimate = estimate
    keepGreatest(this.#best, cosine)
  }

  /** Whether a record of this estimate, below all before it, is hardly among those that count; none is parted from its like. */
  isBeyond(estimate: number, error: number): boolean {
    if (estimate === this.#estimate) return false
    const last = this.#best.length - 1
    const [first, least] = [this.#best[Math.min(FIRST - 1, last)] as number, this.#best[last] as number]
    return estimate + APART_FROM_FIRST * error < first && estimate + APART_FROM_LAST * error < least
  }

  inOrder(): Placed[] {
    return this.records.sort(byValue)
  }
}
