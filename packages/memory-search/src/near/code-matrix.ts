import { CODE_STEP, RECORD_TAIL, scanKernel, type CreateScanKernel, type ScanKernel } from './scan-kernel.js'

/** Most codes that are kept, about 160,000 memories of 768 dimensions. */
export const MAX_MATRIX_BYTES = 128 * 1024 * 1024

/** Codes of a stored vector are -127..127; those of a query may be finer: products of 16,384 dimensions still fit into int32. */
const CODE_LEVELS = 127
const QUERY_LEVELS = 1_023
/** Vectors are of unit length within a thousandth; what float32 rounds away besides is far below this. */
const MAX_LENGTH = 1.001
const ROUNDING = 1e-5

/** A row that may be as near as this. */
export interface PossibleRow {
  readonly row: number
  /** The cosine is not above it. */
  readonly atMost: number
}

interface Quantised {
  readonly codes: Int16Array
  readonly scale: number
  /** Length of what the codes leave out. */
  readonly error: number
}

/** Plain loops: thousands of vectors are read when a store opens. */
function quantise(vector: Float32Array, levels: number): Quantised {
  let most = 0
  for (let at = 0; at < vector.length; at++) most = Math.max(most, Math.abs(vector[at] as number))
  const scale = most / levels
  const codes = new Int16Array(vector.length)
  let squares = 0
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at] as number
    const code = Math.round(value / scale)
    codes[at] = code
    squares += (value - code * scale) ** 2
  }
  return { codes, scale, error: Math.sqrt(squares) }
}

/**
 * Vectors of unit length as 8-bit codes with the length of what they leave out, by row number: from the product of codes
 * follows a bound that the cosine cannot exceed. A memory takes its dimensions in bytes, and sixteen.
 */
export class CodeMatrix {
  readonly #createKernel: CreateScanKernel
  #kernel: ScanKernel
  /** Codes of a record, padded; the query lies before the records, at 0, as int16. */
  readonly #length: number
  readonly #stride: number
  readonly #start: number
  /** Rows from 0 that there is room for, and the first one never written. */
  #room = 0
  #rows = 0
  #bytes!: Int8Array
  #floats!: Float32Array
  #products!: Int32Array

  /** @returns undefined where the platform has no WebAssembly with SIMD */
  static create(dimension: number, createKernel = scanKernel()): CodeMatrix | undefined {
    return createKernel === undefined ? undefined : new CodeMatrix(createKernel, dimension)
  }

  private constructor(createKernel: CreateScanKernel, dimension: number) {
    this.#createKernel = createKernel
    this.#length = Math.ceil(dimension / CODE_STEP) * CODE_STEP
    this.#stride = this.#length + RECORD_TAIL
    this.#start = this.#length * Int16Array.BYTES_PER_ELEMENT
    this.#kernel = createKernel(this.#start)
    this.#mapMemory()
  }

  /** @returns false where it would outgrow `MAX_MATRIX_BYTES`, or the memory there is; nothing was changed */
  set(row: number, vector: Float32Array): boolean {
    if (!this.#makeRoom(row)) return false
    const { codes, scale, error } = quantise(vector, CODE_LEVELS)
    const at = this.#start + row * this.#stride
    this.#bytes.set(codes, at)
    this.#writeTail(at, scale, error)
    this.#rows = Math.max(this.#rows, row + 1)
    return true
  }

  remove(row: number): void {
    if (row < this.#rows) this.#writeTail(this.#start + row * this.#stride, 0, 0)
  }

  /** All rows whose cosine with a vector of unit length may reach the floor, the highest bound first, then by row. */
  above(query: Float32Array, floor: number): PossibleRow[] {
    const { codes, scale: queryScale, error: queryError } = quantise(query, QUERY_LEVELS)
    new Int16Array(this.#kernel.buffer, 0, this.#length).fill(0).set(codes)
    const end = this.#start + this.#rows * this.#stride
    this.#kernel.scan(0, this.#start, end, this.#length, this.#stride)
    const found: PossibleRow[] = []
    const step = this.#stride / Float32Array.BYTES_PER_ELEMENT
    let tail = (this.#start + this.#length) / Float32Array.BYTES_PER_ELEMENT
    for (let row = 0; row < this.#rows; row++, tail += step) {
      const scale = this.#floats[tail] as number
      if (scale === 0) continue // removed, or never written
      const error = this.#floats[tail + 1] as number
      const product = (this.#products[tail + 2] as number) * scale * queryScale
      const atMost = product + queryError * (MAX_LENGTH + error) + MAX_LENGTH * error + ROUNDING
      if (atMost >= floor) found.push({ row, atMost })
    }
    return found.sort((a, b) => b.atMost - a.atMost || a.row - b.row)
  }

  #writeTail(at: number, scale: number, error: number): void {
    const tail = (at + this.#length) / Float32Array.BYTES_PER_ELEMENT
    this.#floats[tail] = scale
    this.#floats[tail + 1] = error
  }

  #makeRoom(row: number): boolean {
    if (row < this.#room) return true
    const wanted = this.#start + Math.max(row + 1, Math.min(2 * this.#room, row + 1 + 16_384)) * this.#stride
    if (this.#start + (row + 1) * this.#stride > MAX_MATRIX_BYTES) return false
    try {
      const grown = this.#createKernel(Math.min(wanted, MAX_MATRIX_BYTES))
      new Int8Array(grown.buffer).set(this.#bytes)
      this.#kernel = grown
    } catch (error) {
      if (error instanceof RangeError) return false // no memory left: whoever asks scans the database instead
      throw error
    }
    this.#mapMemory()
    return true
  }

  #mapMemory(): void {
    const { buffer } = this.#kernel
    this.#bytes = new Int8Array(buffer)
    this.#floats = new Float32Array(buffer)
    this.#products = new Int32Array(buffer)
    this.#room = Math.max(0, Math.floor((buffer.byteLength - this.#start) / this.#stride))
  }
}
