import fc from 'fast-check'
import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createCursors } from '../../src/journal/cursor.js'

const KEY = new Uint8Array(32).fill(7)
const cursors = createCursors(KEY)
const places = fc.record({
  snapshot: fc.integer({ min: 1, max: 2 ** 32 - 1 }),
  offset: fc.integer({ min: 0, max: 65_535 }),
})

describe('cursors (REC-23)', () => {
  test('read back as the place that they were issued for', () => {
    fc.assert(
      fc.property(places, (place) => {
        expect(cursors.read(cursors.issue(place))).toEqual(place)
      }),
    )
  })

  test('of different places differ, of one place and key are the same', () => {
    fc.assert(
      fc.property(places, places, (a, b) => {
        const isSame = a.snapshot === b.snapshot && a.offset === b.offset
        expect(cursors.issue(a) === cursors.issue(b)).toBe(isSame)
      }),
    )
  })

  test('of another key are none', () => {
    fc.assert(
      fc.property(places, fc.uint8Array({ minLength: 32, maxLength: 32 }), (place, key) => {
        fc.pre(Buffer.compare(key, KEY) !== 0)
        expect(cursors.read(createCursors(key).issue(place))).toBeUndefined()
      }),
    )
  })

  test('with any character altered, left out, added or swapped are none', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \n'
    fc.assert(
      fc.property(
        places,
        fc.nat(51),
        fc.constantFrom(...alphabet),
        fc.constantFrom('alter', 'drop', 'add', 'swap'),
        (place, at, letter, how) => {
          const cursor = cursors.issue(place)
          const rest = cursor.slice(at + 1)
          const altered = {
            alter: cursor.slice(0, at) + letter + rest,
            drop: cursor.slice(0, at) + rest,
            add: cursor.slice(0, at) + letter + cursor.slice(at),
            swap: cursor.slice(0, at) + rest.slice(0, 1) + cursor.slice(at, at + 1) + rest.slice(1),
          }[how]
          fc.pre(altered !== cursor)
          expect(cursors.read(altered)).toBeUndefined()
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('another text is none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        expect(cursors.read(text)).toBeUndefined()
      }),
    )
  })

  test.each([
    ['nothing', ''],
    ['a place without its code', Buffer.from([1, 0, 0, 0, 1, 0, 0]).toString('base64url')],
    [
      'a place with zeros for its code',
      Buffer.concat([Buffer.from([1, 0, 0, 0, 1, 0, 0]), Buffer.alloc(32)]).toString('base64url'),
    ],
    [
      'the other alphabet of base64',
      cursors.issue({ snapshot: 1, offset: 10 }).replaceAll('-', '+').replaceAll('_', '/') + '=',
    ],
    ['two cursors', cursors.issue({ snapshot: 1, offset: 10 }).repeat(2)],
    ['a megabyte', 'A'.repeat(1_048_576)],
  ])('%s is none', (_name, cursor) => {
    expect(cursors.read(cursor)).toBeUndefined()
  })

  test('of another version, with a code that is right, is none', () => {
    const place = Buffer.from([2, 0, 0, 0, 1, 0, 10])
    const mac = createHmac('sha256', KEY).update(place).digest()
    expect(cursors.read(Buffer.concat([place, mac]).toString('base64url'))).toBeUndefined()
  })

  test('hold nothing but two numbers', () => {
    const cursor = cursors.issue({ snapshot: 3, offset: 20 })
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{52}$/)
    expect([...Buffer.from(cursor, 'base64url').subarray(0, 7)]).toEqual([1, 0, 0, 0, 3, 0, 20])
  })

  test.each([0, 16, 31, 33])('a key of %d bytes is refused', (length) => {
    expect(() => createCursors(randomBytes(length))).toThrow(RangeError)
  })
})
