import { keepGreatest } from './keep-greatest.js'
import { BLOCK_SLOTS, createReaching, type Reaching, type Values } from './reach.js'

export interface TopSlots {
  /** Slots whose value is among the greatest, none of which is left out, in the order of slots. */
  readonly above: readonly number[]
  /** Slots that share the value of the last place: together with `above` at least as many as were wanted, if there are. */
  readonly tied: readonly number[]
}

/** 0: the slot does not count; absent: all do. */
type Mask = Uint8Array | undefined

/** Of this thread: what it works on is of use only within one call. Made when first needed, for it takes memory. */
let ofThread: Reaching | undefined
const reachingOfThread = (): Reaching => (ofThread ??= createReaching())

interface Wanted {
  readonly count: number
  readonly least: number
  readonly mask?: Mask
}

/**
 * The slots with the greatest values: in one walk over all, those that reach what a sample says that about three times as
 * many will reach. What shares the last place is always kept, so that no tie is cut by chance.
 * @param least  values that are not above it do not count; a number of their precision
 */
export function topSlots(values: Values, size: number, wanted: Wanted, reaching = reachingOfThread()): TopSlots {
  const { count, least } = wanted
  const floor = likelyFloor(values, size, wanted)
  let kept = reachingSlots(values, size, wanted, floor, reaching)
  if (kept.size < count && floor > least) kept = reachingSlots(values, size, wanted, least, reaching)
  const last = kept.size < count ? least : kept.thinOut(count)
  const above: number[] = []
  const tied: number[] = []
  for (let at = 0; at < kept.size; at++) {
    if ((kept.values[at] as number) > last) above.push(kept.slots[at] as number)
    else tied.push(kept.slots[at] as number)
  }
  return { above, tied }
}

/** Two slots are looked at for each that is wanted of as many as there are; six of them are as great as three times the wanted. */
const SAMPLES = 2
const PLACE = 6

/** A value that about three times as many reach as are wanted; `least` where a sample cannot tell. */
function likelyFloor(values: Values, size: number, { count, least, mask }: Wanted): number {
  const step = Math.floor(count / SAMPLES)
  if (size < PLACE * step) return least
  const best = new Float64Array(PLACE).fill(least)
  for (let slot = 0; slot < size; slot += step || 1) {
    if (mask === undefined || mask[slot] !== 0) keepGreatest(best, values[slot] as number)
  }
  return best[PLACE - 1] as number
}

/** At least those of the greatest slots that reach the floor, if there are as many: it rises whenever there is no room. */
function reachingSlots(values: Values, size: number, { count, least, mask }: Wanted, from: number, by: Reaching): Kept {
  let kept = new Kept(Math.max(4 * count, 64))
  let floor = from
  for (let begin = 0; begin < size; begin += BLOCK_SLOTS) {
    const found = by.find(values, begin, Math.min(size, begin + BLOCK_SLOTS), { least, floor, mask })
    for (let at = 0; at < found; at++) {
      const slot = begin + (by.found[at] as number)
      const value = values[slot] as number
      if (value < floor) continue // it has risen within the block
      kept.slots[kept.size] = slot
      kept.values[kept.size++] = value
      if (kept.size < kept.slots.length) continue
      floor = kept.thinOut(count)
      // So many share the last place.
      if (kept.size > kept.slots.length / 2) kept = kept.larger()
    }
  }
  return kept
}

/** Slots whose value is of `least` to `most`, in their order. */
export function slotsWithin(
  values: Values,
  size: number,
  { least, most, mask }: { readonly least: number; readonly most: number; readonly mask?: Mask },
  reaching = reachingOfThread(),
): number[] {
  const slots: number[] = []
  for (let from = 0; from < size; from += BLOCK_SLOTS) {
    const until = Math.min(size, from + BLOCK_SLOTS)
    const found = reaching.find(values, from, until, { least: -Infinity, floor: least, mask })
    for (let at = 0; at < found; at++) {
      const slot = from + (reaching.found[at] as number)
      if ((values[slot] as number) <= most) slots.push(slot)
    }
  }
  return slots
}

/** Whether no more than `most` slots have a value at all, which is above -Infinity, and are not masked. */
export function hasAtMost(
  values: Values,
  size: number,
  most: number,
  mask: Mask,
  reaching = reachingOfThread(),
): boolean {
  let found = 0
  for (let from = 0; from < size && found <= most; from += BLOCK_SLOTS) {
    const until = Math.min(size, from + BLOCK_SLOTS)
    found += reaching.find(values, from, until, { least: -Infinity, floor: -Infinity, mask })
  }
  return found <= most
}

/** Slots with their values, in the order of slots. */
class Kept {
  size = 0
  readonly slots: Uint32Array
  readonly values: Float64Array

  constructor(room: number) {
    this.slots = new Uint32Array(room)
    this.values = new Float64Array(room)
  }

  /** Leaves the `count` greatest and what shares the last place with them. @returns the value of the last place */
  thinOut(count: number): number {
    const last = lastOf(this.values.slice(0, this.size), count)
    let left = 0
    for (let at = 0; at < this.size; at++) {
      const value = this.values[at] as number
      if (value < last) continue
      this.slots[left] = this.slots[at] as number
      this.values[left++] = value
    }
    this.size = left
    return last
  }

  larger(): Kept {
    const next = new Kept(2 * this.slots.length)
    next.slots.set(this.slots)
    next.values.set(this.values)
    next.size = this.size
    return next
  }
}

/** The least of the `count` greatest of these values, whose order is lost. */
function lastOf(values: Float64Array, count: number): number {
  let [from, to] = [0, values.length - 1]
  const last = count - 1
  while (from < to) {
    const pivot = values[(from + to) >> 1] as number
    let [left, right] = [from, to]
    while (left <= right) {
      while ((values[left] as number) > pivot) left++
      while ((values[right] as number) < pivot) right--
      if (left > right) break
      const moved = values[left] as number
      values[left++] = values[right] as number
      values[right--] = moved
    }
    // What is right of `right` is not above the pivot, what is left of `left` not below it.
    if (last <= right) to = right
    else if (last >= left) from = left
    else break
  }
  return values[last] as number
}
