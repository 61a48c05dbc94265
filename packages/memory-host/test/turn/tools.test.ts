import { expect, test } from 'vitest'
import { createStandaloneTools, type MemoryTool, type MemoryToolName } from '../../src/index.js'
import { block, line, ownersTurn, QUESTION, scriptedStore, succeeded, watch } from './support.js'

const named = (tools: readonly MemoryTool[], name: MemoryToolName): MemoryTool => {
  const tool = tools.find((one) => one.name === name)
  if (tool === undefined) throw new Error(`There is no ${name}.`)
  return tool
}

const snapshotOf = (...ids: readonly string[]) => ({
  interval: { from: '2026-05-01T00:00:00.000Z', before: '2026-05-02T00:00:00.000Z' },
  entries: ids.map(
    (id) =>
      ({
        id,
        at: '2026-05-01T09:00:00.000Z',
        createdAt: '2026-05-01T09:00:00.000Z',
        text: 'The key hangs behind the door.',
        type: 'note',
        status: 'open',
        currentness: 'current',
        day: '2026-05-01',
      }) as const,
  ),
  coverage: { complete: true },
})

const RANGE = { fromDate: '2026-05-01', throughDate: '2026-05-01', timeZone: 'UTC' }

/** A store whose lookups find one memory and whose chronology holds it. */
function keyStore() {
  const hit = { id: 'm-1', score: 0.8, text: 'The key hangs behind the door.' }
  const store = scriptedStore({ chronology: () => Promise.resolve(snapshotOf('m-1')) })
  const lookUp = store.lookUp?.bind(store)
  store.lookUp = async (query, options) => {
    const lookup = await lookUp?.(query, options)
    if (lookup === undefined) throw new Error('unreachable')
    return { ...lookup, recall: () => ({ hits: [hit], mode: 'hybrid', sections: [] }) }
  }
  return store
}

test('a turn has the tools that store and host agree on', async () => {
  const { memory } = watch(scriptedStore(), { tools: { deny: ['MemoryJournal'] } })
  const turn = await memory.begin(ownersTurn({ tools: { allow: ['MemoryJournal'] } }))
  expect(turn.tools.map(({ name }) => name)).toEqual(['MemoryRecall'])
})

test('MemoryRecall speaks of the journal where there is one', async () => {
  const { memory } = watch(scriptedStore())
  const [both, alone] = await Promise.all([
    memory.begin(ownersTurn()),
    memory.begin(ownersTurn({ tools: { deny: ['MemoryJournal'] } })),
  ])
  expect(named(both.tools, 'MemoryRecall').description).toContain('MemoryJournal')
  expect(named(alone.tools, 'MemoryRecall').description).not.toContain('MemoryJournal')
})

test('hand-off of the turn goes before that of the memory', async () => {
  const { memory } = watch(scriptedStore(), { handOff: { runHistory: 'RunHistory' } })
  const own = await memory.begin(ownersTurn({ handOff: { runHistory: 'Runs' } }))
  const other = await memory.begin(ownersTurn())
  expect(named(own.tools, 'MemoryJournal').description).toContain('Runs')
  expect(named(other.tools, 'MemoryJournal').description).toContain('RunHistory')
})

test('the tools share the lookup that the context was made from', async () => {
  const store = keyStore()
  const turn = await watch(store).memory.begin(ownersTurn())
  const recall = named(turn.tools, 'MemoryRecall')
  await recall.handle({ query: `  ${QUESTION}` })
  await recall.handle({ useOriginalQuery: true })
  expect(store.queries).toEqual([QUESTION])
})

test('after a Remember that changed something the original question is refused, and queries are looked up anew', async () => {
  const store = keyStore()
  const turn = await watch(store).memory.begin(ownersTurn())
  const recall = named(turn.tools, 'MemoryRecall')
  await named(turn.tools, 'Remember').handle({ text: 'Tea is on the shelf.' })
  expect(await recall.handle({ useOriginalQuery: true })).toMatchObject({ isError: true })
  await recall.handle({ query: QUESTION })
  expect(store.queries).toEqual([QUESTION, QUESTION])
})

test('a Remember of what is there already leaves the original question as it was', async () => {
  const store = keyStore()
  store.remember = ({ text }) => Promise.resolve({ status: 'duplicate', id: 'm-1', text })
  const turn = await watch(store).memory.begin(ownersTurn())
  await named(turn.tools, 'Remember').handle({ text: 'The key hangs behind the door.' })
  const result = await named(turn.tools, 'MemoryRecall').handle({ useOriginalQuery: true })
  expect(result.isError).not.toBe(true)
  expect(store.queries).toEqual([QUESTION])
})

test('an access is counted once a turn, whatever delivered the memory', async () => {
  const store = keyStore()
  store.blocks = [block('relevant', line('m-1', '- – The key hangs behind the door.'))]
  const { memory } = watch(store)
  for (let i = 0; i < 2; i++) {
    const turn = await memory.begin(ownersTurn())
    await named(turn.tools, 'MemoryRecall').handle({ query: 'key' })
    await named(turn.tools, 'MemoryRecall').handle({ query: 'door' })
    await named(turn.tools, 'MemoryJournal').handle(RANGE)
  }
  expect(store.accesses).toEqual([['m-1'], ['m-1']])
})

test('what tools delivered is marked in what is handed over', async () => {
  const store = keyStore()
  const turn = await watch(store).memory.begin(ownersTurn())
  const { text } = await named(turn.tools, 'MemoryRecall').handle({ query: 'key' })
  const shown = text.split('\n').find((one) => one.includes('behind the door'))
  await turn.complete(succeeded('r1', { captureText: `Assistant:\n${shown}` }))
  expect(store.turns[0]?.captureText).toMatch(/⟦memory:\d+:[0-9a-f]{16}⟧/)
})

test.each<{ name: string; end: (turn: { complete: unknown; end(): void }) => unknown }>([
  { name: 'ended', end: (turn) => turn.end() },
  { name: 'completed', end: (turn) => (turn.complete as (result: object) => Promise<unknown>)(succeeded('r1')) },
])('the tools of a turn that is $name refuse', async ({ end }) => {
  const store = keyStore()
  const turn = await watch(store).memory.begin(ownersTurn())
  await end({ complete: turn.complete.bind(turn), end: () => turn.end() })
  for (const [name, input] of [
    ['MemoryRecall', { query: 'key' }],
    ['MemoryRecall', { useOriginalQuery: true }],
    ['MemoryJournal', RANGE],
    ['Remember', { text: 'Tea.' }],
  ] as const) {
    const result = await named(turn.tools, name).handle(input)
    expect(result).toMatchObject({ isError: true, structured: { error: { code: 'turn_ended' } } })
  }
  expect(store.queries).toEqual([QUESTION])
})

test('two turns side by side share no lookup, no access count and no marks', async () => {
  const store = keyStore()
  const { memory } = watch(store)
  const [one, two] = await Promise.all([memory.begin(ownersTurn()), memory.begin(ownersTurn())])
  expect(store.queries).toEqual([QUESTION, QUESTION])
  const { text } = await named(one.tools, 'MemoryRecall').handle({ query: 'key' })
  const shown = text.split('\n').find((one) => one.includes('behind the door')) ?? ''
  await named(two.tools, 'Remember').handle({ text: 'Tea is on the shelf.' })
  expect(await named(one.tools, 'MemoryRecall').handle({ useOriginalQuery: true })).not.toMatchObject({ isError: true })
  await one.complete(succeeded('r1', { captureText: shown }))
  await two.complete(succeeded('r2', { captureText: shown }))
  expect(store.turns.map(({ captureText }) => captureText?.startsWith('⟦memory:'))).toEqual([true, false])
})

test('the turn of a store that only recalls has that tool alone', async () => {
  const { capabilities: _left, ...silent } = scriptedStore()
  const turn = await watch(silent).memory.begin(ownersTurn())
  expect(turn.tools.map(({ name }) => name)).toEqual(['MemoryRecall'])
})

test('standalone tools look anew with every call, and count every access', async () => {
  const store = keyStore()
  const tools = createStandaloneTools(store, { scopes: ['agent', 'project:house'] })
  expect(tools.map(({ name }) => name)).toEqual(['MemoryRecall', 'MemoryJournal', 'Remember'])
  const recall = named(tools, 'MemoryRecall')
  await recall.handle({ query: 'key' })
  await recall.handle({ query: 'key' })
  expect(store.queries).toEqual(['key', 'key'])
  expect(store.accesses).toEqual([['m-1'], ['m-1']])
})

test('standalone tools know of no original question', async () => {
  const store = keyStore()
  const result = await named(createStandaloneTools(store), 'MemoryRecall').handle({ useOriginalQuery: true })
  expect(result).toMatchObject({ isError: true })
  expect(store.queries).toEqual([])
})

test('standalone tools are gated like those of a turn', () => {
  const names = createStandaloneTools(scriptedStore(), { tools: { deny: ['Remember'] } }).map(({ name }) => name)
  expect(names).toEqual(['MemoryRecall', 'MemoryJournal'])
})

test('a standalone journal goes on after as many ranges as one request may read', async () => {
  const journal = named(createStandaloneTools(keyStore()), 'MemoryJournal')
  for (let i = 0; i < 20; i++) expect(await journal.handle(RANGE)).not.toMatchObject({ isError: true })
})

test('ranges that a client of standalone tools reads side by side can all be read on', async () => {
  const store = scriptedStore({ chronology: () => Promise.resolve(snapshotOf('m-1', 'm-2')) })
  const journal = named(createStandaloneTools(store), 'MemoryJournal')
  const pages = await Promise.all(Array.from({ length: 8 }, () => journal.handle({ ...RANGE, limit: 1 })))
  const cursors = pages.map(({ structured }) => structured['nextCursor'])
  expect(new Set(cursors).size).toBe(8)
  for (const cursor of cursors) expect(await journal.handle({ cursor })).not.toMatchObject({ isError: true })
  for (const cursor of cursors) {
    expect(await journal.handle({ cursor })).toMatchObject({ structured: { error: { code: 'cursor_refused' } } })
  }
})

test('the journal of a turn does not', async () => {
  const turn = await watch(keyStore()).memory.begin(ownersTurn())
  const journal = named(turn.tools, 'MemoryJournal')
  for (let i = 0; i < 4; i++) expect(await journal.handle(RANGE)).not.toMatchObject({ isError: true })
  expect(await journal.handle(RANGE)).toMatchObject({ structured: { error: { code: 'journal_full' } } })
})
