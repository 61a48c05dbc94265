import { compileSimd, type Platform } from '../../wasm/simd-module.js'
import { CODE_SCAN } from './code-scan-bytes.js'

/**
 * Writes the estimate of every code: `((sum of its entries * scale + base) * gain + offset) + constant`, in single precision and
 * in this order, for whole blocks. All places are byte offsets in the buffer, multiples of 16.
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

/** A scan with the memory that it works on, zeros at first. */
export interface CodeScan {
  readonly buffer: ArrayBuffer
  readonly scan: Scan
}

/** @param bytes  of memory, at least  @throws {RangeError} there is not as much */
export type CreateScan = (bytes: number) => CodeScan

/** @returns undefined where the platform has no WebAssembly with SIMD */
export function simdScan(platform?: Platform): CreateScan | undefined {
  const instantiate = compileSimd<{ scan: Scan }>(CODE_SCAN, platform)
  if (instantiate === undefined) return undefined
  return (bytes) => {
    const { buffer, exports } = instantiate(bytes)
    return { buffer, scan: exports.scan }
  }
}
