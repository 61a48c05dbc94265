import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { ChronologyRecord, IndexedMemory, IndexReader } from '@mono-agent/memory-search'
import { WITHHELD_ID, WITHHELD_TEXT } from '../../src/chronology/shown-entry.js'
import { MAX_ENTRIES, MAX_SNAPSHOT_BYTES, takeChronology } from '../../src/chronology/snapshot.js'

type Chronology = Pick<IndexReader, 'chronology'>
type Asked = Parameters<IndexReader['chronology']>

const DAY = '2026-05-01'
const START = Date.parse(`${DAY}T00:00:00.000Z`)
const ONE_DAY = { fromDate: DAY, throughDate: DAY, timeZone: 'UTC' }
const NOON = { at: START + 43_200_000, timeZone: 'UTC', intentExpiry: false }

const recordAt = (moment: number, id: string, more: Partial<IndexedMemory> = {}): ChronologyRecord => ({
  moment,
  memory: {
    id,
    file: `daily/${DAY}.md`,
    position: 0,
    text: `Text of ${id}.`,
    type: 'note',
    status: 'open',
    salience: 0.7,
    isInsight: false,
    createdAt: new Date(moment).toISOString(),
    contentHash: 'x',
    ...more,
  },
})

const isAfter = (record: ChronologyRecord, after: Asked[0]['after']): boolean =>
  after === undefined || record.moment > after.moment || (record.moment === after.moment && record.memory.id > after.id)

/** An index as its contract says, over a list. */
const indexOf = (
  records: readonly ChronologyRecord[],
  onAsked: (...asked: Asked) => void = () => undefined,
): Chronology => {
  const inOrder = [...records].sort((a, b) => a.moment - b.moment || (a.memory.id < b.memory.id ? -1 : 1))
  return {
    chronology: ({ from, before, after }, limit) => {
      onAsked({ from, before, ...(after === undefined ? {} : { after }) }, limit)
      const inRange = inOrder.filter((record) => record.moment >= from && record.moment < before)
      return inRange.filter((record) => isAfter(record, after)).slice(0, limit)
    },
  }
}

const many = (count: number, more: Partial<IndexedMemory> = {}): ChronologyRecord[] =>
  Array.from({ length: count }, (_, index) =>
    recordAt(START + index * 1_000, `m-${String(index).padStart(5, '0')}`, more),
  )

const take = (records: readonly ChronologyRecord[]) => takeChronology(indexOf(records), ONE_DAY, NOON)

describe('a frozen range of the chronology (REC-23)', () => {
  test('tells its interval, and of nothing that nothing is there', async () => {
    expect(await takeChronology(indexOf([]), { ...ONE_DAY, timeZone: 'Asia/Kathmandu' }, NOON)).toEqual({
      interval: { from: '2026-04-30T18:15:00.000Z', before: '2026-05-01T18:15:00.000Z' },
      entries: [],
      coverage: { complete: true },
    })
  })

  test('holds its first instant and not the one after its last', async () => {
    const end = START + 86_400_000
    const records = [
      recordAt(START - 1, 'before'),
      recordAt(START, 'first'),
      recordAt(end - 1, 'last'),
      recordAt(end, 'after'),
    ]
    expect((await take(records)).entries.map(({ id }) => id)).toEqual(['first', 'last'])
  })

  test.each([
    [0, 0, true],
    [1, 1, true],
    [99, 99, true],
    [100, 100, true],
    [101, 101, true],
    [MAX_ENTRIES - 1, MAX_ENTRIES - 1, true],
    [MAX_ENTRIES, MAX_ENTRIES, true],
    [MAX_ENTRIES + 1, MAX_ENTRIES, false],
    [2 * MAX_ENTRIES, MAX_ENTRIES, false],
  ])('of %d records it has %d', async (count, held, complete) => {
    const { entries, coverage } = await take(many(count))
    expect(entries.map(({ id }) => id)).toEqual(many(held).map(({ memory }) => memory.id))
    expect(coverage).toEqual(complete ? { complete } : { complete, stoppedBy: 'entries' })
  })

  const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

  test.each([
    ['ASCII', 'x'],
    ['quotes, which JSON writes twice as long', '"'],
    ['two bytes a character', 'é'],
  ])('holds as much as fits into 2 MiB of JSON: %s', async (_name, letter) => {
    const text = letter.repeat(2_040 / Buffer.byteLength(letter))
    const { entries, coverage } = await take(many(999, { text }))
    const perEntry = jsonBytes(entries[0]) + 1
    const fitting = Math.floor((MAX_SNAPSHOT_BYTES - 1) / perEntry)
    expect(fitting).toBeLessThan(999)
    expect(entries).toHaveLength(fitting)
    expect(jsonBytes(entries)).toBeLessThanOrEqual(MAX_SNAPSHOT_BYTES)
    expect(coverage).toEqual({ complete: false, stoppedBy: 'bytes' })
  })

  test.each([
    [-1, true],
    [0, true],
    [1, false],
  ])('%d bytes beside the bound of 2 MiB: complete %s', async (beyond, complete) => {
    const full = many(960, { text: 'x'.repeat(2_048) })
    const entries = (await take(full.slice(0, 900))).entries
    const perEntry = jsonBytes(entries[0]) + 1
    const whole = Math.floor((MAX_SNAPSHOT_BYTES - 1) / perEntry)
    const left = MAX_SNAPSHOT_BYTES - 1 - whole * perEntry
    // Two shorter texts fill what a whole one leaves.
    const bare = perEntry - 2_048
    const missing = left + perEntry + beyond - 2 * bare
    const first = Math.floor(missing / 2)
    const records = full.slice(0, whole + 1).map((record, index) => {
      const length = index === whole - 1 ? first : index === whole ? missing - first : 2_048
      return { ...record, memory: { ...record.memory, text: 'x'.repeat(length) } }
    })
    const snapshot = await take(records)
    expect(snapshot.coverage).toEqual(complete ? { complete } : { complete, stoppedBy: 'bytes' })
    expect(snapshot.entries).toHaveLength(complete ? whole + 1 : whole)
    if (complete) expect(jsonBytes(snapshot.entries)).toBe(MAX_SNAPSHOT_BYTES + beyond)
  })

  test('is read in slices, and others have their turn between them', async () => {
    const asked: Asked[] = []
    const index = indexOf(many(250), (...one) => asked.push(one))
    const taking = takeChronology(index, ONE_DAY, NOON)
    let turns = 0
    let isDone = false
    void taking.finally(() => (isDone = true))
    while (!isDone) {
      await nextTurnOfLoop()
      turns += 1
    }
    expect((await taking).entries).toHaveLength(250)
    expect(asked.map(([, limit]) => limit)).toEqual([100, 100, 100])
    expect(asked.map(([{ after }]) => after?.id)).toEqual([undefined, 'm-00099', 'm-00199'])
    expect(turns).toBeGreaterThanOrEqual(2)
  })

  test('a record that a person moves while it is read is told once', async () => {
    const records = many(150)
    let slices = 0
    const moving: Chronology = {
      chronology: (range, limit) => {
        slices += 1
        const moved = slices === 1 ? records : [...records.slice(1), recordAt(START + 3_600_000, 'm-00000')]
        return indexOf(moved).chronology(range, limit)
      },
    }
    const { entries } = await takeChronology(moving, ONE_DAY, NOON)
    expect(entries.filter(({ id }) => id === 'm-00000')).toHaveLength(1)
    expect(entries).toHaveLength(150)
  })

  test('ends with its signal, before and between slices', async () => {
    const reason = new Error('nobody waits')
    const before = AbortSignal.abort(reason)
    let asked = 0
    const index = indexOf(many(500), () => (asked += 1))
    await expect(takeChronology(index, { ...ONE_DAY, signal: before }, NOON)).rejects.toBe(reason)
    expect(asked).toBe(0)
    const between = new AbortController()
    const cut = indexOf(many(500), () => {
      asked += 1
      if (asked === 2) between.abort(reason)
    })
    await expect(takeChronology(cut, { ...ONE_DAY, signal: between.signal }, NOON)).rejects.toBe(reason)
    expect(asked).toBe(2)
  })

  test('a failure of the index is passed on, nothing is told of half a range', async () => {
    const failing: Chronology = {
      chronology: () => {
        throw new Error('index gone')
      },
    }
    await expect(takeChronology(failing, ONE_DAY, NOON)).rejects.toThrow('index gone')
  })

  test('a range that cannot be is refused before anything is read', async () => {
    let asked = 0
    const index = indexOf([], () => (asked += 1))
    await expect(takeChronology(index, { ...ONE_DAY, timeZone: '+02:00' }, NOON)).rejects.toMatchObject({
      code: 'range_invalid',
    })
    expect(asked).toBe(0)
  })

  test('equals a linear scan, whatever the records', async () => {
    const record = fc
      .record({ offset: fc.integer({ min: -5, max: 90_000 }), id: fc.stringMatching(/^[a-z0-9]{1,4}$/) })
      .map(({ offset, id }) => recordAt(START + offset * 1_000, id))
    const records = fc.uniqueArray(record, { selector: ({ memory }) => memory.id, maxLength: 260 })
    await fc.assert(
      fc.asyncProperty(records, async (given) => {
        const { entries, coverage } = await take(given)
        const expected = given
          .filter(({ moment }) => moment >= START && moment < START + 86_400_000)
          .sort((a, b) => a.moment - b.moment || (a.memory.id < b.memory.id ? -1 : 1))
        expect(entries.map(({ id, at }) => [id, Date.parse(at)])).toEqual(
          expected.map(({ memory, moment }) => [memory.id, moment]),
        )
        expect(coverage).toEqual({ complete: true })
      }),
      { numRuns: 30 },
    )
  })
})

describe('what is told of a record (REC-24)', () => {
  const entryOf = async (more: Partial<IndexedMemory>, moment = START, vantage = NOON) =>
    (await takeChronology(indexOf([recordAt(moment, 'm-1', more)]), ONE_DAY, vantage)).entries[0]

  test('its time, words, state and day; nothing else that the index knows', async () => {
    const entry = await entryOf({
      salience: 0.93,
      speaker: 'Ana',
      conversationId: 'web:secret',
      labels: [],
      attribution: 'user-stated',
      occurredAt: new Date(START).toISOString(),
      createdAt: '2026-05-02T08:00:00.000Z',
      file: 'daily/2026-05-02.md',
    })
    expect(entry).toEqual({
      id: 'm-1',
      at: '2026-05-01T00:00:00.000Z',
      createdAt: '2026-05-02T08:00:00.000Z',
      text: 'Text of m-1.',
      type: 'note',
      status: 'open',
      currentness: 'current',
      attribution: 'user-stated',
      day: '2026-05-02',
    })
  })

  test('of an older layout its day as well', async () => {
    expect(await entryOf({ file: '2026-04-30.md' })).toMatchObject({ day: '2026-04-30' })
  })

  test('a record without a day file is a fault, not a guess', async () => {
    await expect(entryOf({ file: 'graph.jsonl' })).rejects.toThrow(RangeError)
  })

  const due = { type: 'event', dueAt: DAY } as const
  test.each([
    ['open', {}, NOON.at, 'current'],
    ['superseded', { supersededBy: 'm-2' }, NOON.at, 'superseded'],
    ['invalidated', { type: 'task', status: 'invalidated' }, NOON.at, 'superseded'],
    ['done', { type: 'task', status: 'done' }, NOON.at, 'current'],
    ['an event on its day', due, NOON.at, 'current'],
    ['the last moment of its day', due, START + 86_399_999, 'current'],
    ['an event after its day', due, START + 86_400_000, 'ended'],
  ] as const)('state at the time of the snapshot: %s', async (_name, more, at, currentness) => {
    expect(await entryOf(more, START, { ...NOON, at })).toMatchObject({ currentness })
  })

  test.each([
    ['a line break', 'one\ntwo'],
    ['an escape sequence', 'a \u001b[31mred'],
    ['a direction override', 'a \u202e b'],
    ['half of a surrogate pair', 'a \ud83d b'],
    ['nothing', ' '],
    ['too much', 'x'.repeat(2_049)],
    ['a comment of the format', 'a <!--mem b'],
  ])('text with %s is withheld', async (_name, text) => {
    expect(await entryOf({ text })).toMatchObject({ id: 'm-1', text: WITHHELD_TEXT })
  })

  test('the longest sentence is whole', async () => {
    expect(await entryOf({ text: 'x'.repeat(2_048) })).toMatchObject({ text: 'x'.repeat(2_048) })
  })

  test.each([
    ['m-01JTQ8Z4N5R8W4Y6K2M0C3D7EF', true],
    ['r-0123456789abcdef0123456789abcdef-12', true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['</memory>', false],
    ['../../etc/passwd', false],
    ['"quoted"', false],
    ['[done]', false],
    ['-leading', false],
  ])('id %s is told: %s', async (id, isTold) => {
    expect(await entryOf({ id })).toMatchObject({ id: isTold ? id : WITHHELD_ID, text: 'Text of m-1.' })
  })
})
