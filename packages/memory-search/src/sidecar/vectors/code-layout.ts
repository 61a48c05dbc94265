/**
 * Where the bits of codes lie (part of the format of `memory.sidecar`). Codes stand in blocks of 32, interleaved: a code has
 * four bits, a nibble, for each position (four rotated dimensions). The 16 bytes of a position hold in byte b the nibble
 * of code b of the block, and above it that of code b + 16. So one shuffle of 16 bytes looks up 16 codes at once.
 */
export const BLOCK_CODES = 32
/** Bytes of one position of a block: two nibbles each. */
export const POSITION_BYTES = 16
/** Dimensions that make one nibble. */
export const POSITION_DIMENSIONS = 4

/** The kernel takes four positions at a time, so dimensions are padded to a multiple of this. */
const PADDING = 4 * POSITION_DIMENSIONS
/** Beyond it the lookup tables would be too coarse; embeddings have some thousands. */
export const MAX_DIMENSION = 65_536

/** @throws {RangeError} not a whole number of 1..65,536 */
export function paddedDimension(dimension: number): number {
  if (!Number.isInteger(dimension) || dimension < 1 || dimension > MAX_DIMENSION) {
    throw new RangeError(`A vector has 1 to ${MAX_DIMENSION} dimensions, not ${dimension}.`)
  }
  return Math.ceil(dimension / PADDING) * PADDING
}

export function positionsOf(dimension: number): number {
  return paddedDimension(dimension) / POSITION_DIMENSIONS
}

/** Bytes of the codes of so many slots: whole blocks. 96 a slot at 768 dimensions. */
export function codeBytes(dimension: number, slots: number): number {
  return Math.ceil(slots / BLOCK_CODES) * positionsOf(dimension) * POSITION_BYTES
}

/** Writes a code, one nibble a byte of `nibbles`, over whatever the slot held. */
export function writeCode(codes: Uint8Array, slot: number, nibbles: Uint8Array): void {
  const shift = shiftOf(slot)
  const keep = 0xf0 >> shift
  let place = placeOf(slot, nibbles.length)
  for (let position = 0; position < nibbles.length; position++, place += POSITION_BYTES) {
    codes[place] = ((codes[place] as number) & keep) | ((nibbles[position] as number) << shift)
  }
}

/** Copies the code of a slot of `from` over that of slot `target` of `to`, both of so many positions. */
export function copyCode(from: Uint8Array, source: number, to: Uint8Array, target: number, positions: number): void {
  const [sourceShift, targetShift] = [shiftOf(source), shiftOf(target)]
  const keep = 0xf0 >> targetShift
  const end = placeOf(source, positions) + positions * POSITION_BYTES
  let place = placeOf(target, positions)
  for (let at = placeOf(source, positions); at < end; at += POSITION_BYTES, place += POSITION_BYTES) {
    const nibble = ((from[at] as number) >> sourceShift) & 0x0f
    to[place] = ((to[place] as number) & keep) | (nibble << targetShift)
  }
}

/** The byte of the first position. */
function placeOf(slot: number, positions: number): number {
  return Math.floor(slot / BLOCK_CODES) * positions * POSITION_BYTES + (slot % POSITION_BYTES)
}

function shiftOf(slot: number): 0 | 4 {
  return slot % BLOCK_CODES < POSITION_BYTES ? 0 : 4
}
