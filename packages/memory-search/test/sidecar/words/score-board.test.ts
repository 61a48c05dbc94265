import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { ByteWriter } from '../../../src/sidecar/words/bytes.js'
import { PostingWriter, type PostingList } from '../../../src/sidecar/words/posting.js'
import { KEPT_LENGTHS } from '../../../src/sidecar/words/saturation.js'
import { createScoreBoard } from '../../../src/sidecar/words/create-score-board.js'
import type { ScoreBoard } from '../../../src/sidecar/words/score-board.js'
import { PIECE_BYTES, simdBoards } from '../../../src/sidecar/words/simd-board.js'
import type { Platform } from '../../../src/wasm/simd-module.js'

const wasm = (globalThis as Platform).WebAssembly as NonNullable<Platform['WebAssembly']>

afterEach(() => vi.unstubAllGlobals())

const whole = (bytes: Uint8Array): PostingList => ({ bytes, start: 0, end: bytes.length, count: 0 })

interface Asked {
  readonly lists: readonly PostingList[]
  readonly lengths: Uint16Array
  readonly average: number
}

const boards = (['simd', 'plain'] as const).map((kernel) => createScoreBoard(6 * PIECE_BYTES, kernel))

/** What both boards come to, which has to be the same to the bit; and neither may touch what is behind the slots. */
function sums({ lists, lengths, average }: Asked): Float64Array {
  const [simd, plain] = boards.map((board) => {
    board.scores.fill(0)
    board.begin(lengths, average)
    lists.forEach((list, at) => board.add(list, 1.1 + at))
    return board.scores.slice(0, lengths.length + 5)
  }) as [Float64Array, Float64Array]
  expect(Buffer.from(simd.buffer).equals(Buffer.from(plain.buffer))).toBe(true)
  expect([...simd.subarray(lengths.length)]).toEqual([0, 0, 0, 0, 0])
  return simd.subarray(0, lengths.length)
}

const lengthsOf = (slots: number, seed: number): Uint16Array =>
  Uint16Array.from({ length: slots }, (_, slot) => {
    const mixed = Math.imul(slot + seed, 0x9e3779b1) >>> 8
    return mixed % 11 === 0 ? mixed % 65_536 : mixed % (KEPT_LENGTHS + 9)
  })

const gap = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.nat(20) },
  { weight: 1, arbitrary: fc.nat(3_000) },
)
const quarters = fc.oneof(
  { weight: 6, arbitrary: fc.nat(13) },
  { weight: 1, arbitrary: fc.nat(30) },
  { weight: 1, arbitrary: fc.nat(4 * 65_535) },
)
/** One posting, or a run. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(gap, quarters).map(([passed, count]) => [[passed, count]]) },
  { weight: 1, arbitrary: gap.map((passed) => [4, 2, 1].map((count, at) => [at === 0 ? passed : 0, count])) },
)
const listOf = (steps: readonly (readonly number[][])[]): { readonly bytes: Uint8Array; readonly slots: number } => {
  const bytes = new ByteWriter()
  const writer = new PostingWriter(bytes)
  let slot = -1
  for (const [passed, count] of steps.flat() as [number, number][]) writer.put((slot += passed + 1), count)
  writer.end()
  return { bytes: bytes.taken(), slots: slot + 1 }
}

test('lists of all sizes come to the same with SIMD and without, wherever they begin', () =>
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 200 }).map(listOf),
      fc.nat(20),
      fc.nat(3),
      fc.integer({ min: 1, max: 300 }),
      ({ bytes, slots }, start, more, average) => {
        const around = new Uint8Array(start + bytes.length + 80).fill(0xff)
        around.set(bytes, start)
        const list = { bytes: around, start, end: start + bytes.length, count: 0 }
        sums({ lists: [list, whole(bytes)], lengths: lengthsOf(slots + more, start), average })
      },
    ),
    { numRuns: 400 },
  ))

test('fewer slots than a list has end it, with SIMD and without', () =>
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }).map(listOf), fc.nat(100), ({ bytes, slots }, fewer) => {
      sums({ lists: [whole(bytes)], lengths: lengthsOf(Math.max(0, slots - fewer), 1), average: 58 })
    }),
  ))

test('any bytes whatever come to the same with SIMD and without', () => {
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(0x0e, 0x0f, 0x1f, 0x80, 0xff))
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 200 }), fc.integer({ min: 0, max: 3_000 }), (bytes, slots) => {
      const scores = sums({ lists: [whole(Uint8Array.from(bytes))], lengths: lengthsOf(slots, 7), average: 58 })
      expect(scores.every(Number.isFinite)).toBe(true)
    }),
    { numRuns: 1_000 },
  )
})

/** A byte each for as many slots as are asked for, the last ones as given. */
const dense = (bytes: number, last: readonly number[] = []): Uint8Array =>
  Uint8Array.from([...Array.from({ length: bytes - last.length }, (_, at) => at % 14), ...last])

test.each([
  { name: 'ends within the first 16 bytes', bytes: 15, postings: 15 },
  { name: 'ends with 16 bytes', bytes: 16, postings: 16 },
  { name: 'ends with 63 bytes', bytes: 63, postings: 63 },
  { name: 'ends with 64 bytes', bytes: 64, postings: 64 },
  { name: 'ends with 65 bytes', bytes: 65, postings: 65 },
  { name: 'is a piece', bytes: PIECE_BYTES, postings: PIECE_BYTES },
  { name: 'is a piece and a byte', bytes: PIECE_BYTES + 1, postings: PIECE_BYTES + 1 },
  { name: 'is many pieces', bytes: 5 * PIECE_BYTES + 77, postings: 5 * PIECE_BYTES + 77 },
  { name: 'has quarters across 64 bytes', bytes: 67, last: [0x0f, 0x85, 0x80, 0x01], postings: 64 },
  { name: 'is cut off within a code', bytes: 70, last: [0x80], postings: 69 },
  { name: 'is cut off within the quarters', bytes: 70, last: [0x0f, 0x81], postings: 68 },
  { name: 'is cut off before the quarters', bytes: 70, last: [0x0f], postings: 69 },
  { name: 'has a code of six bytes', bytes: 80, last: [0x81, 0x80, 0x80, 0x80, 0x80, 0, 1], postings: 73 },
  { name: 'has quarters of six bytes', bytes: 80, last: [0x0f, 0x81, 0x80, 0x80, 0x80, 0x80, 0, 1], postings: 72 },
])('a list that $name counts as far as it makes sense', ({ bytes, last, postings }) => {
  const scores = sums({ lists: [whole(dense(bytes, last))], lengths: lengthsOf(bytes + 10, 3), average: 58 })
  const weighed = [...scores.keys()].filter((slot) => (scores[slot] as number) > 0)
  expect(Math.max(...weighed)).toBe(postings - 1 - ((postings - 1) % 14 === 0 ? 1 : 0))
})

test('codes of every length lie across the end of a piece', () => {
  const long = [0x0f, 0x85, 0x80, 0x01]
  for (const code of [[0x93, 0x01], [0x81, 0x80, 0x00], [0x82, 0x80, 0x80, 0x00], long]) {
    for (let before = PIECE_BYTES - 16; before <= PIECE_BYTES + 2; before++) {
      const bytes = Uint8Array.from([...dense(before), ...code, ...dense(200)])
      const scores = sums({ lists: [whole(bytes)], lengths: lengthsOf(before + 300, 5), average: 58 })
      expect(scores[before + (code[0] === 0x93 ? 9 : 0)]).toBeGreaterThan(0)
    }
  }
})

test('a piece without the end of a code ends the list', () => {
  const bytes = Uint8Array.from([...dense(3, [1, 2, 3]), ...new Uint8Array(2 * PIECE_BYTES).fill(0x80), 1])
  const scores = sums({ lists: [whole(bytes)], lengths: lengthsOf(40, 5), average: 58 })
  expect([...scores.keys()].filter((slot) => scores[slot] !== 0)).toEqual([0, 1, 2])
})

/** What both boards answer of the marks of a list, and leave of them. */
function marked(bytes: Uint8Array, slots: number, value: number): unknown {
  const [simd, plain] = boards.map((board) => {
    const marks = Uint8Array.from({ length: slots }, (_, slot) => (slot * 7) % 6)
    let count: unknown
    try {
      count = board.mark(whole(bytes), marks, value)
    } catch (error) {
      count = error
    }
    return { count, marks: Buffer.from(marks) }
  }) as [{ count: unknown; marks: Buffer }, { count: unknown; marks: Buffer }]
  expect(simd.count).toEqual(plain.count)
  expect(simd.marks.equals(plain.marks)).toBe(true)
  return simd.count
}

/** Longer than a piece when there are many: nobody copies marks for a short list. */
const manySteps = fc
  .tuple(fc.array(step, { minLength: 1, maxLength: 60 }), fc.constantFrom(1, 40, 400))
  .map(([steps, times]) => listOf(Array.from({ length: times }, () => steps).flat()))
  .filter(({ slots }) => slots < 6 * PIECE_BYTES)

test('marks of lists of all sizes are the same with SIMD and without', () =>
  fc.assert(
    fc.property(
      manySteps,
      fc.integer({ min: -30, max: 3 }),
      fc.constantFrom(0, 1, 8, 255),
      ({ bytes, slots }, more, value) => {
        expect(typeof marked(bytes, Math.max(0, slots + more), value)).toBe('number')
      },
    ),
  ))

test('marks of any bytes whatever are the same with SIMD and without, or are refused by both', () => {
  const byte = fc.oneof(
    { weight: 9, arbitrary: fc.nat(127) },
    { weight: 1, arbitrary: fc.constantFrom(0x0f, 0x80, 0xff) },
  )
  let refused = 0
  fc.assert(
    fc.property(fc.array(byte, { minLength: 1_024, maxLength: 1_400 }), fc.nat(9_000), (bytes, slots) => {
      const answer = marked(Uint8Array.from(bytes), slots, 4)
      if (answer instanceof RangeError) refused++
      else expect(typeof answer).toBe('number')
    }),
  )
  expect(refused).toBeGreaterThan(0)
})

test.each([
  { name: 'whole', last: [1], count: 2_000 },
  { name: 'with quarters at its end', last: [0x0f, 0x85, 0x01], count: 1_998 },
  { name: 'cut off within a code', last: [0x80], count: undefined },
  { name: 'cut off before the quarters', last: [0x0f], count: undefined },
  { name: 'cut off within the quarters', last: [0x0f, 0x81], count: undefined },
])('a list $name counts live slots: $count', ({ last, count }) => {
  const bytes = dense(2_000, last)
  for (const board of boards) {
    const live = new Uint8Array(2_010).fill(1)
    const ask = (): number => board.mark(whole(bytes), live, 0)
    if (count === undefined) expect(ask).toThrow(RangeError)
    else expect(ask()).toBe(count)
    expect(live.every((mark) => mark === 1)).toBe(true)
  }
})

test.each(['simd', 'plain'] as const)('%s: each query begins with 0, and with its own average', (kernel) => {
  const list = whole(Uint8Array.of(4, 4, 4))
  const once = (average: number, board = createScoreBoard(3, kernel)): number[] => {
    board.begin(Uint16Array.of(5, 6, 7), average)
    board.add(list, 2)
    return [...board.scores]
  }
  const board = createScoreBoard(3, kernel)
  for (const average of [6, 6, 4, 6]) expect(once(average, board)).toEqual(once(average))
  expect(once(6)).not.toEqual(once(4))
})

test('what is marked between two words of a query does not change its scores', () => {
  const bytes = dense(2_000)
  const lengths = lengthsOf(2_010, 3)
  const expected = sums({ lists: [whole(bytes), whole(bytes)], lengths, average: 58 })
  for (const board of boards) {
    board.begin(lengths, 58)
    board.add(whole(bytes), 1.1)
    board.mark(whole(bytes), new Uint8Array(2_005).fill(1), 255)
    board.add(whole(bytes), 2.1)
    expect(board.scores.slice(0, lengths.length)).toEqual(expected)
  }
})

test('lengths of more slots than there is room for are refused', () => {
  for (const kernel of ['simd', 'plain'] as const) {
    expect(() => createScoreBoard(2, kernel).begin(Uint16Array.of(1, 2, 3), 1)).toThrow(RangeError)
  }
})

test.each([
  ['no WebAssembly', {}],
  ['no SIMD', { WebAssembly: { ...wasm, validate: () => false } }],
])('%s: no kernel', (_, platform) => {
  expect(simdBoards(platform)).toBeUndefined()
})

test('where there is no SIMD, or no memory for it, the twin sums up, unless SIMD was asked for', () => {
  const sum = (board: ScoreBoard): number => {
    board.begin(Uint16Array.of(5), 6)
    board.add(whole(Uint8Array.of(4)), 2)
    return board.scores[0] as number
  }
  const expected = sum(createScoreBoard(1, 'simd'))
  const refusing = function () {
    throw new RangeError('WebAssembly.Memory(): could not allocate memory')
  }
  vi.stubGlobal('WebAssembly', {
    validate: wasm.validate,
    Module: wasm.Module,
    Instance: wasm.Instance,
    Memory: refusing,
  })
  expect(sum(createScoreBoard(1))).toBe(expected)
  expect(() => createScoreBoard(1, 'simd')).toThrow('could not allocate')
  vi.stubGlobal('WebAssembly', { ...wasm, validate: () => false })
  expect(sum(createScoreBoard(1))).toBe(expected)
  expect(() => createScoreBoard(1, 'simd')).toThrow('no WebAssembly with SIMD')
})
