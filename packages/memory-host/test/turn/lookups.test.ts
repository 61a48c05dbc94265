import { expect, test } from 'vitest'
import { Lookups, MAX_LOOKUPS } from '../../src/turn/lookups.js'
import { scriptedStore } from './support.js'

function lookups(question = 'Where is the key?') {
  const store = scriptedStore()
  return { store, turn: new Lookups(store, ['agent'], question) }
}

test.each([
  { name: 'the same', first: 'spare key', second: 'spare key', looks: 1 },
  { name: 'the same but for white space', first: 'spare key', second: '  spare\n key ', looks: 1 },
  { name: 'the same in another form', first: 'caf\u00e9', second: 'cafe\u0301', looks: 1 },
  { name: 'another', first: 'spare key', second: 'spare keys', looks: 2 },
  { name: 'in another case', first: 'May', second: 'may', looks: 2 },
])('a query that is $name: $looks looks', async ({ first, second, looks }) => {
  const { store, turn } = lookups()
  await turn.lookUp(first, {})
  await turn.lookUp(second, {})
  expect(store.queries).toHaveLength(looks)
})

test.each([
  { name: 'kind', filters: { kind: 'preference' } as const },
  { name: 'about', filters: { about: 'person:ana' } },
])('another $name is another look', async ({ filters }) => {
  const { store, turn } = lookups()
  await turn.lookUp('tea', {})
  await turn.lookUp('tea', filters)
  await turn.lookUp('tea', filters)
  expect(store.lookOptions).toMatchObject([{}, filters])
})

test('a look under way is shared, with the one for context and the one for the question', async () => {
  const { store, turn } = lookups()
  const [automatic, tool, original] = await Promise.all([
    turn.ofQuestion('c', undefined),
    turn.lookUp(' Where  is the key?', {}),
    turn.original(),
  ])
  expect(tool).toBe(automatic)
  expect(original).toBe(automatic)
  expect(store.lookOptions).toMatchObject([{ apartFrom: 'c' }])
})

test('a failed look is told to all who wait for it, and made again by the next', async () => {
  const { store, turn } = lookups()
  store.failure = new Error('down')
  const both = await Promise.allSettled([turn.lookUp('tea', {}), turn.lookUp('tea', {})])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(store.queries).toHaveLength(1)
  store.failure = undefined
  await expect(turn.lookUp('tea', {})).resolves.toMatchObject({ mode: 'hybrid' })
})

test('who stops waiting leaves the look to the others', async () => {
  const { store, turn } = lookups()
  let open = (): void => undefined
  store.gate = new Promise((resolve) => (open = resolve))
  const controller = new AbortController()
  const leaving = turn.lookUp('tea', { signal: controller.signal })
  const staying = turn.lookUp('tea', {})
  controller.abort(new Error('enough'))
  await expect(leaving).rejects.toThrow('enough')
  open()
  await expect(staying).resolves.toMatchObject({ mode: 'hybrid' })
  expect(store.queries).toHaveLength(1)
})

test('who is aborted before asking has nothing looked up', async () => {
  const { store, turn } = lookups()
  await expect(turn.lookUp('tea', { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
  expect(store.queries).toEqual([])
})

test('the end of the turn aborts what it still looks up', async () => {
  const { store, turn } = lookups()
  const lookUp = turn.lookUp('tea', {})
  turn.end()
  await expect(lookUp).rejects.toThrow('aborted')
  expect(store.lookOptions).toMatchObject([{ signal: { aborted: true } }])
})

test.each([
  { name: 'for a query', wait: (turn: Lookups) => turn.lookUp('tea', {}) },
  { name: 'for the question', wait: (turn: Lookups) => turn.original() },
  { name: 'for context', wait: (turn: Lookups) => turn.ofQuestion('c', undefined) },
])('nobody waits $name longer than the turn goes on, whatever the store does', async ({ wait }) => {
  const { store, turn } = lookups()
  store.gate = new Promise(() => undefined)
  const waiting = wait(turn)
  turn.end()
  await expect(waiting).rejects.toThrow('aborted')
})

test.each([
  { name: 'a query', wait: (turn: Lookups, signal: AbortSignal) => turn.lookUp('tea', { signal }) },
  { name: 'the question', wait: (turn: Lookups, signal: AbortSignal) => turn.original(signal) },
  { name: 'context', wait: (turn: Lookups, signal: AbortSignal) => turn.ofQuestion('c', signal) },
])('a signal ends the waiting for $name', async ({ wait }) => {
  const { store, turn } = lookups()
  store.gate = new Promise(() => undefined)
  const controller = new AbortController()
  const waiting = wait(turn, controller.signal)
  controller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})

test('after a write all is looked up anew, and the question cannot be used', async () => {
  const { store, turn } = lookups()
  const before = await turn.ofQuestion('c', undefined)
  await turn.lookUp('tea', {})
  expect(turn.changes()).toBe(0)
  turn.changed()
  expect(turn.changes()).toBe(1)
  expect(await turn.original()).toBe('written')
  expect(await turn.lookUp('Where is the key?', {})).not.toBe(before)
  await turn.lookUp('tea', {})
  expect(store.queries).toHaveLength(4)
})

test('a write while the question is looked up counts', async () => {
  const { turn } = lookups()
  const original = turn.original()
  turn.changed()
  expect(await original).toBe('written')
})

test.each([
  { name: 'nothing was asked', question: '', after: () => undefined, reason: 'empty' },
  { name: 'the turn is over', question: 'Key?', after: (turn: Lookups) => turn.end(), reason: 'ended' },
  {
    name: 'the turn is over after a write',
    question: 'Key?',
    after: (turn: Lookups) => {
      turn.changed()
      turn.end()
    },
    reason: 'ended',
  },
])('the question cannot be used when $name', async ({ question, after, reason }) => {
  const { store, turn } = lookups(question)
  after(turn)
  expect(await turn.original()).toBe(reason)
  expect(store.queries).toEqual([])
})

test('a turn keeps so many looks, that of its question always', async () => {
  const { store, turn } = lookups('Key?')
  await turn.original()
  for (let i = 1; i < MAX_LOOKUPS; i++) await turn.lookUp(`q${i}`, {})
  await turn.lookUp('q1', {})
  expect(store.queries).toHaveLength(MAX_LOOKUPS)
  await turn.lookUp('one more', {})
  await turn.original()
  await turn.lookUp('q2', {})
  expect(store.queries).toHaveLength(MAX_LOOKUPS + 1)
  await turn.lookUp('q1', {})
  expect(store.queries).toHaveLength(MAX_LOOKUPS + 2)
})

test('a backend without lookUp is recalled from once, in its own order, and gives nothing automatic', async () => {
  const asked: unknown[] = []
  const hits = Array.from({ length: 12 }, (_, i) => ({ id: `m-${i}`, score: i, text: `${i}` }))
  const { lookUp: _left, ...backend } = scriptedStore({
    recallWithOutcome: (query, options) => {
      asked.push([query, options])
      return Promise.resolve({ hits, mode: 'hybrid' as const, degraded: { reason: 'slow' }, sections: [] })
    },
  })
  const turn = new Lookups(backend, ['agent'], 'Key?')
  const lookup = await turn.lookUp('tea', { kind: 'lesson' })
  expect(asked).toMatchObject([['tea', { kind: 'lesson', limit: 50, scopes: ['agent'] }]])
  expect(lookup).toMatchObject({ mode: 'hybrid', degraded: { reason: 'slow' } })
  expect(lookup.recall().hits).toEqual(hits.slice(0, 10))
  expect(lookup.recall({ limit: 50 }).hits).toEqual(hits)
  for (const limit of [0, 51, 1.5]) expect(() => lookup.recall({ limit })).toThrow(RangeError)
  expect(lookup.automatic({ blocks: ['relevant'] })).toEqual([])
})
