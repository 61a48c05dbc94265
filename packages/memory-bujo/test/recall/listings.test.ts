import { describe, expect, onTestFinished, test } from 'vitest'
import { openMemoryReader, type MemoryLabel, type MemoryReader, type ReaderOptions } from '../../src/index.js'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { angleEmbeddings } from '../support/angle-embeddings.js'
import { NOON, openStore } from '../support/open-store.js'
import { openWritten, type BulletFields, type Written } from '../support/written-store.js'

const OWNER: MemoryLabel = {
  kind: 'fact',
  entityId: 'person:owner',
  key: 'home_location',
  value: { type: 'text', text: 'Lund' },
  attribution: 'user-stated',
}
const note = (id: string, sentence: string, more: Partial<BulletFields> = {}): BulletFields => ({
  id,
  sentence,
  ...more,
})

/** A reader beside the open store that holds these memories; whoever asks its embedding service fails. */
async function reading(written: Written, more: Partial<ReaderOptions> = {}): Promise<MemoryReader> {
  const root = makeTemporaryRoot()
  const embeddings = angleEmbeddings(() => 0.5)
  await openWritten(root, written, embeddings)
  return readerOf({
    path: root,
    mode: 'bujo',
    embeddings: { dim: 768 },
    embed: { ...embeddings, embed: () => Promise.reject(new Error('no listing asks a service')) },
    ...more,
  })
}

async function readerOf(options: ReaderOptions): Promise<MemoryReader> {
  const reader = await openMemoryReader({ now: () => NOON, timeZone: 'UTC', ...options })
  onTestFinished(() => reader.close())
  return reader
}

describe('show, top and log say how a memory stands, as a hit does', () => {
  const memories = [
    note('m-1', 'Ana lives in Lund.', { labels: [{ ...OWNER, entityId: 'person:ana' }] }),
    note('m-2', 'Ana lives in Malmö.', { salience: 0.9, attribution: 'document' }),
    note('m-3', 'The fair is on Monday.', { type: 'event', dueAt: '2026-04-27', salience: 0.8 }),
    note('m-4', 'Ana has a lease.', { labels: [{ ...OWNER, entityId: 'person:ana', validTo: '2026-12-31' }] }),
  ]
  const written = { memories, supersessions: [{ id: 'm-2', by: 'm-1', at: '2026-05-01T10:00:00.000Z' }] }
  const marks = {
    'm-1': { attribution: 'user-stated', currentness: 'current' },
    'm-2': { attribution: 'document', currentness: 'superseded', supersededBy: 'm-1' },
    'm-3': { currentness: 'ended', endedOn: '2026-04-27' },
    'm-4': { currentness: 'current', validTo: '2026-12-31' },
  }

  test('the day as its file has it', async () => {
    const reader = await reading(written)
    const { memories: shown } = await reader.show('2026-05-01')
    expect(Object.fromEntries(shown.map((memory) => [memory.id, memory]))).toMatchObject(marks)
    expect((await reader.log('m-2'))?.memory).toMatchObject(marks['m-2'])
  })

  test('top is what stands; history is there for the asking, in its place', async () => {
    const reader = await reading(written)
    expect((await reader.top(10)).map(({ id }) => id)).toEqual(['m-1', 'm-4'])
    expect((await reader.top(10, { withHistory: true })).map(({ id }) => id)).toEqual(['m-2', 'm-3', 'm-1', 'm-4'])
    expect((await reader.top(2, { withHistory: true })).map(({ id }) => id)).toEqual(['m-2', 'm-3'])
    await expect(reader.top(0)).rejects.toThrow(RangeError)
  })

  test.each([1, 2, 3, 40, 41])('however much history is on top, %d that stand are found', async (limit) => {
    const past = Array.from({ length: 39 }, (_, n) =>
      note(`p-${n}`, `Fair ${n}.`, { type: 'event', dueAt: '2026-04-27' }),
    )
    const standing = Array.from({ length: 40 }, (_, n) =>
      note(`s-${String(n).padStart(2, '0')}`, `Tea ${n}.`, { salience: 0.1 }),
    )
    const reader = await reading({ memories: [...past, ...standing] })
    const expected = standing.slice(0, limit).map(({ id }) => id)
    expect((await reader.top(limit)).map(({ id }) => id)).toEqual(expected)
  })

  test('lite knows of no successor and calls nothing current', async () => {
    const path = makeTemporaryRoot()
    await (await openStore(path)).remember({ text: 'Ana drinks tea.' })
    const [memory] = await (await readerOf({ path })).top(1)
    expect(memory).toMatchObject({ text: 'Ana drinks tea.' })
    expect(memory).not.toHaveProperty('currentness')
  })
})

describe('the owner profile, to be looked at (REC-19)', () => {
  const memories = [note('m-1', 'I live in Lund.', { labels: [OWNER] })]

  test.each([true, false])('the same where it is switched on (%s)', async (enabled) => {
    const reader = await reading({ memories }, { profile: { enabled } })
    const profile = await reader.profile()
    expect(profile).toMatchObject({ enabled, memoryIds: ['m-1'], stale: false })
    expect(profile).not.toHaveProperty('absent')
    expect(profile.text).toMatch(
      /^<memory>\n.*\nOwner profile.*:\n- – I live in Lund\. \(recorded 2026-05-01\)\n<\/memory>$/,
    )
  })

  test('what agents are shown, byte for byte', async () => {
    const root = makeTemporaryRoot()
    const embeddings = angleEmbeddings(() => 0.1)
    const profile = { enabled: true }
    const store = await openWritten(root, { memories }, embeddings, { profile })
    const blocks = (await store.lookUp('hello')).automatic({ blocks: ['profile'] })
    const reader = await readerOf({ path: root, mode: 'bujo', embeddings: { dim: 768 }, embed: embeddings, profile })
    const { text } = await reader.profile()
    expect(blocks).toHaveLength(1)
    for (const line of [blocks[0]?.heading, blocks[0]?.lines[0]?.text]) expect(text.split('\n')).toContain(line)
  })

  test.each([
    { name: 'no labels', memories: [note('m-1', 'I live in Lund.')], absent: 'no_labels' },
    {
      name: 'labels of what is no trait',
      memories: [note('m-1', 'I move to Lund.', { labels: [OWNER], dueAt: '2026-06-01' })],
      absent: 'none_eligible',
    },
  ])('$name: none, and why', async ({ memories: given, absent }) => {
    expect(await (await reading({ memories: given })).profile()).toEqual({
      enabled: false,
      text: '',
      memoryIds: [],
      absent,
      stale: false,
    })
  })

  test('a line that is longer than a load may be', async () => {
    const long = note('m-1', '旅'.repeat(500), { labels: [OWNER] })
    expect(await (await reading({ memories: [long] })).profile()).toMatchObject({ memoryIds: ['m-1'] })
    expect(await (await reading({ memories: [long] }, { maxBytes: 1_024 })).profile()).toMatchObject({
      text: '',
      absent: 'no_room',
    })
  })

  test('lite has none', async () => {
    const path = makeTemporaryRoot()
    await openStore(path)
    const reader = await readerOf({ path })
    expect(await reader.profile()).toMatchObject({ text: '', absent: 'not_bujo' })
    expect(await reader.intentReview()).toEqual({ enabled: false, notes: [], absent: 'not_bujo', stale: false })
  })
})

describe('what intent expiry leaves out, to be looked at (REC-20)', () => {
  const memories = [
    note('m-1', 'Ana lives in Lund.'),
    note('m-2', 'Visit Ana on Sunday.', { dueAt: '2026-06-07' }),
    note('m-3', 'Visit Bo in April.', { dueAt: '2026-04-30', createdAt: '2026-04-01T09:00:00.000Z' }),
    note('m-4', 'The visit to Cy is over.', { status: 'done' }),
    note('m-5', 'Nobody visits Dee.', { status: 'dropped' }),
    note('m-6', 'Call the plumber.', { type: 'task', dueAt: '2026-04-30' }),
  ]

  test.each([false, true])('of the whole store, whether it is on (%s)', async (intentExpiry) => {
    const reader = await reading({ memories }, { recall: { intentExpiry } })
    const { enabled, notes, stale } = await reader.intentReview()
    expect({ enabled, stale }).toEqual({ enabled: intentExpiry, stale: false })
    expect(notes.map(({ id, why }) => [id, why])).toEqual([
      ['m-3', 'dated'],
      ['m-2', 'dated'],
      ['m-4', 'done'],
    ])
    expect(notes[0]).toMatchObject({ currentness: 'ended', endedOn: '2026-04-30', file: 'daily/2026-04-01.md' })
  })

  test('more than one slice of the chronology', async () => {
    const many = Array.from({ length: 250 }, (_, n) => note(`d-${n}`, `Visit ${n}.`, { dueAt: '2026-06-07' }))
    const { notes } = await (await reading({ memories: many })).intentReview()
    expect(notes).toHaveLength(250)
  })
})
