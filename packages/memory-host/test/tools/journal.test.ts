import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MemoryError, type ChronologySnapshot } from '@mono-agent/memory-bujo'
import { z } from 'zod'
import { journalOutput } from '../../src/journal/journal-output.js'
import { journalTool } from '../../src/tools/journal.js'
import type { MemoryTool } from '../../src/tools/memory-tool.js'
import { chronicle, entries, fakeTurn, RANGE, snapshotOf } from './support/fake-port.js'

const call = async (tool: MemoryTool, input: unknown) => {
  const result = await tool.handle(input)
  return { ...result, data: journalOutput.parse(result.structured) }
}
const cursorOf = async (tool: MemoryTool, input: unknown): Promise<string> => {
  const { nextCursor } = (await call(tool, input)).data
  if (nextCursor === undefined) throw new Error('The page has no cursor.')
  return nextCursor
}
const ids = ({ data }: Awaited<ReturnType<typeof call>>) => data.entries?.map(({ id }) => id)
const range = (from: number, before: number) =>
  entries(before)
    .slice(from)
    .map(({ id }) => id)

describe('the range of a first call (REC-22, REC-23)', () => {
  test.each([
    ['no limit', {}, 10],
    ['limit 1', { limit: 1 }, 1],
    ['limit 24', { limit: 24 }, 24],
    ['limit 25', { limit: 25 }, 25],
  ])('%s: %j gives %d entries', async (_name, more, count) => {
    const store = chronicle(entries(40))
    const page = await call(journalTool(fakeTurn(store).port), { ...RANGE, ...more })
    expect(page.isError).toBeUndefined()
    expect(ids(page)).toEqual(range(0, count))
    expect(store.asked).toEqual([RANGE])
  })

  const CURSOR = 'A'.repeat(52)
  test.each([
    ['nothing', {}, ['fromDate: is needed', 'throughDate: is needed', 'timeZone: is needed']],
    ['no object', 'May', ['expected object']],
    ['null', null, ['expected object']],
    ['no zone', { fromDate: RANGE.fromDate, throughDate: RANGE.throughDate }, ['timeZone: is needed']],
    ['an empty zone', { ...RANGE, timeZone: '' }, ['timeZone: ']],
    ['an endless zone', { ...RANGE, timeZone: 'x'.repeat(65) }, ['timeZone: ']],
    ['no first day', { throughDate: RANGE.throughDate, timeZone: 'UTC' }, ['fromDate: is needed']],
    ['a date in words', { ...RANGE, fromDate: 'yesterday' }, ['fromDate: must be a day, YYYY-MM-DD']],
    ['limit 0', { ...RANGE, limit: 0 }, ['limit: must be 1 to 25']],
    ['limit 26', { ...RANGE, limit: 26 }, ['limit: must be 1 to 25']],
    ['limit 1.5', { ...RANGE, limit: 1.5 }, ['limit: ']],
    ['limit as text', { ...RANGE, limit: '10' }, ['limit: ']],
    ['an unknown field', { ...RANGE, query: 'Ana' }, ['"query"']],
    ['a cursor and a range', { ...RANGE, cursor: CURSOR }, ['fromDate: must be left out beside a cursor']],
    ['a cursor and a limit', { cursor: CURSOR, limit: 5 }, ['limit: must be left out beside a cursor']],
    ['a cursor that is no text', { cursor: 7 }, ['cursor: ']],
  ])('%s is refused with its mend, and the store is not asked', async (_name, input, said) => {
    const store = chronicle(entries(3))
    const { isError, text, data } = await call(journalTool(fakeTurn(store).port), input)
    expect(isError).toBe(true)
    expect(data).toEqual({ error: { code: 'input_invalid', message: text } })
    for (const words of said) expect(text).toContain(words)
    expect(store.asked).toEqual([])
  })

  test('faults stay short, whatever was sent', async () => {
    const input = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${'k'.repeat(900)}${index}`, index]))
    const { text } = await call(journalTool(fakeTurn({}).port), input)
    expect(Buffer.byteLength(text)).toBeLessThan(2_048)
  })

  test('what the store says of a range is passed on, for it can be mended', async () => {
    const message =
      '2011-12-30 does not exist in this zone, which skipped that day. Nothing was read. Give a day beside it.'
    const store = { chronology: () => Promise.reject(new MemoryError('range_invalid', message)) }
    const { isError, text, data } = await call(journalTool(fakeTurn(store).port), RANGE)
    expect({ isError, text, data }).toEqual({
      isError: true,
      text: message,
      data: { error: { code: 'range_invalid', message } },
    })
  })

  test('the signal of the caller reaches the store', async () => {
    const { signal } = new AbortController()
    const store = chronicle([])
    await journalTool(fakeTurn(store).port).handle(RANGE, { signal })
    expect(store.asked[0]?.signal).toBe(signal)
  })

  test('a range in which nothing is recorded is a success that says so', async () => {
    const { isError, text, data } = await call(journalTool(fakeTurn(chronicle([])).port), RANGE)
    expect(isError).toBeUndefined()
    expect(data).toMatchObject({ entries: [], noData: true, coverage: { complete: true, found: 0 } })
    expect(text).toContain('No entries were found. The whole range was scanned.')
  })
})

describe('a failure says that there was one, and no more (REC-23)', () => {
  const raw = 'SQLITE_CORRUPT at /home/ana/.mono-agent/memory/.index token=abc'
  test.each([
    ['an error of the library', () => Promise.reject(new MemoryError('index_damaged', raw))],
    ['any other error', () => Promise.reject(new Error(raw))],
    ['a closed store', () => Promise.reject(new MemoryError('store_closed', raw))],
    ['no error at all', () => Promise.reject(raw as unknown as Error)],
    [
      'a throw',
      () => {
        throw new Error(raw)
      },
    ],
    ['an aborted call', () => Promise.reject(new DOMException(raw, 'AbortError'))],
    ['a snapshot that is none', () => Promise.resolve({ entries: 7 } as unknown as ChronologySnapshot)],
    ['no chronology', undefined],
  ])('%s', async (_name, chronology) => {
    const { port, delivered } = fakeTurn(chronology === undefined ? {} : { chronology })
    const { isError, text, data, structured } = await call(journalTool(port), RANGE)
    expect(isError).toBe(true)
    expect(data.error?.code).toBe('journal_unavailable')
    expect(JSON.stringify([text, structured])).not.toMatch(/SQLITE|home|token=|Error/)
    expect(delivered).toEqual([])
  })

  test('and takes no place of the four', async () => {
    let isBroken = true
    const store = {
      chronology: () => (isBroken ? Promise.reject(new Error('x')) : Promise.resolve(snapshotOf(entries(1)))),
    }
    const tool = journalTool(fakeTurn(store).port)
    for (let times = 0; times < 9; times += 1) expect((await call(tool, RANGE)).isError).toBe(true)
    isBroken = false
    expect((await call(tool, RANGE)).isError).toBeUndefined()
  })
})

describe('pages that follow (REC-23)', () => {
  test('go through the frozen range once, in order', async () => {
    const given = entries(23)
    const store = chronicle(given)
    const tool = journalTool(fakeTurn(store).port)
    let page = await call(tool, RANGE)
    const seen = [...(ids(page) ?? [])]
    given.splice(0, given.length) // what the store holds by now is not looked at
    while (page.data.nextCursor !== undefined) {
      page = await call(tool, { cursor: page.data.nextCursor })
      expect(page.data.range).toMatchObject(RANGE)
      seen.push(...(ids(page) ?? []))
    }
    expect(seen).toEqual(range(0, 23))
    expect(store.asked).toHaveLength(1)
  })

  test('keep the limit of the first call', async () => {
    const tool = journalTool(fakeTurn(chronicle(entries(9))).port)
    const page = await call(tool, { cursor: await cursorOf(tool, { ...RANGE, limit: 3 }) })
    expect(ids(page)).toEqual(range(3, 6))
  })

  test('four ranges at once, each with a cursor of its own; a fifth is refused', async () => {
    const tool = journalTool(fakeTurn(chronicle(entries(20))).port)
    const cursors: string[] = []
    for (let times = 0; times < 4; times += 1) cursors.push(await cursorOf(tool, RANGE))
    expect(new Set(cursors).size).toBe(4)
    const fifth = await call(tool, RANGE)
    expect(fifth.isError).toBe(true)
    expect(fifth.data.error?.code).toBe('journal_full')
    for (const cursor of cursors) expect(ids(await call(tool, { cursor }))).toEqual(range(10, 20))
    expect((await call(tool, RANGE)).data.error?.code).toBe('journal_full') // read to their end they count as well
  })

  test('of five ranges asked for at the same moment, four are read', async () => {
    const store = chronicle(entries(1))
    const tool = journalTool(fakeTurn(store).port)
    const pages = await Promise.all(Array.from({ length: 5 }, () => call(tool, RANGE)))
    expect(pages.filter(({ isError }) => isError === true)).toHaveLength(1)
    expect(store.asked).toHaveLength(4)
  })

  test('what was shown is told as memory’s own, with its ids', async () => {
    const { port, delivered } = fakeTurn(chronicle(entries(12)))
    const tool = journalTool(port)
    const first = await call(tool, RANGE)
    const second = await call(tool, { cursor: first.data.nextCursor })
    expect(delivered).toEqual([
      { ids: range(0, 10), text: first.text },
      { ids: range(10, 12), text: second.text },
    ])
  })
})

describe('a cursor that is not the next one of its own request is refused', () => {
  const twoTurns = () => [fakeTurn(chronicle(entries(40))), fakeTurn(chronicle(entries(40)))] as const

  const refusedAlike = async (tool: MemoryTool, cursors: readonly string[]) => {
    const results = await Promise.all(cursors.map((cursor) => tool.handle({ cursor })))
    for (const result of results) {
      expect(result.isError).toBe(true)
      expect(result.structured).toEqual({ error: { code: 'cursor_refused', message: result.text } })
    }
    expect(new Set(results.map(({ text }) => text)).size).toBe(1) // it tells nothing of why
    return results
  }

  test('forged, empty, altered, of another request, spent: all in the same words', async () => {
    const [turn, other] = twoTurns()
    const tool = journalTool(turn.port)
    const foreign = await cursorOf(journalTool(other.port), RANGE)
    const spent = await cursorOf(tool, RANGE)
    const next = await cursorOf(tool, { cursor: spent })
    const flipped = (next.startsWith('B') ? 'C' : 'B') + next.slice(1)
    await refusedAlike(tool, ['', 'x', 'A'.repeat(52), flipped, `${next} `, next.slice(1), foreign, spent])
    expect(turn.delivered).toHaveLength(2)
    expect(ids(await call(tool, { cursor: next }))).toEqual(range(20, 30)) // refusals spend nothing
  })

  test('used twice at the same moment it gives one page', async () => {
    const [turn] = twoTurns()
    const tool = journalTool(turn.port)
    const cursor = await cursorOf(tool, RANGE)
    const pages = await Promise.all([call(tool, { cursor }), call(tool, { cursor })])
    expect(pages.map(({ isError }) => isError)).toEqual([undefined, true])
  })

  test('a cursor of one range does not go on with another at the same offset', async () => {
    let asked = 0
    const store = { chronology: () => Promise.resolve(snapshotOf(entries(30, { text: `Of range ${(asked += 1)}.` }))) }
    const tool = journalTool(fakeTurn(store).port)
    const first = await cursorOf(tool, RANGE)
    const second = await cursorOf(tool, RANGE)
    expect((await call(tool, { cursor: second })).data.entries?.[0]?.text).toBe('Of range 2.')
    expect((await call(tool, { cursor: first })).data.entries?.[0]?.text).toBe('Of range 1.')
  })

  test('after a write of the turn, for good; the range can be asked for anew, four times', async () => {
    const [turn] = twoTurns()
    const tool = journalTool(turn.port)
    const cursors = [await cursorOf(tool, RANGE), await cursorOf(tool, RANGE)]
    turn.port.changed()
    await refusedAlike(tool, cursors)
    for (let times = 0; times < 4; times += 1) expect((await call(tool, RANGE)).isError).toBeUndefined()
    await refusedAlike(tool, cursors)
    expect((await call(tool, RANGE)).data.error?.code).toBe('journal_full')
  })

  test('of a range that was being read when the turn wrote', async () => {
    const [turn] = twoTurns()
    let arrive!: (snapshot: ChronologySnapshot) => void
    const store = { chronology: () => new Promise<ChronologySnapshot>((resolve) => (arrive = resolve)) }
    const tool = journalTool({ ...turn.port, store: store as never })
    const reading = call(tool, RANGE)
    turn.port.changed()
    arrive(snapshotOf(entries(20)))
    const { nextCursor } = (await reading).data
    await refusedAlike(tool, [nextCursor as string])
  })

  test('after the end of the turn nothing answers, whatever is asked', async () => {
    const turn = fakeTurn(chronicle(entries(20)))
    const tool = journalTool(turn.port)
    const cursor = await cursorOf(tool, RANGE)
    turn.end()
    for (const input of [{ cursor }, { cursor: 'x' }, RANGE, {}, null]) {
      expect((await call(tool, input)).data.error?.code).toBe('turn_ended')
    }
    expect(turn.delivered).toHaveLength(1)
  })

  test('a range that was being read when the turn ended is not shown', async () => {
    let arrive!: (snapshot: ChronologySnapshot) => void
    const turn = fakeTurn({ chronology: () => new Promise<ChronologySnapshot>((resolve) => (arrive = resolve)) })
    const reading = call(journalTool(turn.port), RANGE)
    turn.end()
    arrive(snapshotOf(entries(20)))
    expect((await reading).data.error?.code).toBe('turn_ended')
    expect(turn.delivered).toEqual([])
  })

  test('a range that failed because the turn ended says that', async () => {
    let fail!: (error: Error) => void
    const turn = fakeTurn({ chronology: () => new Promise<ChronologySnapshot>((_resolve, reject) => (fail = reject)) })
    const reading = call(journalTool(turn.port), RANGE)
    turn.end()
    fail(new Error('aborted'))
    expect((await reading).data.error?.code).toBe('turn_ended')
  })

  test('no tampering ever yields a page', async () => {
    const [turn, other] = twoTurns()
    const tool = journalTool(turn.port)
    const next = await cursorOf(tool, { cursor: await cursorOf(tool, RANGE) })
    const foreign = await cursorOf(journalTool(other.port), RANGE)
    const tampered = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.uint8Array({ minLength: 39, maxLength: 39 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
      // A bit, or several, of a good one.
      fc.uniqueArray(fc.nat(39 * 8 - 1), { minLength: 1, maxLength: 4 }).map((bits) => {
        const bytes = Buffer.from(next, 'base64url')
        for (const bit of bits) bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        return bytes.toString('base64url')
      }),
      // Parts of two good ones.
      fc.nat(51).map((at) => next.slice(0, at) + foreign.slice(at)),
      fc.integer({ min: 1, max: 52 }).map((at) => foreign.slice(0, at) + next.slice(at)),
    )
    await fc.assert(
      fc.asyncProperty(tampered, async (cursor) => {
        fc.pre(cursor !== next)
        const result = await tool.handle({ cursor })
        expect(result.structured).toHaveProperty('error.code', 'cursor_refused')
        expect(result.structured).not.toHaveProperty('entries')
      }),
      { numRuns: 2_000 },
    )
    expect(turn.delivered).toHaveLength(2)
  })
})

describe('two requests side by side share nothing', () => {
  test('each has its four ranges, its cursors and its writes', async () => {
    const store = chronicle(entries(30))
    const [one, other] = [fakeTurn(store), fakeTurn(store)]
    const [tool, otherTool] = [journalTool(one.port), journalTool(other.port)]
    for (let times = 0; times < 4; times += 1) await call(tool, RANGE)
    const theirs = await cursorOf(otherTool, RANGE)
    one.port.changed()
    one.end()
    expect(ids(await call(otherTool, { cursor: theirs }))).toEqual(range(10, 20))
  })

  test('a cursor needs the snapshot of its own request, even where the keys of both are the same', async () => {
    // They never are with real randomness.
    const randomBytes = (count: number) => new Uint8Array(count).fill(1)
    const tool = journalTool(fakeTurn(chronicle(entries(30))).port, { randomBytes })
    const other = journalTool(fakeTurn(chronicle(entries(30))).port, { randomBytes })
    const cursor = await cursorOf(tool, RANGE)
    expect((await call(other, { cursor })).data.error?.code).toBe('cursor_refused')
  })

  test('each key is drawn once, of 32 bytes', async () => {
    const drawn: number[] = []
    const randomBytes = (count: number) => {
      drawn.push(count)
      return new Uint8Array(count).fill(drawn.length)
    }
    const tools = [1, 2].map(() => journalTool(fakeTurn(chronicle(entries(30))).port, { randomBytes }))
    for (const tool of tools) await cursorOf(tool, { cursor: await cursorOf(tool, RANGE) })
    expect(drawn).toEqual([32, 32])
  })
})

describe('how the tool presents itself', () => {
  const schemaOf = (tool: MemoryTool) =>
    z.toJSONSchema(tool.inputSchema) as { properties: Record<string, { description?: string }> }

  test('every field says what it is; nothing is required of a schema that has two forms; unknown fields are refused', () => {
    const schema = schemaOf(journalTool(fakeTurn({}).port))
    expect(Object.keys(schema.properties)).toEqual(['fromDate', 'throughDate', 'timeZone', 'limit', 'cursor'])
    for (const { description } of Object.values(schema.properties)) expect(description).toMatch(/\S{3}/)
    expect(schema).toMatchObject({ additionalProperties: false })
    expect(schema).not.toHaveProperty('required')
  })

  test('its description sends what ran to the run history, if the host has one', () => {
    const without = journalTool(fakeTurn({}).port)
    const having = journalTool(fakeTurn({}, { runHistory: 'RunHistory' }).port)
    expect(without.description).toContain('curated history')
    expect(without.description).toContain('What exactly ran or failed is not in it.')
    expect(without.description).not.toContain('run history')
    expect(having.description).toContain('that is the run history of the host, RunHistory.')
    expect(having).toMatchObject({ name: 'MemoryJournal', isReadOnly: true })
  })
})
