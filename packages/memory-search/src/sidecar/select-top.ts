/** Values by slot. */
type Values = Float32Array | Float64Array

export interface TopSlots {
  /** Slots whose value is among the greatest, none of which is left out, in the order of slots. */
  readonly above: readonly number[]
  /** Slots that share the value of the last place: together with `above` at least as many as were wanted, if there are. */
  readonly tied: readonly number[]
}

/**
 * The slots with the greatest values. Two walks over all values: the first finds the value of the last place, the second
 * takes what is not below it, so that no tie is cut by chance.
 * @param least  values that are not above it do not count
 * @param mask  0: the slot does not count; absent: all do
 */
export function topSlots(
  values: Values,
  size: number,
  { count, least, mask }: { readonly count: number; readonly least: number; readonly mask?: Uint8Array | undefined },
): TopSlots {
  const last = lastPlace(values, size, count, least, mask)
  const above: number[] = []
  const tied: number[] = []
  for (let slot = 0; slot < size; slot++) {
    const value = values[slot] as number
    if (value < last || value <= least || (mask !== undefined && mask[slot] === 0)) continue
    if (value > last) above.push(slot)
    else tied.push(slot)
  }
  return { above, tied }
}

/** Whether no more than `most` slots have a value at all, which is above -Infinity, and are not masked. */
export function hasAtMost(values: Values, size: number, most: number, mask: Uint8Array | undefined): boolean {
  let found = 0
  for (let slot = 0; slot < size && found <= most; slot++) {
    if (values[slot] !== -Infinity && (mask === undefined || mask[slot] === 1)) found++
  }
  return found <= most
}

/** The value of the last of the `count` greatest; `least` where there are no more than `count`. */
function lastPlace(values: Values, size: number, count: number, least: number, mask: Uint8Array | undefined): number {
  const kept = new Float64Array(Math.max(2 * count, 64))
  let filled = 0
  let floor = least
  for (let slot = 0; slot < size; slot++) {
    const value = values[slot] as number
    if (value <= floor || (mask !== undefined && mask[slot] === 0)) continue
    kept[filled++] = value
    if (filled < kept.length) continue
    // Only what may still be among the greatest is looked at from here on.
    floor = keepGreatest(kept, filled, count)
    filled = count
  }
  return filled < count ? least : keepGreatest(kept, filled, count)
}

/** Brings the `count` greatest of the first `filled` values to the front, in any order. @returns the least of them */
function keepGreatest(values: Float64Array, filled: number, count: number): number {
  let [from, to] = [0, filled - 1]
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
