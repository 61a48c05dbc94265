import { describe, expect, onTestFinished, test } from 'vitest'
import { createMemoryStore, type BuiltInMemoryStore } from '@mono-agent/memory-bujo'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { journalOutput } from '../../src/journal/journal-output.js'
import { journalTool } from '../../src/tools/journal.js'
import type { MemoryTool } from '../../src/tools/memory-tool.js'
import { rememberTool } from '../../src/tools/remember.js'
import { fakeTurn } from './support/fake-port.js'

const START = Date.parse('2026-05-01T12:00:00.000Z')
const RANGE = { fromDate: '2026-05-01', throughDate: '2026-05-01', timeZone: 'Europe/Rome' }

async function openStore(): Promise<BuiltInMemoryStore> {
  let clock = START
  const now = () => (clock += 1_000)
  const store = await createMemoryStore({ mode: 'lite', path: makeTemporaryRoot() }, { now, timeZone: 'UTC' })
  onTestFinished(() => store.close())
  return store
}

const read = async (tool: MemoryTool, input: unknown) => journalOutput.parse((await tool.handle(input)).structured)

describe('the tools over a real store', () => {
  test('what Remember stores, the journal tells in order; after another Remember its cursors are refused', async () => {
    const { port } = fakeTurn(await openStore())
    const [journal, remember] = [journalTool(port), rememberTool(port, 'text')]
    for (let index = 0; index < 12; index += 1) await remember.handle({ text: `Ana told fact ${index} on 2026-05-01.` })
    const first = await read(journal, RANGE)
    expect(first.entries?.map(({ text }) => text)).toEqual(
      Array.from({ length: 10 }, (_, index) => `Ana told fact ${index} on 2026-05-01.`),
    )
    expect(first.coverage).toEqual({ complete: true, found: 12, shownBefore: 0 })
    expect(await remember.handle({ text: 'Ana told fact 3 on 2026-05-01.' })).toMatchObject({
      structured: { status: 'duplicate', id: first.entries?.[3]?.id },
    })
    const second = await read(journal, { cursor: first.nextCursor }) // a duplicate writes nothing
    expect(second.entries?.map(({ text }) => text)).toEqual(
      [10, 11].map((index) => `Ana told fact ${index} on 2026-05-01.`),
    )
    const again = await read(journal, RANGE)
    await remember.handle({ text: 'One more.' })
    expect((await read(journal, { cursor: again.nextCursor })).error?.code).toBe('cursor_refused')
    expect((await read(journal, { ...RANGE, limit: 25 })).entries).toHaveLength(13)
  })

  test.each([
    ['a day that does not exist', { ...RANGE, fromDate: '2026-02-30' }, 'fromDate is no day of the calendar.'],
    ['an offset', { ...RANGE, timeZone: '+02:00' }, 'timeZone is no IANA zone'],
    ['32 days', { ...RANGE, throughDate: '2026-06-01' }, 'The range has 32 days'],
  ])('%s is told as it can be mended', async (_name, input, said) => {
    const { isError, text } = await journalTool(fakeTurn(await openStore()).port).handle(input)
    expect(isError).toBe(true)
    expect(text).toContain(said)
  })

  test.each([
    ['two lines', 'one\ntwo', 'sentence_invalid'],
    ['2,049 bytes', 'x'.repeat(2_049), 'sentence_invalid'],
    ['a credential', ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_'), 'credential_rejected'],
  ])('of %s nothing is stored', async (_name, text, code) => {
    const { port } = fakeTurn(await openStore())
    const result = await rememberTool(port, 'text').handle({ text })
    expect(result).toMatchObject({ isError: true, structured: { error: { code } } })
    expect(result.text).not.toContain(text)
    expect(port.changes()).toBe(0)
    expect((await read(journalTool(port), RANGE)).noData).toBe(true)
  })

  test('a closed store is an answer, not an exception', async () => {
    const store = await openStore()
    const { port } = fakeTurn(store)
    await store.close()
    expect((await read(journalTool(port), RANGE)).error?.code).toBe('journal_unavailable')
    expect(await rememberTool(port, 'text').handle({ text: 'Late.' })).toMatchObject({
      isError: true,
      structured: { error: { code: 'store_closed' } },
    })
  })
})
