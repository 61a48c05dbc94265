import type { Fault } from './types.js'

/** A vector as it will be sent. */
export interface DistortedVector {
  /** Where it belongs in the request. */
  readonly index: number
  readonly values: Float32Array
  /** How JSON writes a NaN in it. */
  readonly nanAs: 'NaN' | 'null'
}

/** Does to vectors what `fault` says; the sound ones are not touched. */
export function distortVectors(vectors: readonly Float32Array[], fault: Fault | null): DistortedVector[] {
  const sound = vectors.map((values, index): DistortedVector => ({ index, values, nanAs: 'NaN' }))
  const last = sound.at(-1)
  if (fault === null || last === undefined) return sound
  const withLast = (change: Partial<DistortedVector>) => [...sound.slice(0, -1), { ...last, ...change }]

  switch (fault.kind) {
    case 'wrong-dimension': {
      const dim = fault.dim ?? last.values.length + 1
      return sound.map((one) => ({ ...one, values: resized(one.values, dim) }))
    }
    case 'bad-number': {
      const values = last.values.slice()
      values[0] = fault.value === 'Infinity' ? Infinity : NaN
      return withLast({ values, nanAs: fault.value === 'null' ? 'null' : 'NaN' })
    }
    case 'zero-vector':
      return withLast({ values: new Float32Array(last.values.length) })
    case 'wrong-count': {
      const count = fault.count ?? sound.length - 1
      return Array.from({ length: count }, (_, index) => ({ ...(sound[index] ?? last), index }))
    }
    case 'shuffled':
      return sound.reverse()
    default:
      return sound
  }
}

/** Cut, or filled up with what it begins with: a wrong dimension must not be told by zeros. */
function resized(values: Float32Array, dim: number): Float32Array {
  return Float32Array.from({ length: dim }, (_, index) => values[index % values.length] ?? 0)
}

/** The first `dim` numbers at unit length, as services shorten vectors on request. */
export function shortenVector(vector: Float32Array, dim: number): Float32Array {
  const head = vector.slice(0, dim)
  const length = Math.sqrt(head.reduce((sum, value) => sum + value * value, 0))
  return length === 0 ? head : head.map((value) => value / length)
}

export function vectorJson({ values, nanAs }: DistortedVector): string {
  const numbers = Array.from(values, (value) => {
    if (Number.isNaN(value)) return nanAs
    return Number.isFinite(value) ? String(value) : '1e999'
  })
  return `[${numbers.join(',')}]`
}

/** Little-endian 32-bit floats. */
export function vectorBase64({ values }: DistortedVector): string {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, index) => bytes.writeFloatLE(value, index * 4))
  return bytes.toString('base64')
}
