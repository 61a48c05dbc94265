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
  const within = slot % BLOCK_CODES
  const shift = within < POSITION_BYTES ? 0 : 4
  const keep = 0xf0 >> shift
  let at = ((slot - within) / BLOCK_CODES) * nibbles.length * POSITION_BYTES + (within % POSITION_BYTES)
  for (let position = 0; position < nibbles.length; position++, at += POSITION_BYTES) {
    codes[at] = ((codes[at] as number) & keep) | ((nibbles[position] as number) << shift)
  }
}

/** Reads into `nibbles` what `writeCode` wrote. */
export function readCode(codes: Uint8Array, slot: number, nibbles: Uint8Array): void {
  const within = slot % BLOCK_CODES
  const shift = within < POSITION_BYTES ? 0 : 4
  let at = ((slot - within) / BLOCK_CODES) * nibbles.length * POSITION_BYTES + (within % POSITION_BYTES)
  for (let position = 0; position < nibbles.length; position++, at += POSITION_BYTES) {
    nibbles[position] = ((codes[at] as number) >> shift) & 0x0f
  }
}
