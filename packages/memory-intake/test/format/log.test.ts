import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toWellFormed } from '@mono-agent/memory-store'
import { canonicalTurn, payloadHash, turnId } from '../../src/format/canonical-turn.js'
import { formatFrame, formatSegmentHeader, parseSegment } from '../../src/format/log-frame.js'
import { formatBody, formatLogItem, parseBody, type LogItem } from '../../src/format/log-item.js'

const STORE = 'ab'.repeat(32)
const OTHER = 'cd'.repeat(32)
const SEGMENT = { store: STORE, number: 12 }
const TURN = canonicalTurn({ runId: 'r1', conversationId: 'web:1', summary: 'Two\nlines, é' })
const id = turnId('r1')
const at = '2026-05-01T09:00:00.000Z'
const ITEMS: readonly LogItem[] = [
  { kind: 'admit', id, order: 1, admittedAt: at, payloadHash: payloadHash(TURN), turn: TURN },
  { kind: 'attempt', id, revision: 2, at, attempts: 1, failure: 'provider', nextAttemptAt: '2026-05-01T09:01:00.000Z' },
  { kind: 'dead', id, revision: 3, at, attempts: 16, failure: 'processing' },
  { kind: 'retry', id, revision: 4, at },
  { kind: 'settled', id, revision: 5, at, outcome: 'indexed', memoryIds: ['r-1'] },
  { kind: 'settled', id, revision: 5, at, outcome: 'operator_resolved', memoryIds: [], reason: 'gave-up' },
]
const bodies = ITEMS.map((item) => formatBody([formatLogItem(item)]))
const frames = bodies.map((body) => Buffer.from(formatFrame(SEGMENT, body)))
const header = Buffer.from(formatSegmentHeader(SEGMENT))
const whole = Buffer.concat([header, ...frames])

test('a segment is written as ever, and read as ever', () => {
  const golden = readFileSync(new URL('../golden/log-segment.txt', import.meta.url))
  expect(whole.toString('utf8')).toBe(golden.toString('utf8'))
  const parsed = parseSegment(12, golden)
  expect(parsed).toEqual({ store: STORE, bodies, isDamaged: false })
  expect(parsed.bodies.flatMap((body) => parseBody(body))).toEqual(ITEMS)
})

test.each([
  ['no JSON', '[{'],
  ['no array', '{}'],
  ['an empty group', '[]'],
  ['an unknown kind', '[{"kind":"forgotten"}]'],
  ['an unknown key', bodies[3]?.replace('"kind"', '"more":1,"kind"') ?? ''],
])('%s is no body', (_, body) => expect(parseBody(body)).toBeUndefined())

describe('what a crash or damage leaves', () => {
  test('cut anywhere: the whole frames before the cut', () => {
    const ends = [header.length]
    for (const frame of frames) ends.push((ends.at(-1) ?? 0) + frame.length)
    for (let length = 0; length <= whole.length; length++) {
      const { store, bodies: found, isDamaged } = parseSegment(12, whole.subarray(0, length))
      expect(store).toBe(length >= header.length ? STORE : undefined)
      expect(found.length).toBe(Math.max(ends.filter((end) => end <= length).length - 1, 0))
      expect(isDamaged).toBe(false)
    }
  })

  test('one bit of a frame that others follow: damage; of the last: never acknowledged', () => {
    const last = whole.length - (frames.at(-1)?.length ?? 0)
    for (let at = header.length; at < whole.length; at += 5) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 4
      expect(parseSegment(12, changed).isDamaged, `byte ${at}`).toBe(at < last)
    }
  })

  test('zeroes over a frame that others follow: damage', () => {
    const zeroed = Buffer.from(whole).fill(0, header.length, header.length + 100)
    expect(parseSegment(12, zeroed).isDamaged).toBe(true)
  })

  test.each([
    { name: 'another number', number: 13, bytes: whole, known: STORE, store: undefined, isDamaged: false },
    {
      name: 'a header that is gone',
      number: 12,
      bytes: whole.subarray(header.length),
      known: STORE,
      store: undefined,
      isDamaged: true,
    },
    {
      name: 'a damaged header',
      number: 12,
      bytes: Buffer.concat([Buffer.from('x'), whole]),
      known: STORE,
      store: undefined,
      isDamaged: true,
    },
    { name: 'nothing', number: 12, bytes: Buffer.alloc(0), known: STORE, store: undefined, isDamaged: false },
    {
      name: 'a frame of another store',
      number: 12,
      bytes: Buffer.concat([header, Buffer.from(formatFrame({ store: OTHER, number: 12 }, '[1]'))]),
      known: STORE,
      store: STORE,
      isDamaged: false,
    },
  ])('$name', ({ number, bytes, known, store, isDamaged }) => {
    const parsed = parseSegment(number, bytes, known)
    expect(parsed.store).toBe(store)
    expect(parsed.isDamaged).toBe(isDamaged)
  })

  test('text that looks like a frame cannot pass for one: a body holds no line feed', () => {
    const forged = Buffer.from(formatFrame(SEGMENT, '["forged"]')).toString('utf8')
    const turn = canonicalTurn({ runId: 'r2', conversationId: '', summary: `\n${forged}\n` })
    const body = formatBody([turn])
    const torn = Buffer.concat([header, Buffer.from(formatFrame(SEGMENT, body)).subarray(0, -20)])
    expect(parseSegment(12, torn, STORE)).toEqual({ store: STORE, bodies: [], isDamaged: false })
  })

  test('any bodies come back as they were', () => {
    fc.assert(
      fc.property(fc.array(fc.json().filter((json) => !json.includes('\n'))), (bodies) => {
        const bytes = Buffer.concat([header, ...bodies.map((body) => formatFrame(SEGMENT, toWellFormed(body)))])
        expect(parseSegment(12, bytes).bodies).toEqual(bodies.map((body) => toWellFormed(body)))
      }),
    )
  })
})
