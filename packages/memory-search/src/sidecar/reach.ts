import { kernelOrTwin, type Kernel } from '../wasm/kernel-or-twin.js'
import { compileSimd, type Platform } from '../wasm/simd-module.js'
import { REACH_SCAN } from './reach-scan-bytes.js'

/** Values by slot. */
export type Values = Float32Array | Float64Array

/** Which values count, and which slots. Both bounds are numbers of the precision of the values. */
export interface Reach {
  /** Values that are not above it do not count. */
  readonly least: number
  /** Values that are below it do not count. */
  readonly floor: number
  /** 0: the slot does not count; absent: all do. */
  readonly mask: Uint8Array | undefined
}

/** Looks through the values of many slots, a block of them at a time. */
export interface Reaching {
  /** Of the last block, rising, from its first slot on. */
  readonly found: Uint16Array
  /** Fills `found` with the slots of `from` to `until`, no more than `BLOCK_SLOTS`, that count. @returns how many there are */
  find(values: Values, from: number, until: number, reach: Reach): number
}

/** Few, so that copying them stays within the fastest cache. */
export const BLOCK_SLOTS = 2_048
/** The kernel takes as many slots at a time. */
const LANES = 16

/** The memory of the kernel, parted: values, mask, what is found. */
const MASK_AT = BLOCK_SLOTS * Float64Array.BYTES_PER_ELEMENT
const FOUND_AT = MASK_AT + BLOCK_SLOTS
const BYTES = FOUND_AT + BLOCK_SLOTS * Uint16Array.BYTES_PER_ELEMENT

type Scan = (values: number, slots: number, least: number, floor: number, mask: number, found: number) => number

/** @throws {RangeError} SIMD was asked for where there is none */
export function createReaching(kernel?: Kernel, platform?: Platform): Reaching {
  return kernelOrTwin(simdReaching(platform), plainReaching, kernel)(BYTES)
}

function simdReaching(platform?: Platform): ((bytes: number) => Reaching) | undefined {
  const instantiate = compileSimd<{ singles: Scan; doubles: Scan }>(REACH_SCAN, platform)
  if (instantiate === undefined) return undefined
  return (bytes) => {
    const { buffer, exports } = instantiate(bytes)
    const singles = new Float32Array(buffer, 0, BLOCK_SLOTS)
    const doubles = new Float64Array(buffer, 0, BLOCK_SLOTS)
    const masks = new Uint8Array(buffer, MASK_AT, BLOCK_SLOTS)
    return {
      found: new Uint16Array(buffer, FOUND_AT, BLOCK_SLOTS),
      find(values, from, until, { least, floor, mask }) {
        const count = until - from
        const lanes = Math.ceil(count / LANES) * LANES
        const [block, scan] = values instanceof Float32Array ? [singles, exports.singles] : [doubles, exports.doubles]
        block.set(values.subarray(from, until))
        block.fill(-Infinity, count, lanes) // above nothing
        if (mask === undefined) masks.fill(1, 0, lanes)
        else masks.set(mask.subarray(from, until))
        return scan(0, lanes, least, floor, MASK_AT, FOUND_AT)
      },
    }
  }
}

/** The same in JavaScript, some four times as slow. */
function plainReaching(): Reaching {
  const found = new Uint16Array(BLOCK_SLOTS)
  return {
    found,
    find(values, from, until, { least, floor, mask }) {
      let count = 0
      for (let slot = from; slot < until; slot++) {
        const value = values[slot] as number
        if (value > least && value >= floor && (mask === undefined || mask[slot] !== 0)) found[count++] = slot - from
      }
      return count
    },
  }
}
