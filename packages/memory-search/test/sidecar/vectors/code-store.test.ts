import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { cosine } from '../../../src/ranking/cosine.js'
import { codeBytes, MAX_DIMENSION } from '../../../src/sidecar/vectors/code-layout.js'
import { CodeStore, TURN_SLOTS } from '../../../src/sidecar/vectors/code-store.js'
import { meanOf } from './mean-of.js'
import type { Kernel } from '../../../src/wasm/kernel-or-twin.js'
import type { Platform } from '../../../src/wasm/simd-module.js'
import { DIMENSIONS, normalVectors, vectorOf } from './vectors.js'
import { finished } from '../support/finished.js'

afterEach(() => void vi.unstubAllGlobals())

const NONE = Number.NEGATIVE_INFINITY
const zeros = (dimension: number) => new Float32Array(dimension)

function storeOf(
  vectors: readonly (Float32Array | undefined)[],
  mean: Float32Array,
  kernel: Kernel = 'simd',
): CodeStore {
  const store = CodeStore.create({ dimension: mean.length, mean, kernel })
  vectors.forEach((vector, slot) => store.set(slot, vector))
  return store
}

function reloaded(store: CodeStore, kernel: Kernel = 'simd'): CodeStore {
  const { codes, gains, offsets, mean } = store.sections()
  return CodeStore.load({ dimension: store.dimension, mean, size: store.size, kernel }, (place) => {
    place.codes.set(codes)
    place.gains.set(gains)
    place.offsets.set(offsets)
  })
}

describe.each(DIMENSIONS)('%i dimensions', (dimension) => {
  const numRuns = dimension > 600 ? 5 : 20

  test('SIMD and plain JavaScript estimate the same, bit for bit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(vectorOf(dimension), { nil: undefined }), { maxLength: 70 }),
        fc.constantFrom('none', 'mean', 'query'),
        vectorOf(dimension),
        (vectors, centre, query) => {
          const mean = { none: zeros(dimension), mean: meanOf(vectors.filter((vector) => vector !== undefined), dimension), query }[centre] // prettier-ignore
          const [simd, plain] = [storeOf(vectors, mean), storeOf(vectors, mean, 'plain')]
          expect(simd.sections()).toEqual(plain.sections())
          const estimates = simd.estimates(query)
          expect(estimates).toEqual(plain.estimates(query))
          expect(estimates.length).toBe(vectors.length)
          vectors.forEach((vector, slot) => expect(estimates[slot] === NONE).toBe(vector === undefined))
        },
      ),
      { numRuns },
    )
  })

  test('an estimate is near the cosine', () => {
    const vectors = normalVectors(60, dimension, 1)
    for (const mean of [zeros(dimension), meanOf(vectors, dimension)]) {
      const store = storeOf(vectors, mean)
      for (const query of vectors.slice(0, 5)) {
        const estimates = store.estimates(query)
        const squares = vectors.map((vector, slot) => ((estimates[slot] as number) - cosine(vector, query)) ** 2)
        // One bit a dimension leaves sqrt(pi/2 - 1) = 0.76 of a standard deviation of 1 / sqrt(dimensions), about.
        const error = Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length)
        expect(error).toBeLessThan(1 / Math.sqrt(dimension))
      }
    }
  })
})

test('what equals the mean is estimated exactly: its code says nothing', () => {
  const [mean, query] = normalVectors(2, 64, 2) as [Float32Array, Float32Array]
  const store = storeOf([mean], mean)
  expect(store.estimates(query)[0]).toBeCloseTo(cosine(mean, query), 5)
  expect(store.estimates(mean)[0]).toBeCloseTo(1, 5)
})

test('a slot is written over, emptied, skipped', () => {
  const [one, other, query] = normalVectors(3, 32, 3) as [Float32Array, Float32Array, Float32Array]
  const alone = (vector: Float32Array) => storeOf([vector], zeros(32)).estimates(query)[0]
  const store = CodeStore.create({ dimension: 32, mean: zeros(32) })
  expect([store.size, [...store.estimates(query)]]).toEqual([0, []])
  store.set(2, one)
  expect([store.size, [...store.estimates(query)]]).toEqual([3, [NONE, NONE, alone(one)]])
  store.set(2, other)
  store.set(0, one)
  expect([store.size, [...store.estimates(query)]]).toEqual([3, [alone(one), NONE, alone(other)]])
  store.set(2, undefined)
  store.set(3, undefined)
  expect([store.size, [...store.estimates(query)]]).toEqual([4, [alone(one), NONE, NONE, NONE]])
})

describe.each(['simd', 'plain'] as const)('%s', (kernel) => {
  test('growth keeps what is there, and little more room than that', () => {
    const vectors = normalVectors(97, 100, 4)
    const query = vectors[0] as Float32Array
    const expected = storeOf(vectors, zeros(100), kernel).estimates(query).slice()
    const store = CodeStore.create({ dimension: 100, mean: zeros(100), kernel })
    const total = 20_000
    for (let slot = 0; slot < total; slot++) {
      store.set(slot, vectors[slot % vectors.length])
      if (slot % 4_999 === 0) store.estimates(query) // what a scan leaves behind is not taken for a code
    }
    const estimates = store.estimates(query)
    expect(estimates.every((estimate, slot) => estimate === expected[slot % vectors.length])).toBe(true)
    const needed = codeBytes(100, total) + total * 12
    expect(store.bytes).toBeLessThan(needed * 1.13 + 2 * 65_536)
  })

  test('room that was asked for is there: it does not grow', () => {
    const store = CodeStore.create({ dimension: 16, mean: zeros(16), capacity: 10_000, kernel })
    const before = store.bytes
    store.set(9_999, normalVectors(1, 16, 5)[0])
    expect(store.bytes).toBe(before)
  })

  test('growth detaches no buffer, which would slow every typed array of the thread', () => {
    const [vector] = normalVectors(1, 16, 5) as [Float32Array]
    const store = storeOf([vector], zeros(16), kernel)
    const before = store.estimates(vector)
    store.set(50_000, vector)
    expect(before.length).toBe(1)
    expect(before[0]).toBe(store.estimates(vector)[50_000])
  })

  test('a loaded store has room for some more', () => {
    const [one] = normalVectors(1, 16, 5)
    const store = reloaded(
      storeOf(
        Array.from({ length: 3_000 }, () => one),
        zeros(16),
      ),
      kernel,
    )
    const before = store.bytes
    store.set(3_200, one)
    expect(store.bytes).toBe(before)
  })

  test('sections, loaded again, estimate the same, and can be written to', () => {
    const vectors = normalVectors(77, 48, 6).map((vector, slot) => (slot % 7 === 3 ? undefined : vector))
    const [query, added] = normalVectors(2, 48, 7) as [Float32Array, Float32Array]
    const mean = meanOf(vectors.filter((vector) => vector !== undefined), 48) // prettier-ignore
    const store = storeOf(vectors, mean, kernel)
    const again = reloaded(store, kernel)
    expect(again.mean).toEqual(store.mean)
    expect(again.estimates(query)).toEqual(store.estimates(query))
    for (const slot of [5, 77, 200]) for (const each of [store, again]) each.set(slot, added)
    expect(again.estimates(query)).toEqual(store.estimates(query))
    expect(again.sections()).toEqual(store.sections())
  })

  test('a compacted store has the codes of the slots that were chosen, in their order', () => {
    const vectors = normalVectors(150, 20, 8).map((vector, slot) => (slot % 11 === 0 ? undefined : vector))
    const [query, added] = normalVectors(2, 20, 9) as [Float32Array, Float32Array]
    const store = storeOf(vectors, zeros(20), kernel)
    fc.assert(
      fc.property(fc.nat(150), fc.array(fc.nat(149), { maxLength: 100 }), fc.boolean(), (unmoved, rest, inOrder) => {
        const slots = [...vectors.keys()].slice(0, unmoved).concat(inOrder ? rest.toSorted((a, b) => a - b) : rest)
        const compacted = finished(store.compacting(Uint32Array.from(slots)))
        const expected = storeOf(slots.map((slot) => vectors[slot]), zeros(20), kernel) // prettier-ignore
        for (const each of [compacted, expected]) each.set(slots.length + 1, added)
        expect(compacted.estimates(query)).toEqual(expected.estimates(query))
      }),
      { numRuns: 50 },
    )
  })
})

test('compacting takes turns; slots that are set between them, and a memory that grows, do not reach what it makes', () => {
  const [other, query] = normalVectors(2, 16, 12) as [Float32Array, Float32Array]
  const store = storeOf(normalVectors(2 * TURN_SLOTS + 1, 16, 13), zeros(16))
  const slots = Uint32Array.from({ length: store.size }, (_, slot) => store.size - 1 - slot)
  const atOnce = finished(store.compacting(slots))
  const turns = store.compacting(slots)
  for (let count = 0; ; count++) {
    const turn = turns.next()
    if (turn.done === true) {
      expect(count).toBe(2)
      expect(turn.value.sections()).toEqual(atOnce.sections())
      expect(turn.value.estimates(query)).toEqual(atOnce.estimates(query))
      return
    }
    store.set(2 * store.size, other)
  }
})

test.each([0, 1])('where WebAssembly has memory %i times the twin estimates the same', (memories) => {
  const vectors = normalVectors(700, 20, 14)
  const [query] = normalVectors(1, 20, 15) as [Float32Array]
  const expected = storeOf(vectors, zeros(20)).estimates(query)
  const wasm = (globalThis as Platform).WebAssembly as NonNullable<Platform['WebAssembly']>
  let left = memories
  const Memory = function (size: { initial: number }) {
    if (left-- <= 0) throw new RangeError('WebAssembly.Memory(): could not allocate memory')
    return new wasm.Memory(size)
  }
  const { Module, Instance } = wasm
  vi.stubGlobal('WebAssembly', { validate: (bytes: Uint8Array) => wasm.validate(bytes), Module, Instance, Memory })
  const store = CodeStore.create({ dimension: 20, mean: zeros(20) })
  vectors.forEach((vector, slot) => store.set(slot, vector)) // it grows
  expect(store.estimates(query)).toEqual(expected)
  expect(left).toBeLessThan(0)
})

test('sections do not change with the store', () => {
  const [one, other] = normalVectors(2, 16, 10) as [Float32Array, Float32Array]
  const store = storeOf([one], zeros(16))
  const sections = store.sections()
  const before = structuredClone(sections)
  store.set(0, other)
  store.set(100_000, one)
  expect(sections).toEqual(before)
  expect(sections.codes.length).toBe(codeBytes(16, 1))
})

describe('refused, and nothing is changed', () => {
  const store = storeOf(normalVectors(3, 16, 11), zeros(16))
  const before = store.sections()
  const vector = normalVectors(1, 16, 12)[0] as Float32Array
  test.each<[string, () => unknown, RegExp]>([
    ['no dimension', () => CodeStore.create({ dimension: 0, mean: zeros(0) }), /1 to 65536 dimensions, not 0/],
    ['half a dimension', () => CodeStore.create({ dimension: 1.5, mean: zeros(1) }), /not 1.5/],
    ['too many', () => CodeStore.create({ dimension: MAX_DIMENSION + 1, mean: zeros(MAX_DIMENSION + 1) }), /65537/],
    ['a mean of other dimensions', () => CodeStore.create({ dimension: 16, mean: zeros(8) }), /8 dimensions/],
    ['a mean that is no number', () => CodeStore.create({ dimension: 1, mean: Float32Array.of(NaN) }), /finite/],
    ['a vector of other dimensions', () => store.set(7, zeros(8)), /8 dimensions/],
    ['a vector that is not finite', () => store.set(7, vector.with(3, Infinity)), /finite/],
    ['a vector that is far too long', () => store.set(7, vector.with(3, 100)), /unit length/],
    ['a query of other dimensions', () => store.estimates(zeros(17)), /17 dimensions/],
    ['a query that is no number', () => store.estimates(vector.with(0, NaN)), /finite/],
    ['a slot below 0', () => store.set(-1, vector), /-1 is not/],
    ['half a slot', () => store.set(0.5, vector), /0.5 is not/],
    ['a slot that it does not have', () => finished(store.compacting(Uint32Array.of(0, 3))), /Slot 3 is not among 3/],
    ['a mean of vectors of other dimensions', () => meanOf([vector, zeros(8)], 16), /8 dimensions/],
  ])('%s', (_, act, message) => {
    expect(act).toThrow(RangeError)
    expect(act).toThrow(message)
    expect(store.sections()).toEqual(before)
  })
})

test('more dimensions than full fineness allows: the sum of a code stays within 16 bits', () => {
  const dimension = 16_384
  const positive = new Float32Array(dimension).fill(1 / Math.sqrt(dimension))
  const vectors = [positive, positive.map((value) => -value), ...normalVectors(20, dimension, 13)]
  const store = storeOf(vectors, zeros(dimension))
  for (const query of vectors.slice(0, 4)) {
    const estimates = store.estimates(query)
    expect(estimates).toEqual(storeOf(vectors, zeros(dimension), 'plain').estimates(query))
    vectors.forEach((vector, slot) =>
      expect(Math.abs((estimates[slot] as number) - cosine(vector, query))).toBeLessThan(0.05),
    )
  }
})

test.each([64, 384, 768, 1_536])(
  'estimates at %i dimensions are as far off as their standard error says',
  (dimension) => {
    const vectors = normalVectors(600, dimension, 1)
    const store = CodeStore.create({ dimension, mean: meanOf(vectors, dimension) })
    vectors.forEach((vector, slot) => store.set(slot, vector))
    const deviations = normalVectors(20, dimension, 2).flatMap((query) => {
      const estimates = store.estimates(query)
      return vectors.map((vector, slot) => ((estimates[slot] as number) - cosine(vector, query)) / store.errorOf(slot))
    })
    const rms = Math.sqrt(deviations.reduce((sum, deviation) => sum + deviation ** 2, 0) / deviations.length)
    expect(rms).toBeGreaterThan(0.93)
    expect(rms).toBeLessThan(1.07)
    // As of a normal deviate: .0124 are farther off than two and a half.
    const far = deviations.filter((deviation) => Math.abs(deviation) > 2.5).length / deviations.length
    expect(far).toBeGreaterThan(0.008)
    expect(far).toBeLessThan(0.018)
  },
)
