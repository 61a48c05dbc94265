import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ByteReader, ByteWriter } from '../../../src/sidecar/words/bytes.js'
import { PostingPool } from '../../../src/sidecar/words/posting-pool.js'
import { MAX_SLOTS, PostingCursor, PostingWriter, writePosting } from '../../../src/sidecar/words/posting.js'
import { createScoreBoard } from '../../../src/sidecar/words/create-score-board.js'

interface Posting {
  readonly slot: number
  readonly quarters: number
}

const listOf = ({ bytes, length }: ByteWriter, count: number) => ({ bytes, start: 0, end: length, count })

function written(postings: readonly Posting[], how: 'one by one' | 'as a list'): ByteWriter {
  const bytes = new ByteWriter()
  const list = new PostingWriter(bytes)
  let before = -1
  for (const { slot, quarters } of postings) {
    if (how === 'as a list') list.put(slot, quarters)
    else writePosting(bytes, before, slot, quarters)
    before = slot
  }
  list.end()
  return bytes
}

function read(bytes: ByteWriter): Posting[] {
  const cursor = new PostingCursor(listOf(bytes, 0))
  const found: Posting[] = []
  while (cursor.next()) found.push({ slot: cursor.slot, quarters: cursor.quarters })
  return found
}

test.each([
  { slot: 0, bytes: 1 },
  { slot: 7, bytes: 1 },
  { slot: 8, bytes: 2 },
  { slot: 2 ** 10 - 1, bytes: 2 },
  { slot: 2 ** 10, bytes: 3 },
  { slot: 2 ** 17 - 1, bytes: 3 },
  { slot: 2 ** 17, bytes: 4 },
  { slot: 2 ** 24 - 1, bytes: 4 },
  { slot: 2 ** 24, bytes: 5 },
  { slot: MAX_SLOTS - 1, bytes: 5 },
])('a gap of $slot takes $bytes bytes', ({ slot, bytes }) => {
  for (const quarters of [0, 6]) {
    const list = written([{ slot, quarters }], 'as a list')
    expect(list.length).toBe(bytes)
    expect(read(list)).toEqual([{ slot, quarters }])
  }
})

const gap = fc.oneof(fc.constant(0), fc.nat(40), fc.nat(3_000), fc.nat(2 ** 20))
const quarters = fc.oneof(fc.constantFrom(4, 2, 1, 4, 2, 1, 0), fc.nat(20), fc.nat(4 * 65_535))
const postings = fc.array(fc.record({ gap, quarters }), { maxLength: 30 }).map((all) => {
  let slot = -1
  return all.map((one): Posting => ({ slot: (slot += one.gap + 1), quarters: one.quarters }))
})

test('postings that were written are read back, one by one and as a list', () => {
  fc.assert(
    fc.property(postings, fc.constantFrom('one by one' as const, 'as a list' as const), (list, how) => {
      expect(read(written(list, how))).toEqual(list)
    }),
    { numRuns: 500 },
  )
})

test.each(['simd', 'plain'] as const)('the %s loop that weighs reads the same postings as the walk', (kernel) => {
  const small = postings.filter((list) => (list.at(-1)?.slot ?? 0) < 5_000)
  fc.assert(
    fc.property(small, fc.integer({ min: 1, max: 900 }), (list, average) => {
      const slots = (list.at(-1)?.slot ?? 0) + 1
      const lengths = Uint16Array.from({ length: slots }, (_, slot) => (slot * 7_919) % 1_500)
      const board = createScoreBoard(slots, kernel)
      board.begin(lengths, average)
      board.add(listOf(written(list, 'as a list'), list.length), 1.7)
      const expected = new Float64Array(slots)
      // As `fts5_aux.c` has it.
      for (const { slot, quarters } of list) {
        const [f, D] = [quarters / 4, lengths[slot] as number]
        expected[slot] = 1.7 * ((f * (1.2 + 1.0)) / (f + 1.2 * (1 - 0.75 + (0.75 * D) / average)))
      }
      expect(board.scores).toEqual(expected)
    }),
  )
})

test.each([0, 127, 128, 2 ** 31, 2 ** 35 - 1])('the number %d is read back; cut off it is refused', (value) => {
  const writer = new ByteWriter()
  writer.varint(value)
  const bytes = writer.taken()
  expect(new ByteReader(bytes, 0).varint()).toBe(value)
  expect(() => new ByteReader(bytes, 0, bytes.length - 1).varint()).toThrow(RangeError)
})

test('lists that grow at once each give back their own bytes', () => {
  const pieces = fc.array(fc.tuple(fc.nat(5), fc.uint8Array({ maxLength: 700 })), { maxLength: 60 })
  fc.assert(
    fc.property(pieces, (all) => {
      const pool = new PostingPool()
      const expected = new Map<number, number[]>()
      for (const [list, bytes] of all) {
        pool.append(list, bytes, bytes.length)
        expected.set(list, [...(expected.get(list) ?? []), ...bytes])
      }
      for (let list = 0; list <= 6; list++) expect([...pool.read(list)]).toEqual(expected.get(list) ?? [])
    }),
  )
})

test('a list longer than many blocks is given back, and takes little more than its bytes', () => {
  const pool = new PostingPool()
  const piece = Uint8Array.from({ length: 1_001 }, (_, at) => at % 251)
  for (let time = 0; time < 500; time++) for (const list of [0, 3]) pool.append(list, piece, piece.length)
  const whole = Buffer.concat(Array<Uint8Array>(500).fill(piece))
  for (const list of [0, 3]) expect(Buffer.compare(pool.read(list), whole)).toBe(0)
  expect(pool.bytes).toBeLessThan(1.1 * 2 * whole.length)
})
