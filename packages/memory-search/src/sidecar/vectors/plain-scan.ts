import { BLOCK_CODES, POSITION_BYTES } from './code-layout.js'
import type { CreateScan, Scan } from './code-scan.js'

/** The twin of the WebAssembly kernel in JavaScript: the same estimates, bit for bit, some thirty times as slow. */
export const plainScan: CreateScan = (length) => {
  const buffer = new ArrayBuffer(length)
  const bytes = new Uint8Array(buffer)
  const floats = new Float32Array(buffer)
  const sums = new Uint32Array(BLOCK_CODES)
  const scan: Scan = (codes, blocks, positions, tables, scale, base, constant, gains, offsets, estimates) => {
    const [a, b, c] = [Math.fround(scale), Math.fround(base), Math.fround(constant)]
    const blockBytes = positions * POSITION_BYTES
    for (let block = 0; block < blocks; block++) {
      addEntries(bytes, codes + block * blockBytes, tables, blockBytes, sums)
      for (let code = 0; code < BLOCK_CODES; code++) {
        const slot = block * BLOCK_CODES + code
        const bits = Math.fround(Math.fround((sums[code] as number) * a) + b)
        const gained = Math.fround(bits * (floats[gains / 4 + slot] as number))
        floats[estimates / 4 + slot] = Math.fround(gained + (floats[offsets / 4 + slot] as number)) + c
      }
    }
  }
  return { buffer, scan }
}

/** The sums of table entries of the 32 codes of one block. */
function addEntries(bytes: Uint8Array, codes: number, tables: number, length: number, sums: Uint32Array): void {
  for (let at = 0; at < POSITION_BYTES; at++) {
    let low = 0
    let high = 0
    for (let position = 0; position < length; position += POSITION_BYTES) {
      const pair = bytes[codes + position + at] as number
      low += bytes[tables + position + (pair & 0x0f)] as number
      high += bytes[tables + position + (pair >> 4)] as number
    }
    sums[at] = low
    sums[at + POSITION_BYTES] = high
  }
}
