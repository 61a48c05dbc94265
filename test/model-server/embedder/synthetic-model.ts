import { createHash } from 'node:crypto'
import type { EmbeddedText } from '../types.js'

const NAME = /^hash-([1-9]\d{0,4})(?:-[a-z0-9]+)?$/

/** Dimensions a synthetic model may have. */
export const MIN_SYNTHETIC_DIM = 2
export const MAX_SYNTHETIC_DIM = 16_384

/** What the synthetic models count as one token: about what tokenizers make of English. */
const CODE_POINTS_A_TOKEN = 4

/**
 * The dimension of a synthetic model by its name: `hash-768`, or `hash-768-other` for a second model of the same dimension
 * whose vectors have nothing to do with the first one's.
 * @returns null if `name` is not of that family or its dimension is out of bounds
 */
export function syntheticDim(name: string): number | null {
  const dim = Number(NAME.exec(name)?.[1])
  return dim >= MIN_SYNTHETIC_DIM && dim <= MAX_SYNTHETIC_DIM ? dim : null
}

/**
 * Unit vector drawn from a generator that model and text seed together: equal texts have equal vectors, different texts
 * are nearly orthogonal (cosines spread by 1/√dim around 0). Only integer arithmetic, division and square roots, which
 * every machine computes alike.
 */
export function syntheticVector(model: string, text: string, dim: number): Float32Array {
  const next = generator(createHash('sha256').update(`${model}\0${text}`).digest())
  const vector = new Float32Array(dim)
  let sumOfSquares = 0
  for (let index = 0; index < dim; index++) {
    const value = Math.fround(next() / 0x8000_0000 - 1)
    vector[index] = value
    sumOfSquares += value * value
  }
  const length = Math.sqrt(sumOfSquares)
  return vector.map((value) => value / length)
}

/** Embeds a text as a model with that context would: what lies beyond is counted and does not show in the vector. */
export function embedSynthetically(model: string, text: string, dim: number, contextTokens: number): EmbeddedText {
  const codePoints = Array.from(text)
  const seen = codePoints.slice(0, contextTokens * CODE_POINTS_A_TOKEN).join('')
  return {
    vector: syntheticVector(model, seen, dim),
    tokens: Math.max(1, Math.ceil(codePoints.length / CODE_POINTS_A_TOKEN)),
  }
}

/** sfc32, a small generator with 128 bits of state; returns unsigned 32-bit integers. */
function generator(seed: Buffer): () => number {
  let a = seed.readInt32LE(0)
  let b = seed.readInt32LE(4)
  let c = seed.readInt32LE(8)
  let counter = 1
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return sum >>> 0
  }
  for (let round = 0; round < 12; round++) next()
  return next
}
