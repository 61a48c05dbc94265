import { StoreError } from '@mono-agent/memory-store'
import { expect, test } from 'vitest'
import { block, CAPABILITIES, line, ownersTurn, QUESTION, scriptedStore, succeeded, watch } from './support.js'

const KEY = line('m-1', '- – The spare key hangs behind the door. (recorded 2026-05-01; current)')

test('a turn gives its context, counts it once and hands the turn over', async () => {
  const store = scriptedStore()
  store.blocks = [block('relevant', KEY, line('m-1', '- – Again.'))]
  const { memory, events } = watch(store)
  const turn = await memory.begin(ownersTurn())
  expect(turn.context.text).toContain(KEY.text)
  expect(turn.context.bytes).toBe(Buffer.byteLength(turn.context.text))
  expect(turn.context.memoryIds).toEqual(['m-1'])
  expect(turn.context.appendTo('Hi')).toBe(`Hi\n\n${turn.context.text}`)
  expect(store.accesses).toEqual([['m-1']])
  expect(await turn.complete(succeeded('r1'))).toEqual({ status: 'admitted', id: '0'.repeat(64) })
  expect(store.turns).toMatchObject([{ runId: 'r1', conversationId: 'web:1', captureSpeakerKind: 'human-turn' }])
  expect(events).toEqual([
    { kind: 'memory_recalled', blocks: [{ kind: 'relevant', lines: 2 }], memories: 1, bytes: turn.context.bytes },
  ])
})

test('a turn with nothing to say leaves the message as it is, and says nothing', async () => {
  const { memory, events } = watch(scriptedStore())
  const { context } = await memory.begin(ownersTurn())
  expect(context).toMatchObject({ text: '', bytes: 0, memoryIds: [] })
  expect(context.appendTo(QUESTION)).toBe(QUESTION)
  expect(events).toEqual([])
})

test('the store is asked for the turn: its question, its conversation, its audience', async () => {
  const store = scriptedStore()
  const { memory } = watch(store)
  await memory.begin(
    ownersTurn({ message: `[tag]  ${QUESTION}`, ownerText: QUESTION, attachmentText: 'Invoice 7', project: 'house' }),
  )
  expect(store.queries).toEqual([`${QUESTION} Invoice 7`])
  expect(store.lookOptions).toMatchObject([{ apartFrom: 'web:1' }])
  expect(store.requests).toEqual([
    {
      blocks: ['profile', 'person', 'background', 'relevant'],
      conversationId: 'web:1',
      scopes: ['user:morgan', 'conversation:web:1', 'project:house', 'agent'],
      message: QUESTION,
    },
  ])
})

test.each([
  { name: 'a failure of the store', failure: new StoreError('store_closed', 'Closed.'), code: 'store_closed' },
  { name: 'a failure of something else', failure: new Error('secret'), code: 'unexpected' },
])('begin goes on without context after $name', async ({ failure, code }) => {
  const store = scriptedStore()
  store.failure = failure
  const { memory, events } = watch(store)
  const turn = await memory.begin(ownersTurn())
  expect(turn.context.text).toBe('')
  expect(events).toEqual([{ kind: 'memory_recall_unavailable', code }])
  expect(await turn.complete(succeeded('r1'))).toMatchObject({ status: 'admitted' })
})

test('the signal of a turn ends what begin waits for, and nothing else', async () => {
  const store = scriptedStore()
  store.gate = new Promise(() => undefined)
  const { memory, events } = watch(store)
  const controller = new AbortController()
  const beginning = memory.begin(ownersTurn({ signal: controller.signal }))
  controller.abort('enough')
  const turn = await beginning
  expect(events).toEqual([{ kind: 'memory_recall_unavailable', code: 'aborted' }])
  expect(await turn.complete(succeeded('r1'))).toMatchObject({ status: 'admitted' })
})

test('dispose ends what begin still waits for', async () => {
  const store = scriptedStore()
  store.gate = new Promise(() => undefined)
  const { memory, events } = watch(store)
  const beginning = memory.begin(ownersTurn())
  memory.dispose()
  const turn = await beginning
  expect(events).toEqual([{ kind: 'memory_recall_unavailable', code: 'aborted' }])
  await expect(turn.complete(succeeded('r1'))).rejects.toMatchObject({ code: 'turn_ended' })
})

test.each([
  {
    name: 'throws',
    noteAccess: () => {
      throw new Error('closed')
    },
  },
  { name: 'rejects later', noteAccess: () => Promise.reject(new Error('closed')) as unknown as void },
])('a store whose count of accesses $name costs the turn nothing', async ({ noteAccess }) => {
  const store = scriptedStore({ noteAccess })
  store.blocks = [block('relevant', KEY)]
  const turn = await watch(store).memory.begin(ownersTurn())
  expect(turn.context.memoryIds).toEqual(['m-1'])
})

test.each([
  { name: 'an embedding outage', degraded: 'embedding_unreachable', reason: 'embedding_unreachable' },
  { name: 'a tier of words alone', degraded: undefined, reason: 'words_only' },
])('of $name only the profile is left', async ({ degraded, reason }) => {
  const store = scriptedStore()
  store.blocks = [block('profile', line('m-2', '- Vegetarian.')), block('relevant', KEY), block('person', KEY)]
  store.mode = 'lexical'
  store.degraded = degraded
  const { memory, events } = watch(store)
  const { context } = await memory.begin(ownersTurn())
  expect(context.memoryIds).toEqual(['m-2'])
  expect(store.requests.map(({ blocks }) => blocks)).toEqual([['profile']])
  expect(events.map(({ kind }) => kind)).toEqual(['memory_lexical_only', 'memory_recalled'])
  expect(events[0]).toEqual({ kind: 'memory_lexical_only', reason })
})

test('an empty question is no lookup that failed', async () => {
  const store = scriptedStore()
  store.mode = 'lexical'
  const { memory, events } = watch(store)
  await memory.begin(ownersTurn({ message: ' \n' }))
  expect(events).toEqual([])
})

test('a turn that may have nothing automatic asks the store for nothing', async () => {
  const store = scriptedStore()
  const { memory } = watch(store)
  await memory.begin(ownersTurn({ speaker: { kind: 'user', token: 'sam' } }))
  expect(store.queries).toEqual([])
})

test('manual-write guidance comes after the memory and within the same budget', async () => {
  const sizes = new Set<number>()
  for (let maxContextBytes = 1_000; maxContextBytes < 1_060; maxContextBytes++) {
    const store = scriptedStore({
      capabilities: { ...CAPABILITIES, skippedSources: ['conversation'], maxContextBytes },
    })
    store.blocks = [
      block('relevant', ...Array.from({ length: 40 }, (_, i) => line(`m-${i}`, `- – Line ${i} of the box.`))),
    ]
    const { context } = await watch(store).memory.begin(ownersTurn())
    expect(context.text).toMatch(/^<memory>[\s\S]*<\/memory>\n\n<memory-guidance>[\s\S]*<\/memory-guidance>$/)
    sizes.add(maxContextBytes - context.bytes)
  }
  expect(Math.min(...sizes)).toBe(0)
})

test.each(['failed', 'cancelled', 'interrupted'] as const)('a turn that %s is not admitted', async (status) => {
  const store = scriptedStore()
  const turn = await watch(store).memory.begin(ownersTurn())
  expect(await turn.complete({ ...succeeded('r1'), status })).toEqual({ status: 'not_admitted', reason: status })
  expect(store.turns).toEqual([])
})

test('an isolated turn is not admitted', async () => {
  const store = scriptedStore()
  const turn = await watch(store).memory.begin(ownersTurn({ isIsolated: true }))
  expect(await turn.complete(succeeded('r1'))).toEqual({ status: 'not_admitted', reason: 'isolated' })
  expect(store.turns).toEqual([])
})

test('a store that only reads admits nothing', async () => {
  const { persistCompletedTurn: _left, ...store } = scriptedStore()
  const turn = await watch(store).memory.begin(ownersTurn())
  expect(await turn.complete(succeeded('r1'))).toEqual({ status: 'not_admitted', reason: 'read_only' })
})

test.each([
  {
    name: 'that says what it left',
    failure: new StoreError('store_closed', 'Closed.', { outcome: 'not_written' }),
    degraded: { code: 'store_closed', outcome: 'not_written' },
  },
  {
    name: 'that does not',
    failure: new StoreError('storage_failed', 'Disk.'),
    degraded: { code: 'storage_failed', outcome: 'unknown' },
  },
  { name: 'of a kind of its own', failure: new Error('secret'), degraded: { code: 'unexpected', outcome: 'unknown' } },
])('a failed admission $name is degraded, never thrown', async ({ failure, degraded }) => {
  const store = scriptedStore()
  store.persist = () => Promise.reject(failure)
  const { memory, events } = watch(store)
  const turn = await memory.begin(ownersTurn())
  expect(await turn.complete(succeeded('r1'))).toEqual({ status: 'degraded', ...degraded })
  expect(events).toEqual([{ kind: 'memory_degraded', ...degraded }])
})

test('what the store skips is passed on', async () => {
  const store = scriptedStore()
  store.persist = () => Promise.resolve({ status: 'skipped', reason: 'low_signal' })
  const turn = await watch(store).memory.begin(ownersTurn())
  expect(await turn.complete(succeeded('r1'))).toEqual({ status: 'skipped', reason: 'low_signal' })
})

test('a turn is completed once, also when both are called at once', async () => {
  const store = scriptedStore()
  const turn = await watch(store).memory.begin(ownersTurn())
  const [first, second] = await Promise.allSettled([turn.complete(succeeded('r1')), turn.complete(succeeded('r1'))])
  expect(first).toMatchObject({ status: 'fulfilled' })
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'turn_ended' } })
  expect(store.turns).toHaveLength(1)
})

test('after its end a turn takes nothing more, and may be ended again', async () => {
  const turn = await watch(scriptedStore()).memory.begin(ownersTurn())
  turn.end()
  turn.end()
  await expect(turn.complete(succeeded('r1'))).rejects.toMatchObject({ code: 'turn_ended' })
  expect(() => turn.followUp('And the shed?')).toThrow(expect.objectContaining({ code: 'turn_ended' }))
})

test('a result that is none leaves the turn as it was', async () => {
  const turn = await watch(scriptedStore()).memory.begin(ownersTurn())
  await expect(turn.complete({ ...succeeded('r1'), status: 'done' } as never)).rejects.toThrow(TypeError)
  expect(await turn.complete(succeeded('r1'))).toMatchObject({ status: 'admitted' })
})

test('dispose ends turns under way, those that are being made too, and not the store', async () => {
  const store = scriptedStore()
  let open = (): void => undefined
  const { memory } = watch(store)
  const running = await memory.begin(ownersTurn())
  store.gate = new Promise((resolve) => (open = resolve))
  const beginning = memory.begin(ownersTurn({ message: `${QUESTION} And the shed's?` }))
  memory.dispose()
  open()
  await expect(running.complete(succeeded('r1'))).rejects.toMatchObject({ code: 'turn_ended' })
  await expect((await beginning).complete(succeeded('r2'))).rejects.toMatchObject({ code: 'turn_ended' })
  const after = await memory.begin(ownersTurn())
  expect(await after.complete(succeeded('r3'))).toMatchObject({ status: 'admitted' })
})

test('a listener that throws or rejects costs a turn nothing', async () => {
  const store = scriptedStore()
  store.failure = new Error('down')
  for (const onEvent of [
    () => Promise.reject(new Error('no')),
    () => {
      throw new Error('no')
    },
  ]) {
    const turn = await watch(store, { onEvent }).memory.begin(ownersTurn())
    expect(await turn.complete(succeeded('r1'))).toMatchObject({ status: 'admitted' })
  }
})

test('owner text that is not the tail of its message is said; the whole message is used', async () => {
  const store = scriptedStore()
  const { memory, events } = watch(store)
  const turn = await memory.begin(ownersTurn({ ownerText: 'Something else entirely' }))
  turn.followUp('[tag] And the shed?', 'And the shed?')
  turn.followUp('[tag] And the attic?', 'attic')
  expect(events).toEqual([{ kind: 'owner_text_ignored' }, { kind: 'owner_text_ignored' }])
  await turn.complete(succeeded('r1'))
  expect(store.queries).toEqual([QUESTION])
  expect(store.turns[0]?.captureEvidence?.userText).toBe(`${QUESTION}\n\nAnd the shed?\n\n[tag] And the attic?`)
})
