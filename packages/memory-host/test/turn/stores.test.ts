import { expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { decidingModel, type DecidingModel } from '../../../memory-bujo/test/capture/attack/deciding-model.js'
import {
  canonicalBytes,
  extraction,
  keepAll,
  memory as stated,
  openBujo,
  ownerTurn,
  scriptedModel,
  wordEmbeddings,
  type BujoOptions,
} from '../../../memory-bujo/test/support/bujo.js'
import { NOON, openStore, texts } from '../../../memory-bujo/test/support/open-store.js'
import type { ChatRequest } from '@mono-agent/memory-bujo'
import type { HostEvent, MemoryTurn, TurnContext } from '../../src/index.js'
import { ownersTurn, succeeded, watch } from './support.js'

const DAY_MS = 86_400_000
const KEY = 'The spare key of the cellar hangs behind the kitchen door.'
const TEA = 'Morgan drinks nothing but green tea in the morning.'
const ASKS_FOR_KEY = 'Where hangs the spare key of the cellar, behind the kitchen door?'

const recall = async (turn: MemoryTurn, input: object) => {
  const tool = turn.tools.find(({ name }) => name === 'MemoryRecall')
  if (tool === undefined) throw new Error('There is no MemoryRecall.')
  return tool.handle(input)
}

const kinds = (events: readonly HostEvent[]) => events.map(({ kind }) => kind)

test('over lite: nothing automatic, the tools remember and recall, the finished turn is remembered', async () => {
  const store = await openStore(makeTemporaryRoot())
  const { memory, events } = watch(store)
  const turn = await memory.begin(ownersTurn({ message: ASKS_FOR_KEY }))
  expect(turn.context.text).toBe('')
  expect(events).toEqual([{ kind: 'memory_lexical_only', reason: 'words_only' }])
  expect(turn.tools.map(({ name }) => name)).toEqual(['MemoryRecall', 'MemoryJournal', 'Remember'])
  await turn.tools[2]?.handle({ text: KEY })
  expect((await recall(turn, { query: 'spare key' })).text).toContain(KEY)
  expect(await turn.complete(succeeded('r1', { summary: TEA }))).toMatchObject({ status: 'admitted' })
  await store.flush()
  expect(await texts(store, 'green tea')).toEqual([TEA])
})

test('a turn that was completed before a crash of the host is a duplicate when it is completed again', async () => {
  const store = await openStore(makeTemporaryRoot())
  const { memory } = watch(store)
  const complete = async () => (await memory.begin(ownersTurn())).complete(succeeded('r1'))
  expect(await complete()).toMatchObject({ status: 'admitted' })
  expect(await complete()).toMatchObject({ status: 'duplicate' })
})

test.each(['failed', 'cancelled', 'interrupted'] as const)('of a turn that %s nothing is stored', async (status) => {
  const store = await openStore(makeTemporaryRoot())
  const turn = await watch(store).memory.begin(ownersTurn())
  await turn.complete({ ...succeeded('r1'), status })
  expect(await store.turnStatus('r1')).toEqual({ state: 'unknown' })
})

test('a turn that says there is nothing to report is skipped', async () => {
  const store = await openStore(makeTemporaryRoot())
  const turn = await watch(store).memory.begin(ownersTurn())
  const outcome = await turn.complete(succeeded('r1', { finalAnswer: 'Looked.\nNOTHING_TO_REPORT' }))
  expect(outcome).toEqual({ status: 'skipped', reason: 'low_signal' })
})

test('a scheduled turn remembers its answer, not its prompt', async () => {
  const store = await openStore(makeTemporaryRoot())
  const turn = await watch(store).memory.begin({
    conversationId: 'cron:backup',
    message: 'PROMPT: check the backups',
    source: { kind: 'cron', label: 'nightly' },
  })
  await turn.complete(succeeded('r1', { summary: 'PROMPT: all fine', finalAnswer: 'All backups are fine.' }))
  await store.flush()
  expect(await texts(store, 'backups')).toEqual(['All backups are fine.'])
})

test('a store that was closed degrades turns and throws none', async () => {
  const store = await openStore(makeTemporaryRoot())
  const { memory, events } = watch(store)
  await store.close()
  const turn = await memory.begin(ownersTurn())
  expect(await recall(turn, { query: 'key' })).toMatchObject({ isError: true })
  expect(await turn.complete(succeeded('r1'))).toEqual({
    status: 'degraded',
    code: 'store_closed',
    outcome: 'not_written',
  })
  expect(kinds(events)).toEqual(['memory_recall_unavailable', 'memory_degraded'])
})

interface Opened {
  readonly root: string
  readonly llm: DecidingModel
  readonly store: Awaited<ReturnType<typeof openBujo>>
  /** Lets a turn of the owner be captured, each a day after the one before. */
  learn(...lines: readonly string[]): Promise<void>
}

async function openLearned(options: BujoOptions = {}): Promise<Opened> {
  const root = makeTemporaryRoot()
  const llm = decidingModel()
  let now = NOON
  let run = 0
  const store = await openBujo(root, llm, { now: () => now, embeddings: wordEmbeddings(2_048), ...options })
  const learn = async (...lines: readonly string[]): Promise<void> => {
    for (const line of lines) {
      now += DAY_MS
      llm.next = extraction(stated(line))
      await store.persistCompletedTurn(ownerTurn(`learn-${(run += 1)}`, line, { conversationId: 'web:earlier' }))
      await store.flush()
    }
  }
  await learn(KEY, TEA)
  return { root, llm, store, learn }
}

const quiet = (runId: string) => succeeded(runId, { finalAnswer: 'NOTHING_TO_REPORT' })

test('over bujo: unchanged context is the same bytes, twenty turns long, whatever was recalled', async () => {
  const { store } = await openLearned()
  const { memory, events } = watch(store)
  const contexts = new Set<string>()
  for (let i = 0; i < 20; i++) {
    const turn = await memory.begin(ownersTurn({ message: ASKS_FOR_KEY }))
    contexts.add(turn.context.appendTo(ASKS_FOR_KEY))
    await recall(turn, { query: 'green tea' })
    await turn.complete(quiet(`r${i}`))
  }
  expect([...contexts]).toHaveLength(1)
  const [context = ''] = contexts
  expect(context.startsWith(`${ASKS_FOR_KEY}\n\n<memory>\n`)).toBe(true)
  expect(context).toContain(KEY)
  expect(new Set(kinds(events))).toEqual(new Set(['memory_recalled']))
})

test.each<{ name: string; turn: Partial<TurnContext> }>([
  { name: 'another user', turn: { speaker: { kind: 'user', token: 'sam' } } },
  { name: 'somebody unknown', turn: { speaker: { kind: 'unknown' } } },
  { name: 'a peer', turn: { source: { kind: 'peer' } } },
  { name: 'an ended process', turn: { wake: 'process_completion' } },
])('over bujo: $name gets nothing automatic, and the tools find it all the same', async ({ turn: more }) => {
  const { store } = await openLearned()
  const turn = await watch(store).memory.begin(ownersTurn({ message: ASKS_FOR_KEY, ...more }))
  expect(turn.context.text).toBe('')
  expect((await recall(turn, { query: 'spare key of the cellar' })).text).toContain(KEY)
})

test.each<{ name: string; turn: Partial<TurnContext>; blocks: readonly object[] }>([
  { name: 'the conversation that it comes from', turn: { conversationId: 'web:earlier#2026-05-09' }, blocks: [] },
  { name: 'a short message', turn: { message: 'key behind door?' }, blocks: [{ kind: 'background', lines: 1 }] },
])('over bujo: $name gets no possibly relevant lines', async ({ turn: more, blocks }) => {
  const { store } = await openLearned()
  const { memory, events } = watch(store)
  await memory.begin(ownersTurn({ message: ASKS_FOR_KEY, ...more }))
  expect(events.flatMap((event) => (event.kind === 'memory_recalled' ? event.blocks : []))).toEqual(blocks)
})

test('over bujo: useOriginalQuery gives what the context was made from, without another look', async () => {
  const embeddings = wordEmbeddings(2_048)
  const { store } = await openLearned({ embeddings })
  const { memory } = watch(store)
  const turn = await memory.begin(ownersTurn({ message: ASKS_FOR_KEY }))
  const asked = embeddings.texts.length
  expect((await recall(turn, { useOriginalQuery: true })).text).toContain(KEY)
  expect(embeddings.texts).toHaveLength(asked)
})

test('over bujo: a changed profile is sent to a session once', async () => {
  const llm = scriptedModel()
  const store = await openBujo(makeTemporaryRoot(), llm, { profile: { enabled: true } })
  const learn = async (runId: string, line: string): Promise<void> => {
    llm.script({ extract: extraction(stated(line)), review: keepAll(1) })
    await store.persistCompletedTurn(ownerTurn(runId, line, { conversationId: 'web:earlier' }))
    await store.flush()
  }
  const { memory } = watch(store)
  const context = async (state: 'cold' | 'retained', runId: string): Promise<string> => {
    const turn = await memory.begin(ownersTurn({ message: 'Good morning!', session: { id: 's', state } }))
    await turn.complete(quiet(runId))
    return turn.context.text
  }
  await learn('l1', 'I am a vegetarian.')
  expect(await context('cold', 'r1')).toContain('vegetarian')
  expect(await context('retained', 'r2')).toBe('')
  await learn('l2', 'My home town is Lund.')
  expect(await context('retained', 'r3')).toMatch(/vegetarian[\s\S]*Lund|Lund[\s\S]*vegetarian/)
  for (let i = 4; i < 24; i++) expect(await context('retained', `r${i}`)).toBe('')
})

test('over bujo: a profile stands although the embedding service is down', async () => {
  const embeddings = wordEmbeddings()
  let isDown = false
  const flaky: typeof embeddings = {
    ...embeddings,
    embed: (given, options) =>
      isDown ? Promise.reject(new Error('down')) : Promise.resolve(embeddings.embed(given, options)),
  }
  const llm = scriptedModel()
  const store = await openBujo(makeTemporaryRoot(), llm, { profile: { enabled: true }, embeddings: flaky })
  llm.script({ extract: extraction(stated('I am a vegetarian.')), review: keepAll(1) })
  await store.persistCompletedTurn(ownerTurn('l1', 'I am a vegetarian.', { conversationId: 'web:earlier' }))
  await store.flush()
  isDown = true
  const { memory, events } = watch(store)
  const turn = await memory.begin(ownersTurn({ message: 'What did I say about being a vegetarian?' }))
  expect(turn.context.text).toContain('vegetarian')
  expect(kinds(events)).toEqual(['memory_lexical_only', 'memory_recalled'])
})

/** Says as much as it can quote: every line that it is shown. */
function eager(llm: DecidingModel): DecidingModel {
  const answer = llm.complete.bind(llm)
  llm.complete = (request: ChatRequest) => {
    if (request.stage === 'extract') {
      const seen = [KEY, TEA].filter((line) => request.user.includes(line))
      llm.next = extraction(
        ...seen.map((line) => stated(`Noted anew: ${line}`, { source: 'assistant', quote: line, salience: 1 })),
      )
    }
    return answer(request)
  }
  return llm
}

test('a hundred turns that repeat what memory delivered leave the store unchanged (CAP-28)', async () => {
  const { root, llm, store } = await openLearned()
  const { memory } = watch(store)
  const before = canonicalBytes(root)
  const asked = eager(llm).requests.length
  for (let i = 0; i < 100; i++) {
    const [line, question] = i % 2 === 0 ? [KEY, ASKS_FOR_KEY] : [TEA, 'Does Morgan drink green tea in the morning?']
    const turn = await memory.begin(ownersTurn({ message: question }))
    const tool = await recall(turn, { query: line })
    expect(turn.context.text + tool.text).toContain(line)
    const quoted = tool.text.replaceAll(/^/gm, '> ')
    const captureText =
      i % 4 < 2
        ? `User: ${question}\n${turn.context.text}\nTool:\n${tool.text}\nAssistant:\n${quoted}`
        : JSON.stringify([{ user: turn.context.appendTo(question) }, { tool: JSON.stringify({ text: tool.text }) }])
    await turn.complete(succeeded(`r${i}`, { summary: 'Told what is known.', captureText }))
    await store.flush()
    expect(await store.turnStatus(`r${i}`)).toMatchObject({ state: 'curated' })
  }
  expect(canonicalBytes(root)).toEqual(before)
  const prompts = llm.requests.slice(asked).map(({ user }) => user)
  expect(prompts).toHaveLength(100)
  for (const line of [KEY, TEA]) expect(prompts.filter((prompt) => prompt.includes(line))).toEqual([])
}, 60_000)
