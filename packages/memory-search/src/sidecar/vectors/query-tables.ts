import { POSITION_BYTES, POSITION_DIMENSIONS } from './code-layout.js'

/** Four entries are added up in a byte, and all positions in 16 bits. */
const MAX_LEVEL = 63
const MAX_SUM = 65_535

/** sum(+-q'_i) of a code is `scale * (sum of its entries) + base`. */
export interface TableScale {
  readonly scale: number
  readonly base: number
}

/**
 * Fills the lookup tables of a query: entry t of position m is the sum of q'_j over the set bits of t, less the smallest of
 * that position, in steps of a 63rd of the widest position; coarser beyond 4,096 dimensions, so that no sum overflows.
 * @param rotated  q' = R(q - c)
 * @param tables   16 bytes a position
 */
export function fillTables(rotated: Float64Array, tables: Uint8Array): TableScale {
  const positions = rotated.length / POSITION_DIMENSIONS
  let [widest, minima, total] = [0, 0, 0]
  for (let start = 0; start < rotated.length; start += POSITION_DIMENSIONS) {
    let range = 0
    for (let at = start; at < start + POSITION_DIMENSIONS; at++) {
      const value = rotated[at] as number
      range += Math.abs(value)
      total += value
      if (value < 0) minima += value
    }
    if (range > widest) widest = range
  }
  const levels = Math.min(MAX_LEVEL, Math.floor(MAX_SUM / positions))
  const perUnit = widest === 0 ? 0 : levels / widest
  for (let position = 0; position < positions; position++) {
    fillPosition(rotated, position * POSITION_DIMENSIONS, perUnit, tables, position * POSITION_BYTES)
  }
  return { scale: (2 * widest) / levels, base: 2 * minima - total }
}

/** Each bit doubles the entries: those without it are there already. */
function fillPosition(rotated: Float64Array, from: number, perUnit: number, tables: Uint8Array, to: number): void {
  // Above the smallest sum, which has the negative ones alone: without any bit, all negative ones are missing.
  sums[0] = 0
  for (let bit = 0; bit < POSITION_DIMENSIONS; bit++) {
    sums[0] = sums[0] + Math.max(0, -(rotated[from + bit] as number))
  }
  for (let bit = 0; bit < POSITION_DIMENSIONS; bit++) {
    const value = rotated[from + bit] as number
    const entries = 1 << bit
    for (let entry = 0; entry < entries; entry++) sums[entries + entry] = (sums[entry] as number) + value
  }
  for (let entry = 0; entry < POSITION_BYTES; entry++) {
    tables[to + entry] = Math.max(0, (sums[entry] as number) * perUnit + 0.5)
  }
}

/** Of one position. */
const sums = new Float64Array(POSITION_BYTES)
