import type { IndexedMemory } from '@mono-agent/memory-search'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { orderByRecency, recencyOf } from '../../src/recall/recency.js'
import { factOf, hitOf, rowOf, STRONG, text } from './support/rows.js'

const AT = Date.parse('2026-05-31T00:00:00Z')
const daysAgo = (days: number) => new Date(AT - days * 86_400_000).toISOString()
const ids = (hits: readonly { memory: IndexedMemory }[]) => hits.map(({ memory }) => memory.id)

describe('what recency gives (REC-21)', () => {
  const fact = factOf('home_location', text('Lund'))
  const lesson = { kind: 'lesson', scope: 'agent', verified: true } as const
  const preference = { kind: 'preference', scope: 'agent', attribution: 'user-stated' } as const
  test.each<[string, Partial<IndexedMemory>, number]>([
    ['now', { createdAt: daysAgo(0) }, 0.02],
    ['after a half-life', { createdAt: daysAgo(30) }, 0.01],
    ['after two', { createdAt: daysAgo(60) }, 0.005],
    ['a millisecond to come', { createdAt: new Date(AT + 1).toISOString() }, 0],
    ['when it happened counts', { createdAt: daysAgo(0), occurredAt: daysAgo(30) }, 0.01],
    ['it is to happen', { createdAt: daysAgo(1), occurredAt: daysAgo(-1) }, 0],
    ['no instant', { createdAt: 'yesterday' }, 0],
    ['an instant that is none, in spite of the other', { createdAt: daysAgo(0), occurredAt: '2026-02-30' }, 0],
    ['a note with a lesson', { createdAt: daysAgo(0), labels: [lesson] }, 0],
    ['a note with a fact', { createdAt: daysAgo(0), labels: [fact] }, 0],
    ['a note with no label in its list', { createdAt: daysAgo(0), labels: [] }, 0.02],
    ['an event', { type: 'event', createdAt: daysAgo(0) }, 0.02],
    ['an event with a lesson', { type: 'event', createdAt: daysAgo(0), labels: [lesson] }, 0.02],
    ['an event with a fact', { type: 'event', createdAt: daysAgo(0), labels: [fact] }, 0],
    ['an event with a preference', { type: 'event', createdAt: daysAgo(0), labels: [lesson, preference] }, 0],
    ['a task', { type: 'task', createdAt: daysAgo(0) }, 0],
  ])('%s', (_name, fields, expected) => {
    expect(recencyOf(rowOf(fields), { at: AT })).toBeCloseTo(expected, 12)
  })
})

describe('order by recency', () => {
  const hit = (id: string, score: number, days: number, judged = {}) =>
    hitOf(score, { id, createdAt: daysAgo(days) }, judged)
  test.each([
    ['a newer one overtakes', [hit('old', 0.7, 300), hit('new', 0.69, 0)], ['new', 'old']],
    ['not one that is more than 0.02 better', [hit('old', 0.72, 3000), hit('new', 0.6999, 0)], ['old', 'new']],
    ['equal scores of equal age stay', [hit('a', 0.7, 1), hit('b', 0.7, 1)], ['a', 'b']],
    ['below the floor stays', [hit('old', 0.66, 300), hit('low', 0.6499, 0)], ['old', 'low']],
    ['at the floor moves', [hit('old', 0.66, 3000), hit('new', 0.65, 0)], ['new', 'old']],
    ['best below the floor: all stay', [hit('old', 0.64, 300), hit('new', 0.639, 0)], ['old', 'new']],
    ['beyond the tail stays', [hit('best', 0.9, 300), hit('c', 0.7499, 300), hit('d', 0.749, 0)], ['best', 'c', 'd']],
    ['within the tail moves', [hit('best', 0.9, 300), hit('c', 0.755, 3000), hit('d', 0.75, 0)], ['best', 'd', 'c']],
    [
      'what waits for its vector keeps its place',
      [hit('old', 0.7, 300), hit('waits', 0.7, 0, { waits: true }), hit('new', 0.69, 0)],
      ['new', 'waits', 'old'],
    ],
  ])('%s', (_name, hits, expected) => {
    expect(ids(orderByRecency(hits, STRONG, { at: AT }))).toEqual(expected)
  })

  test('the same hits with the same scores, the fixed ones in their places', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            score: fc.double({ min: 0, max: 1, noNaN: true }),
            days: fc.integer({ min: -5, max: 400 }),
            waits: fc.boolean(),
          }),
        ),
        (given) => {
          const hits = given
            .map(({ score, days, waits }, at) => hit(`m${at}`, score, days, { waits }))
            .sort((a, b) => b.score - a.score)
          const ordered = orderByRecency(hits, STRONG, { at: AT })
          expect(new Set(ordered)).toEqual(new Set(hits))
          hits.forEach((one, at) => {
            if (one.score < 0.65 || one.parts.semantic === undefined) expect(ordered[at]).toBe(one)
          })
          // Nobody is overtaken by a hit that is more than 0.02 worse.
          const judged = ordered.filter(({ parts }) => parts.semantic !== undefined)
          judged.forEach((one, at) => {
            for (const after of judged.slice(at + 1)) expect(after.score - one.score).toBeLessThanOrEqual(0.02)
          })
        },
      ),
    ))
})
