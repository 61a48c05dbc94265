import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CodeMatrix, MAX_MATRIX_BYTES } from '../../src/near/code-matrix.js'
import { scanKernel } from '../../src/near/scan-kernel.js'
import { cosine } from '../../src/ranking/cosine.js'
import { hashVector, unit } from '../support/vectors.js'

function matrixOf(dimension: number): CodeMatrix {
  const matrix = CodeMatrix.create(dimension)
  if (matrix === undefined) throw new Error('this platform has SIMD')
  return matrix
}

/** Whole numbers, so that there are many zeroes and equal values, and never all zero. */
const vectorOf = (dimension: number) =>
  fc
    .array(fc.integer({ min: -3, max: 3 }), { minLength: dimension, maxLength: dimension })
    .map((values) => unit(values.every((value) => value === 0) ? values.map(() => 1) : values))

describe('a row whose cosine reaches the floor is never left out', () => {
  test.each([1, 2, 15, 16, 17, 128, 512, 768, 4_096])('%i dimensions', (dimension) => {
    fc.assert(
      fc.property(
        fc.array(vectorOf(dimension), { minLength: 1, maxLength: 8 }),
        vectorOf(dimension),
        fc.integer({ min: -100, max: 100 }),
        (vectors, query, hundredths) => {
          const [matrix, floor] = [matrixOf(dimension), hundredths / 100]
          vectors.forEach((vector, row) => matrix.set(row + 1, vector))
          const found = matrix.above(query, floor)
          const near = vectors.flatMap((vector, row) => (cosine(vector, query) >= floor ? [row + 1] : []))
          expect(found.map(({ row }) => row)).toEqual(expect.arrayContaining(near))
          for (const { row, atMost } of found) {
            expect(atMost).toBeGreaterThanOrEqual(cosine(vectors[row - 1] as Float32Array, query))
          }
          const bounds = found.map(({ atMost }) => atMost)
          expect(bounds).toEqual([...bounds].sort((a, b) => b - a))
        },
      ),
      { numRuns: dimension > 100 ? 5 : 50 },
    )
  })

  test.each([
    ['one value that is all of it', unit([1, ...Array.from({ length: 511 }, () => 0)])],
    ['all values alike', unit(Array.from({ length: 512 }, () => -1))],
  ])('%s', (_, vector) => {
    const matrix = matrixOf(512)
    matrix.set(3, vector)
    expect(matrix.above(vector, 1)).toMatchObject([{ row: 3 }])
    expect(
      matrix.above(
        vector.map((value) => -value),
        -0.9,
      ),
    ).toEqual([])
  })
})

test('the bound is close: of vectors by chance few are looked at', () => {
  const matrix = matrixOf(512)
  const vectors = Array.from({ length: 2_000 }, (_, row) => hashVector(`v ${row}`, 512))
  vectors.forEach((vector, row) => matrix.set(row, vector))
  for (const [row, vector] of vectors.slice(0, 20).entries()) {
    expect(matrix.above(vector, 0.5).map((found) => found.row)).toEqual([row])
  }
})

test('a row can be written again, removed, and written after that', () => {
  const matrix = matrixOf(16)
  const [one, other] = [hashVector('one', 16), hashVector('other', 16)]
  const rows = (vector: Float32Array) => matrix.above(vector, 0.99).map(({ row }) => row)
  matrix.set(5, one)
  expect([rows(one), rows(other)]).toEqual([[5], []])
  matrix.set(5, other)
  expect([rows(one), rows(other)]).toEqual([[], [5]])
  matrix.remove(5)
  matrix.remove(99)
  expect([rows(one), rows(other)]).toEqual([[], []])
  matrix.set(5, one)
  matrix.set(40_000, one) // grows, and keeps what is there
  expect(rows(one)).toEqual([5, 40_000])
})

test('it does not outgrow its bound', () => {
  const matrix = matrixOf(16)
  const [vector, stride] = [hashVector('one', 16), 32]
  const rows = Math.floor((MAX_MATRIX_BYTES - stride) / stride)
  expect(matrix.set(rows - 1, vector)).toBe(true)
  expect(matrix.set(rows, vector)).toBe(false)
  expect(matrix.above(vector, 0.99)).toMatchObject([{ row: rows - 1 }])
})

test.each([
  ['no WebAssembly', {}],
  ['no SIMD', { WebAssembly: { ...WebAssemblyOf(), validate: () => false } }],
])('%s: no kernel', (_, platform) => {
  expect(scanKernel(platform)).toBeUndefined()
})

function WebAssemblyOf() {
  return (globalThis as unknown as { WebAssembly: NonNullable<NonNullable<Parameters<typeof scanKernel>[0]>['WebAssembly']> }).WebAssembly // prettier-ignore
}
