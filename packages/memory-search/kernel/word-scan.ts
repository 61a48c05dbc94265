/**
 * The walks over postings of src/sidecar/words, in AssemblyScript: `addScores` adds what a word comes to in bm25 to the scores of
 * the slots in a list, as add-scores.ts does, operation by operation; `mark` counts and marks these slots, as mark-slots.ts does.
 * Where codes end is read off 64 bytes at once: found by going from one to the next, it would take most of the time. Places are
 * byte offsets. Whatever the bytes say, nothing is written but to the slots there are.
 */

/** Classes of posting.ts from which on one is not its quarters. */
const RUN: u32 = 14
const MORE: u32 = 0x80
const LOW_BITS: u32 = 0x7f
const MAX_VARINT_BYTES: usize = 5
const BLOCK_BYTES: usize = 64
/** Lengths and quarters below these have their value in the table (saturation.ts). */
const KEPT_LENGTHS: u32 = 128
const KEPT_QUARTERS: u32 = 16
const K1: f64 = 1.2
const B: f64 = 0.75

/** No place: the list ends with what makes no sense. */
const OVER: usize = 0

/** A bit for each of 64 bytes that ends a varint. */
function endsIn(block: usize): u64 {
  const more = <u64>i8x16.bitmask(v128.load(block))
    | (<u64>i8x16.bitmask(v128.load(block, 16)) << 16)
    | (<u64>i8x16.bitmask(v128.load(block, 32)) << 32)
    | (<u64>i8x16.bitmask(v128.load(block, 48)) << 48) // prettier-ignore
  return ~more
}

/** Of 64 bits, those from this one on; none where it is beyond them. */
function bitsFrom(bit: usize): u64 {
  const shift = <u64>bit
  return bit < BLOCK_BYTES ? u64.MAX_VALUE << shift : 0
}

/** The slots that a code of one byte or two passes over, without a branch: which of them it is nobody can foretell. */
function twoBytes(code: u32, more: u32): u32 {
  return ((code >> 4) & 7) + ((code >> 5) & 0x3f8 & (0 - more))
}

/** The slots that a code of three to five bytes passes over. */
function passedOver(at: usize, last: usize): u32 {
  let code: u32 = 0
  for (let shift = 0; at <= last; at++, shift += 7) code |= ((<u32>load<u8>(at)) & LOW_BITS) << shift
  return code >> 4
}

/** Saturation.of */
function valueOf(quarters: u32, length: u32, values: usize, average: f64): f64 {
  if (quarters < KEPT_QUARTERS && length < KEPT_LENGTHS) {
    return load<f64>(values + ((<usize>(length * KEPT_QUARTERS + quarters)) << 3))
  }
  const frequency = <f64>quarters / 4
  return (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * <f64>length) / average))
}

function lengthAt(lengths: usize, slot: i32): u32 {
  return load<u16>(lengths + ((<usize>slot) << 1))
}

function add(scores: usize, slot: i32, value: f64): void {
  const place = scores + ((<usize>slot) << 3)
  store<f64>(place, load<f64>(place) + value)
}

/**
 * Takes every code that ends before `until`; 64 bytes from there on may be read. Quarters that follow one end before `end`.
 * @param state  an i32: slot of the posting before the first one; that of the last one is left in it
 * @returns where the next code begins; 0: nothing counts any more
 */
export function addScores(
  at: usize,
  until: usize,
  end: usize,
  state: usize,
  weight: f64,
  average: f64,
  values: usize,
  lengths: usize,
  scores: usize,
  slots: i32,
): usize {
  let slot = load<i32>(state)
  let begin = at
  for (let block = at; block < until; block += BLOCK_BYTES) {
    let ends = endsIn(block) & ~bitsFrom(until - block)
    // Quarters that follow the last code of a block may reach into the next one.
    if (begin > block) ends &= bitsFrom(begin - block)
    while (ends != 0) {
      const last = block + <usize>ctz(ends)
      ends &= ends - 1
      const more = last - begin
      const code = <u32>load<u16>(begin)
      if (more < 2) slot += twoBytes(code, <u32>more) + 1
      else if (more < MAX_VARINT_BYTES) slot += passedOver(begin, last) + 1
      else return OVER
      begin = last + 1
      if (slot >= slots) return OVER
      let quarters = code & 15
      const length = lengthAt(lengths, slot)
      if (quarters < RUN && length < KEPT_LENGTHS) {
        add(scores, slot, weight * load<f64>(values + ((<usize>(length * KEPT_QUARTERS + quarters)) << 3)))
        continue
      }
      if (quarters == RUN) {
        if (slot + 2 >= slots) return OVER
        add(scores, slot, weight * valueOf(4, length, values, average))
        slot++
        add(scores, slot, weight * valueOf(2, lengthAt(lengths, slot), values, average))
        slot++
        quarters = 1
      } else if (quarters > RUN) {
        quarters = 0
        let shift = 0
        let byte = MORE
        for (; byte >= MORE; shift += 7) {
          if (begin >= end || shift > 28) return OVER
          byte = load<u8>(begin++)
          quarters |= (byte & LOW_BITS) << shift
        }
        ends &= bitsFrom(begin - block)
      }
      add(scores, slot, weight * valueOf(quarters, lengthAt(lengths, slot), values, average))
    }
  }
  store<i32>(state, slot)
  return begin
}

/** @returns how many of them were marked with bit 1 before: one, or none */
function markOne(marks: usize, slot: i32, value: u32): i32 {
  const place = marks + <usize>slot
  const before = <u32>load<u8>(place)
  store<u8>(place, before | value)
  return before & 1
}

/**
 * Takes every code that ends before `until`, as `addScores`; quarters that follow one are passed over.
 * @param state  three i32: the slot, slots counted so far, and whether quarters are to follow
 * @param marks  a byte a slot, which gets the bits of `value`; slots whose byte had bit 1 are counted
 * @returns where the next code begins; 0: the list makes no sense
 */
export function mark(at: usize, until: usize, state: usize, marks: usize, value: u32, slots: i32): usize {
  let slot = load<i32>(state)
  let count = load<i32>(state, 4)
  let areQuarters = load<i32>(state, 8)
  let begin = at
  for (let block = at; block < until; block += BLOCK_BYTES) {
    let ends = endsIn(block) & ~bitsFrom(until - block)
    while (ends != 0) {
      const last = block + <usize>ctz(ends)
      ends &= ends - 1
      const more = last - begin
      if (more >= MAX_VARINT_BYTES) return OVER
      const code = <u32>load<u16>(begin)
      const passed = more < 2 ? twoBytes(code, <u32>more) : passedOver(begin, last)
      begin = last + 1
      if (areQuarters) {
        areQuarters = 0
        continue
      }
      slot += passed + 1
      if (slot >= slots) return OVER
      count += markOne(marks, slot, value)
      const quarters = code & 15
      if (quarters < RUN) continue
      areQuarters = quarters > RUN ? 1 : 0
      if (areQuarters) continue
      if (slot + 2 >= slots) return OVER
      count += markOne(marks, ++slot, value)
      count += markOne(marks, ++slot, value)
    }
  }
  store<i32>(state, slot)
  store<i32>(state, count, 4)
  store<i32>(state, areQuarters, 8)
  return begin
}
