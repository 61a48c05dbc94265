import { expect, test } from 'vitest'
import { meanOf } from './mean-of.js'

test.each([
  { name: 'none', vectors: [], mean: [0, 0] },
  { name: 'one', vectors: [[0.5, -1]], mean: [0.5, -1] },
  { name: 'some', vectors: [[1, 0], [0, 1], [0.5, -1]], mean: [0.5, 0] }, // prettier-ignore
])('the mean of $name', ({ vectors, mean }) => {
  const all = new Set(vectors.map((vector) => Float32Array.from(vector)))
  expect([...meanOf(all, 2)]).toEqual(mean)
})

test('it is summed in double precision: many small ones count', () => {
  const vectors = Array.from({ length: 100_001 }, (_, at) => Float32Array.of(at === 0 ? 1 : 2 ** -26))
  expect(meanOf(vectors, 1)[0]).toBe(Math.fround((1 + 100_000 * 2 ** -26) / 100_001))
})
