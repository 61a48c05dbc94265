import { expect, test } from 'vitest'
import { isExpiredIntent } from '../../src/recall/intent-expiry.js'
import { intentReview } from '../../src/recall/intent-review.js'
import { MAY, memory, vantage } from './support/block-rows.js'

const dueOn = (dueAt: string) => ({ dueAt })

test.each([
  {
    name: 'a note with a past due',
    given: dueOn('2026-05-10'),
    marks: { why: 'dated', currentness: 'ended', endedOn: '2026-05-10' },
  },
  {
    name: 'a note with a due to come',
    given: dueOn('2026-06-10'),
    marks: { why: 'dated', currentness: 'current' },
  },
  { name: 'a note that is due today', given: dueOn('2026-05-20'), marks: { why: 'dated', currentness: 'current' } },
  { name: 'a done note', given: { status: 'done' }, marks: { why: 'done', currentness: 'current' } },
  {
    name: 'a done note with a due',
    given: { status: 'done', ...dueOn('2026-06-10') },
    marks: { why: 'dated', currentness: 'current' },
  },
  {
    name: 'one that was superseded',
    given: { supersededBy: 'x', ...dueOn('2026-06-10') },
    marks: { why: 'dated', currentness: 'superseded' },
  },
] as const)('$name is reviewed', ({ given, marks }) => {
  const [reviewed, ...others] = intentReview([memory({ text: 'Call Ana.', ...given })], MAY)
  expect(others).toEqual([])
  expect(reviewed).toMatchObject({ text: 'Call Ana.', ...marks })
})

test.each([
  { name: 'an open note without a due', given: {} },
  { name: 'an event with a due', given: { type: 'event', ...dueOn('2026-05-10') } },
  { name: 'a task with a due', given: { type: 'task', ...dueOn('2026-05-10') } },
  { name: 'a done task', given: { type: 'task', status: 'done' } },
  { name: 'a dropped note, which no read returns', given: { status: 'dropped' } },
  { name: 'an invalidated note with a due', given: { status: 'invalidated', ...dueOn('2026-05-10') } },
] as const)('$name is not', ({ given }) => {
  expect(intentReview([memory({ text: 'Call Ana.', ...given })], MAY)).toEqual([])
})

test('the earliest due comes first, then what was done, the oldest first', () => {
  const memories = [
    memory({ text: 'c', status: 'done' }),
    memory({ text: 'b', ...dueOn('2026-06-01') }),
    memory({ text: 'd', status: 'done', createdAt: '2026-04-01T09:00:00.000Z' }),
    memory({ text: 'a', ...dueOn('2026-05-31T23:00:00Z') }),
  ]
  expect(intentReview(memories, MAY).map(({ id }) => id)).toEqual(['a', 'b', 'd', 'c'])
})

test('whether the switch is on changes nothing in the list, and all of it is what the switch leaves out', () => {
  const memories = [memory({ text: 'a', ...dueOn('2026-05-10') }), memory({ text: 'b', status: 'done' })]
  const on = vantage('2026-05-20T12:00:00.000Z', 'UTC', true)
  expect(intentReview(memories, on)).toEqual(intentReview(memories, MAY))
  expect(intentReview(memories, MAY).every((one) => isExpiredIntent(one, on))).toBe(true)
})
