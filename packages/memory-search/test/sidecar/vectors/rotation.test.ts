import { describe, expect, test } from 'vitest'
import { sha256Hex } from '@mono-agent/memory-store'
import { Rotation } from '../../../src/sidecar/vectors/rotation.js'
import { DIMENSIONS, normalVectors } from './vectors.js'

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number)
  return sum
}

describe.each(DIMENSIONS)('%i dimensions', (dimension) => {
  const rotation = new Rotation(dimension)
  const origin = new Float32Array(dimension)
  const rotated = (vector: Float32Array) => rotation.rotate(vector, origin).slice()

  test('lengths and inner products stay', () => {
    const vectors = normalVectors(6, dimension, 1)
    const after = vectors.map(rotated)
    for (const [a, vector] of vectors.entries()) {
      expect(after[a]?.length).toBe(rotation.length)
      for (const [b, other] of vectors.entries()) {
        expect(dot(after[a] as Float64Array, after[b] as Float64Array)).toBeCloseTo(dot(vector, other), 10)
      }
    }
  })

  test('one dimension is spread over many', () => {
    const vector = new Float32Array(dimension)
    vector[dimension - 1] = 1
    const most = Math.max(...rotated(vector).map(Math.abs))
    expect(most).toBeLessThan(dimension < 100 ? 1 : 0.5)
  })

  test('the origin is taken off before', () => {
    const [vector, mean] = normalVectors(2, dimension, 2) as [Float32Array, Float32Array]
    const apart = rotation.rotate(vector, mean).slice()
    const [ofVector, ofMean] = [rotated(vector), rotated(mean)]
    apart.forEach((value, at) => expect(value).toBeCloseTo((ofVector[at] as number) - (ofMean[at] as number), 6))
  })
})

/** Codes that were kept are read with this rotation: another one is another format. */
test.each([
  [1, '986163a0d97cba5c26bc7624f59dbdcc6970e3b37e450665107e559fc58e1e99'],
  [512, '500079cc7089561c963fdeb16a18eaf58c31959396cc518fdb43864ecaa06025'],
  [768, 'f5c55a07c533edf659a9746b77ea3e78783e9de0ccb557dcf4ae2e6329ecec55'],
])('the rotation of %i dimensions is the one that is part of the format', (dimension, digest) => {
  const vector = Float32Array.from({ length: dimension }, (_, at) => ((at * 7) % 11) - 5)
  const rotated = new Rotation(dimension).rotate(vector, new Float32Array(dimension))
  expect(sha256Hex(rotated.join())).toBe(digest)
})
