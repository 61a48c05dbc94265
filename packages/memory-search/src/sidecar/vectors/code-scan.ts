import { instantiate, type KernelMemory, type Platform } from '../../wasm/instantiate.js'
import { CODE_SCAN } from './code-scan-bytes.js'

/**
 * Writes the estimate of every code: `((sum of its entries * scale + base) * gain + offset) + constant`, in single precision and
 * in this order, for whole blocks. All places are byte offsets in `memory`, multiples of 16.
 */
export type Scan = (
  codes: number,
  blocks: number,
  positions: number,
  tables: number,
  scale: number,
  base: number,
  constant: number,
  gains: number,
  offsets: number,
  estimates: number,
) => void

/** A scan with the memory that it works on. */
export interface CodeScan {
  readonly memory: KernelMemory
  readonly scan: Scan
}

/** @returns undefined where the platform has no WebAssembly with SIMD */
export function createSimdScan(platform?: Platform): CodeScan | undefined {
  return instantiate<CodeScan>(CODE_SCAN, platform)
}
