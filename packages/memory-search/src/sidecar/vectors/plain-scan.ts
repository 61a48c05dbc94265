import { PAGE_BYTES, type KernelMemory } from '../../wasm/instantiate.js'
import { BLOCK_CODES, POSITION_BYTES } from './code-layout.js'
import type { CodeScan, Scan } from './code-scan.js'

/** Memory that grows by copying. */
class PlainMemory implements KernelMemory {
  buffer = new ArrayBuffer(PAGE_BYTES)

  grow(pages: number): number {
    const before = this.buffer
    const grown = new ArrayBuffer(before.byteLength + pages * PAGE_BYTES)
    new Uint8Array(grown).set(new Uint8Array(before))
    this.buffer = grown
    return before.byteLength / PAGE_BYTES
  }
}

/** The twin of the WebAssembly kernel in JavaScript: the same estimates, bit for bit, some ten times as slow. */
export function createPlainScan(): CodeScan {
  const memory = new PlainMemory()
  const sums = new Uint32Array(BLOCK_CODES)
  const scan: Scan = (codes, blocks, positions, tables, scale, base, constant, gains, offsets, estimates) => {
    const bytes = new Uint8Array(memory.buffer)
    const floats = new Float32Array(memory.buffer)
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
  return { memory, scan }
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
