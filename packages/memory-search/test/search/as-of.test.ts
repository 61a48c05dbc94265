import { layout, type Bullet, type ReplayEntry } from '@mono-agent/memory-store'
import { describe, expect, test } from 'vitest'
import { openIndexReader, type RankRequest, type SearchIndex } from '../../src/index.js'
import { BUJO, deltaBytes, put, supersede, terminal } from '../support/authority.js'
import { bullet } from '../support/roots.js'
import { DAY, newRoot } from '../support/scenario.js'
import { build, DIMENSION, hashProvider, STRONG, unit } from '../support/vectors.js'
import { vectorsOf, type Model } from './as-of-history.js'

const axis = (place: number): Float32Array => unit(Array.from({ length: DIMENSION }, (_, at) => (at === place ? 1 : 0)))
/** Near the query is what tells of tea. */
const MODEL: Model = { calibration: STRONG, vectorOf: (text) => axis(/tea/i.test(text) ? 0 : 1) }

const at = (hour: number): string => new Date(Date.UTC(2026, 4, 1, hour)).toISOString()
const instant = (hour: number): number => Date.parse(at(hour))

/** Recorded at one o'clock if nothing else is said. */
const record = (id: string, sentence: string, more: Partial<Bullet> = {}): Bullet =>
  bullet({ id, sentence, createdAt: at(1), ...more })

const BULLETS = [
  record('note', 'Tea is served at noon.'),
  record('note-2', 'Tea is served at one.', { createdAt: at(3) }),
  record('task', 'Buy tea.', { type: 'task', status: 'invalidated', conversationId: 'c-1' }),
  record('task-2', 'Buy green tea.', { type: 'task', createdAt: at(4) }),
  record('forgotten', 'Tea makes Ana nervous.', { status: 'dropped', speaker: 'Ana' }),
  record('by-hand', 'Tea is for losers.', { status: 'dropped' }),
  record('late', 'Tea was dear.', { createdAt: at(9), occurredAt: at(0) }),
  record('old-task', 'Warm the tea.', { type: 'task', status: 'dropped' }),
  record('old-task-2', 'Warm the tea pot.', { type: 'task', createdAt: at(2) }),
]
const REPLAY: readonly ReplayEntry[] = [
  supersede('note', 'note-2', at(3)),
  supersede('task', 'task-2', at(4)),
  { ...terminal('forgotten'), at: at(5) },
  supersede('old-task', 'old-task-2', at(2)),
  { ...terminal('old-task'), at: at(6) },
]

async function withIndex(use: (index: SearchIndex) => void, bullets = BULLETS): Promise<void> {
  const root = await newRoot()
  root.write(DAY, bullets)
  put(root, layout.replayDelta, deltaBytes(REPLAY))
  const { calibration, vectorOf } = MODEL
  await build(root, { identity: BUJO, calibration, embed: hashProvider(vectorOf) })
  const index = await root.open(BUJO)
  try {
    use(index)
    const reader = openIndexReader({ root: root.path, fs: root.fs, identity: BUJO, now: Date.now })
    try {
      expect(reader.endedSince(instant(1), 9)).toEqual(index.endedSince(instant(1), 9))
    } finally {
      reader.close()
    }
  } finally {
    index.close()
  }
}

const found = (index: SearchIndex, asOf: number, more: Partial<RankRequest> = {}) =>
  index.rank({ query: 'tea', limit: 50, asOf, ...more }).ranked.map(({ memory }) => memory)

describe('what is found as of an instant (REC-9)', () => {
  test.each([
    { name: 'before anything was recorded', asOf: instant(1) - 1, ids: [] },
    { name: 'at the first recording', asOf: instant(1), ids: ['forgotten', 'note', 'old-task', 'task'] },
    { name: 'once a task was superseded', asOf: instant(2), ids: ['forgotten', 'note', 'old-task-2', 'task'] },
    { name: 'right before a note was', asOf: instant(3) - 1, ids: ['forgotten', 'note', 'old-task-2', 'task'] },
    { name: 'when a note was: it stays', asOf: instant(3), ids: ['forgotten', 'note', 'note-2', 'old-task-2', 'task'] },
    { name: 'when the other task was', asOf: instant(4), ids: ['forgotten', 'note', 'note-2', 'old-task-2', 'task-2'] },
    { name: 'right before one was forgotten', asOf: instant(5) - 1, ids: ['forgotten', 'note', 'note-2', 'old-task-2', 'task-2'] }, // prettier-ignore
    { name: 'when it was forgotten', asOf: instant(5), ids: ['note', 'note-2', 'old-task-2', 'task-2'] },
    { name: 'what was told late counts from its recording', asOf: instant(9), ids: ['late', 'note', 'note-2', 'old-task-2', 'task-2'] }, // prettier-ignore
    { name: 'in the future', asOf: Date.UTC(12_026, 0), ids: ['late', 'note', 'note-2', 'old-task-2', 'task-2'] },
    { name: 'before any time', asOf: -Infinity, ids: [] },
  ])('$name', async ({ asOf, ids }) =>
    withIndex((index) => {
      expect(found(index, asOf).map(({ id }) => id).toSorted()).toEqual(ids) // prettier-ignore
      const endedVectors = vectorsOf(index.endedSince(asOf, 50), MODEL)
      const hybrid = found(index, asOf, { vector: axis(0), endedVectors })
      expect(hybrid.map(({ id }) => id).toSorted()).toEqual(ids)
    }),
  )

  test('in its state of then', async () =>
    withIndex((index) => {
      const stateOf = (asOf: number, id: string) => found(index, asOf).find((memory) => memory.id === id)
      expect(stateOf(instant(1), 'task')?.status).toBe('open')
      expect(stateOf(instant(1), 'task')).not.toHaveProperty('supersededBy')
      expect(stateOf(instant(1), 'forgotten')?.status).toBe('open')
      expect(stateOf(instant(3) - 1, 'note')).not.toHaveProperty('supersededAt')
      expect(stateOf(instant(3), 'note')).toMatchObject({ supersededBy: 'note-2', supersededAt: at(3), status: 'open' })
    }))

  test('what ended is judged by its vector where it is given, else by words', async () =>
    withIndex((index) => {
      const request = { query: 'tea', limit: 50, asOf: instant(1), vector: axis(0) }
      const partsOf = (more: Partial<RankRequest>) =>
        index.rank({ ...request, ...more }).ranked.find(({ memory }) => memory.id === 'task')?.parts
      expect(partsOf({ endedVectors: vectorsOf(index.endedSince(instant(1), 50), MODEL) })?.semantic).toBe(1)
      expect(partsOf({})).not.toHaveProperty('semantic')
      expect(partsOf({})?.lexical).toBeGreaterThan(0)
    }))

  test.each<{ name: string; request: Partial<RankRequest>; ids: string[] }>([
    { name: 'the very sentence', request: { query: 'Buy tea.', limit: 1 }, ids: ['task'] },
    { name: 'a word of its own', request: { query: 'nervous' }, ids: ['forgotten'] },
    { name: 'its author', request: { query: 'Ana', limit: 1 }, ids: ['forgotten'] },
    { name: 'its conversation', request: { conversationId: 'c-1' }, ids: ['task'] },
    { name: 'another conversation', request: { conversationId: 'c-2' }, ids: [] },
    { name: 'words it does not hold', request: { query: 'coffee' }, ids: [] },
    { name: 'no word', request: { query: '' }, ids: [] },
  ])('what ended is found by $name', async ({ request, ids }) =>
    withIndex((index) => {
      expect(found(index, instant(1), request).map(({ id }) => id)).toEqual(ids)
    }),
  )

  test('one who spoke then is known by name, though nothing of theirs is left', async () =>
    withIndex(
      (index) => {
        const byAuthor = (asOf: number) =>
          index.rank({ query: 'Ana', limit: 9, asOf }).ranked.map(({ memory }) => memory.id)
        expect(byAuthor(instant(4))).toEqual(['forgotten'])
        expect(byAuthor(instant(5))).toEqual([])
      },
      BULLETS.map((one) => (one.id === 'forgotten' ? { ...one, sentence: 'Tea makes one nervous.' } : one)),
    ))

  test('what ended is kept apart from its conversation too', async () =>
    withIndex((index) => {
      const { others } = index.rank({ query: 'Buy tea.', limit: 50, asOf: instant(1), apartFrom: 'c-1#2026-05-01' })
      expect(others?.map(({ memory }) => memory.id).toSorted()).toEqual(['forgotten', 'note', 'old-task'])
    }))
})

describe('what ended since an instant', () => {
  test.each([
    { name: 'all, the soonest first', asOf: instant(1), limit: 9, ids: ['task', 'forgotten', 'old-task'] },
    { name: 'no more than asked for', asOf: instant(1), limit: 2, ids: ['task', 'forgotten'] },
    { name: 'not what had ended: a task that was superseded and then dropped', asOf: instant(2), limit: 9, ids: ['task', 'forgotten'] }, // prettier-ignore
    { name: 'at the instant it has ended', asOf: instant(4), limit: 9, ids: ['forgotten'] },
    { name: 'not what was recorded later', asOf: instant(0), limit: 9, ids: [] },
    { name: 'nothing from now on', asOf: instant(9), limit: 9, ids: [] },
  ])('$name', async ({ asOf, limit, ids }) =>
    withIndex((index) => {
      const ended = index.endedSince(asOf, limit)
      expect(ended.map(({ id }) => id)).toEqual(ids)
      expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(ids.length === 0 ? [] : ['open']))
    }),
  )
  test.each([
    { asOf: NaN, limit: 1 },
    { asOf: 0, limit: 0 },
    { asOf: 0, limit: 1.5 },
  ])('$asOf and $limit are refused', async ({ asOf, limit }) =>
    withIndex((index) => expect(() => index.endedSince(asOf, limit)).toThrow(RangeError)),
  )
})
