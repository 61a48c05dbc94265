import { expect, test } from 'vitest'
import { cosine } from '../../../src/ranking/cosine.js'
import { CodeStore } from '../../../src/sidecar/vectors/code-store.js'
import { meanOf } from './mean-of.js'
import { normals, seeded, unit } from './vectors.js'

const DIMENSION = 768
const COUNT = 6_000
const QUERIES = 40
const CLUSTERS = 200
const KEPT = 256

/**
 * Vectors as models make them: all to one side (two by chance have a cosine of about a third), in clusters of which few are large,
 * and wide in some directions. `outliers` dimensions are eight times as large as the rest.
 */
function clustered(outliers: number): { vectors: Float32Array[]; queries: Float32Array[] } {
  const [normal, uniform] = [normals(1), seeded(2)]
  const widths = Float64Array.from({ length: DIMENSION }, (_, at) => (at + 1) ** -0.3 * (at < outliers ? 8 : 1))
  const draw = () => Float64Array.from(widths, (width) => width * normal())
  const centre = draw()
  const clusters = Array.from({ length: CLUSTERS }, draw)
  const member = () => {
    const cluster = clusters[Math.floor(CLUSTERS ** uniform()) - 1] as Float64Array // the k-th in proportion to 1 / k
    const own = draw()
    return unit(
      Array.from(own, (value, at) => 0.7 * value + 0.7 * (cluster[at] as number) + 0.7 * (centre[at] as number)),
    )
  }
  return { vectors: Array.from({ length: COUNT }, member), queries: Array.from({ length: QUERIES }, member) }
}

/** Slots by value, the highest first, as many as asked for. */
function best(values: ArrayLike<number>, count: number): number[] {
  const slots = Array.from({ length: values.length }, (_, slot) => slot)
  return slots.sort((a, b) => (values[b] as number) - (values[a] as number)).slice(0, count)
}

/** Goals of the design: of the exact best 10 and 50, this share is among the 256 best estimates. */
test.each([
  { name: 'clustered vectors', outliers: 0, mean: true, ten: 0.995, fifty: 0.97 },
  { name: 'six dimensions eight times as large', outliers: 6, mean: true, ten: 0.995, fifty: 0.97 },
  { name: 'no mean known: less close', outliers: 0, mean: false, ten: 0.98, fifty: 0.9 },
])('$name: the nearest are among the best 256 estimates', ({ outliers, mean, ten, fifty }) => {
  const { vectors, queries } = clustered(outliers)
  const centre = mean ? meanOf(vectors.slice(0, 500), DIMENSION) : new Float32Array(DIMENSION)
  const store = CodeStore.create({ dimension: DIMENSION, mean: centre, capacity: COUNT })
  vectors.forEach((vector, slot) => store.set(slot, vector))
  let [ofTen, ofFifty] = [0, 0]
  for (const query of queries) {
    const exact = best(vectors.map((vector) => cosine(vector, query)), 50) // prettier-ignore
    const kept = new Set(best(store.estimates(query), KEPT))
    ofTen += exact.slice(0, 10).filter((slot) => kept.has(slot)).length / 10
    ofFifty += exact.filter((slot) => kept.has(slot)).length / 50
  }
  expect(ofTen / QUERIES).toBeGreaterThanOrEqual(ten)
  expect(ofFifty / QUERIES).toBeGreaterThanOrEqual(fifty)
})
