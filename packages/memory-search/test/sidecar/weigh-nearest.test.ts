import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  APART_FROM_FIRST,
  APART_FROM_LAST,
  FIRST,
  MAX_WEIGHED,
  MIN_WEIGHED,
  MOST_TIED,
  WEIGHED_FOR_EACH,
  weighNearest,
} from '../../src/sidecar/weigh-nearest.js'
import { normals, seeded } from './vectors/vectors.js'

const SOUGHT = 20
const LEAST = Math.max(MIN_WEIGHED, Math.ceil(WEIGHED_FOR_EACH * SOUGHT))

interface Asked {
  readonly sought?: number
  /** The same of all slots, or by slot. */
  readonly error?: number | ((slot: number) => number)
  readonly mask?: Uint8Array
}

/** Asks with cosines by slot; rows are slots + 1. @returns the nearest, and the slots whose vectors were read */
function ask(
  cosines: readonly number[],
  estimates: readonly number[],
  { sought = SOUGHT, error = 0, mask }: Asked = {},
) {
  const read: number[] = []
  const nearest = weighNearest({
    estimates: Float32Array.from(estimates),
    size: estimates.length,
    mask,
    sought,
    errorOf: typeof error === 'number' ? () => error : error,
    rowOf: (slot) => slot + 1,
    cosineAt: (slot) => {
      read.push(slot)
      return cosines[slot] as number
    },
  })
  return { nearest, read }
}

const falling = (count: number, step = 0.001): number[] => Array.from({ length: count }, (_, at) => 0.9 - at * step)
const best = (cosines: readonly number[], count: number): number[] =>
  [...cosines.keys()].sort((a, b) => (cosines[b] as number) - (cosines[a] as number)).slice(0, count)

test('where estimates hit, no more than the least number of vectors are read, each once', () => {
  const cosines = falling(5_000)
  const { nearest, read } = ask(cosines, Array.from(Float32Array.from(cosines)))
  expect(read).toHaveLength(LEAST)
  expect(new Set(read).size).toBe(LEAST)
  expect(nearest?.slice(0, SOUGHT).map(({ row }) => row - 1)).toEqual(best(cosines, SOUGHT))
})

test('the farther off estimates are, the more vectors are read, and half of what is looked for is found', () => {
  const cosines = falling(20_000, 0.000_05)
  const counts = [0.001, 0.003, 0.01].map((error) => {
    const normal = normals(7)
    const { nearest, read } = ask(cosines, cosines.map((value) => value + error * normal()), { error }) // prettier-ignore
    const found = new Set(nearest?.map(({ row }) => row - 1))
    const counting = best(cosines, SOUGHT / 2)
    expect(counting.filter((slot) => found.has(slot)).length).toBeGreaterThanOrEqual(9)
    return read.length
  })
  expect(counts).toEqual([...counts].sort((a, b) => a - b))
  expect(counts[0]).toBeGreaterThan(LEAST)
  expect(new Set(counts).size).toBe(3)
})

test.each([
  { sought: SOUGHT, error: 0.004 },
  { sought: 40, error: 0.006 },
  { sought: 100, error: 0.012 },
])(
  'of $sought, the first not read lies far enough below the tenth and below the last that counts, and no one before it',
  ({ sought, error }) => {
    const normal = normals(11)
    const cosines = falling(20_000, 0.000_1)
    const estimates = Array.from(Float32Array.from(cosines, (value) => value + error * normal()))
    const { read } = ask(cosines, estimates, { sought, error })
    const order = best(estimates, read.length + 1)
    expect(read).toEqual(order.slice(0, -1))
    const isFarBelow = (count: number): boolean => {
      const found = order
        .slice(0, count)
        .map((slot) => cosines[slot] as number)
        .sort((a, b) => b - a)
      const estimate = estimates[order[count] as number] as number
      return (
        estimate + APART_FROM_FIRST * error < (found[FIRST - 1] as number) &&
        estimate + APART_FROM_LAST * error < (found[sought / 2 - 1] as number)
      )
    }
    const least = Math.max(MIN_WEIGHED, Math.ceil(WEIGHED_FOR_EACH * sought))
    expect(read.length).toBeGreaterThan(least)
    expect(read.length).toBeLessThan(MAX_WEIGHED)
    const counts = Array.from({ length: read.length - least + 1 }, (_, more) => least + more)
    expect(counts.filter(isFarBelow)).toEqual([read.length])
  },
)

test.each([
  { sought: 1, most: MAX_WEIGHED },
  { sought: SOUGHT, most: MAX_WEIGHED },
  { sought: MAX_WEIGHED / WEIGHED_FOR_EACH, most: MAX_WEIGHED },
  { sought: 500, most: WEIGHED_FOR_EACH * 500 },
])('of records that are all about as near, $most are read for $sought', ({ sought, most }) => {
  const [normal, uniform] = [normals(3), seeded(4)]
  const cosines = Array.from({ length: 6_000 }, () => 0.8 + 1e-4 * uniform())
  const { read } = ask(cosines, cosines.map((value) => value + 0.02 * normal()), { sought, error: 0.02 }) // prettier-ignore
  expect(read).toHaveLength(most)
})

test.each([
  { tied: MOST_TIED, isLeft: false },
  { tied: MOST_TIED + 1, isLeft: true },
])('$tied records of one estimate', ({ tied, isLeft }) => {
  const { nearest, read } = ask(Array(tied).fill(0.5), Array(tied).fill(0.5))
  if (isLeft) expect([nearest, read]).toEqual([undefined, []])
  else expect([nearest?.length, read.length]).toEqual([tied, tied])
})

test('of records that share an estimate all are read or none', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 400, size: 'max' }),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 0, max: 1e6 }),
      (steps, sought, seed) => {
        const uniform = seeded(seed)
        const estimates = steps.map((step) => step / 256)
        const cosines = estimates.map((value) => value + 0.01 * uniform())
        const { nearest, read } = ask(cosines, estimates, { sought })
        const least = Math.min(...read.map((slot) => estimates[slot] as number))
        const above = estimates.flatMap((value, slot) => (value >= least ? [slot] : []))
        expect([...read].sort((a, b) => a - b)).toEqual(above)
        expect(nearest?.map(({ value }) => value)).toEqual(read.map((slot) => cosines[slot]).sort((a, b) => (b as number) - (a as number))) // prettier-ignore
        expect(read.length).toBeGreaterThanOrEqual(Math.min(sought, estimates.length))
      },
    ),
  )
})

test.each([{ copies: LEAST }, { copies: MAX_WEIGHED }, { copies: 2_000 }])(
  '$copies copies of a sentence, whose estimate happens to be right, do not hide what is nearer',
  ({ copies }) => {
    const normal = normals(5)
    const cosines = [...Array<number>(copies).fill(0.72), 0.75, ...falling(1_000).map((value) => value - 0.25)]
    const estimates = cosines.map((value, slot) => (slot < copies ? value : value + 0.02 * normal()))
    estimates[copies] = 0.7
    const { nearest, read } = ask(cosines, estimates, { error: 0.02 })
    expect(nearest?.[0]).toEqual({ row: copies + 1, value: 0.75 })
    expect(read.length).toBeLessThan(copies + MAX_WEIGHED)
  },
)

test('the last place that counts is waited for, where the first ten stand apart', () => {
  const [normal, error] = [normals(11), 0.012]
  const cosines = Array.from({ length: 20_000 }, (_, at) => (at < FIRST ? 0.9 : 0.7 - at * 0.0001))
  const estimates = Array.from(Float32Array.from(cosines, (value) => value + error * normal()))
  const { read } = ask(cosines, estimates, { sought: 100, error })
  const next = best(estimates, read.length + 1).at(-1) as number
  const found = read.map((slot) => cosines[slot] as number).sort((a, b) => b - a)
  expect(read.length).toBeGreaterThan(WEIGHED_FOR_EACH * 100)
  expect((estimates[next] as number) + APART_FROM_LAST * error).toBeLessThan(found[49] as number)
})

test('half of what is looked for counts', () => {
  // From the eleventh on there is a cliff, below which nothing of twenty counts.
  const cosines = falling(2_000, 0.000_01).map((value, at) => (at < SOUGHT / 2 ? value : value - 0.4))
  const error = 0.1
  expect(ask(cosines, Array.from(Float32Array.from(cosines)), { error }).read).toHaveLength(LEAST)
})

test('copies are one, of the least number that is read', () => {
  const cosines = [...Array<number>(40).fill(0.9), ...falling(3_000, 0.000_1).map((value) => value - 0.4)]
  const { read } = ask(cosines, Array.from(Float32Array.from(cosines)), { error: 0.001 })
  expect(read).toHaveLength(40 + LEAST - 1)
})

test('the standard error is that of the record which comes next', () => {
  const cosines = falling(1_000, 0.000_1).map((value, at) => (at < FIRST ? value : value - 0.05))
  const estimates = Array.from(Float32Array.from(cosines))
  const readWith = (far: number) =>
    ask(cosines, estimates, { error: (slot) => (slot === far ? 0.1 : 0.001) }).read.length
  expect([LEAST - 1, LEAST, LEAST + 1].map(readWith)).toEqual([LEAST, LEAST + 1, LEAST])
})

test('records without a vector, and those that a mask leaves out, are not read', () => {
  const estimates = falling(300).map((value, slot) => (slot % 3 === 0 ? -Infinity : value))
  const mask = Uint8Array.from(estimates, (_, slot) => slot % 2)
  const { nearest, read } = ask(falling(300), estimates, { mask })
  expect(read.every((slot) => slot % 3 !== 0 && slot % 2 === 1)).toBe(true)
  expect(nearest?.[0]).toEqual({ row: 2, value: 0.899 })
  expect(ask(falling(2), [-Infinity, -Infinity]).nearest).toEqual([])
})
