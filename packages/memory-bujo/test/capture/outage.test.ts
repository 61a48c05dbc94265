import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAX_ATTEMPTS } from '@mono-agent/memory-intake'
import { EmbeddingError } from '@mono-agent/memory-search'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  scriptedCapture,
  startModelServer,
  type CaptureCall,
  type ChatAnswer,
  type Fault,
  type ModelServer,
} from '../../../../test/model-server/index.js'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { failureOf } from '../../src/capture/failure-category.js'
import { ContractError } from '../../src/capture/contract/contract-error.js'
import { ChatError } from '../../src/chat/errors.js'
import { createMemoryStore, openMemoryReader, retryTurns, type BuiltInMemoryStore } from '../../src/index.js'
import { extraction, keepAll, memory, ownerTurn, sentences } from '../support/bujo.js'
import { HOUR_MS, simulatedClock, type SimulatedClock } from '../support/simulated-clock.js'

const EMBEDDING_MODEL = 'nomic-embed-text:v1.5'
const TIMEOUT_MS = 61_000
const PATHS = { ollama: '/api/chat', openai: '/v1/chat/completions' } as const

const said = (hour: number): string => `In hour ${hour} the ferry carried ${hour * 7} crates of oranges.`
const turnOf = (hour: number) => ownerTurn(`run-${hour}`, said(hour))

/** Extracts the one sentence of the turn, and keeps every line. */
function goodModel() {
  return scriptedCapture({
    extract: ({ user }: CaptureCall) => {
      const [sentence] = /In hour \d+ the ferry carried \d+ crates of oranges\./.exec(user) ?? []
      if (sentence === undefined) throw new Error('The prompt holds no turn.')
      return { ...extraction(memory(sentence)) }
    },
    review: ({ user }: CaptureCall) => keepAll(linesIn(user)),
  })
}

function linesIn(user: string): number {
  const [, json] = /<lines>\n(.*)\n<\/lines>/.exec(user) ?? []
  return (JSON.parse(json ?? 'null') as unknown[]).length
}

interface Bench {
  readonly root: string
  readonly server: ModelServer
  readonly clock: SimulatedClock
  readonly config: Parameters<typeof createMemoryStore>[0]
  open(): Promise<BuiltInMemoryStore>
}

/** A store on real HTTP whose time a test moves. */
async function openBench(provider: keyof typeof PATHS): Promise<Bench> {
  const server = await startModelServer({
    models: [{ name: EMBEDDING_MODEL, serves: 'hash-768' }],
    cacheDirectory: null,
  })
  onTestFinished(() => server.close())
  const clock = simulatedClock()
  const root = makeTemporaryRoot()
  const endpoint = provider === 'openai' ? `${server.url}/v1` : server.url
  const config = {
    mode: 'bujo' as const,
    writeMode: 'capture' as const,
    path: root,
    embeddings: { endpoint: server.url, model: EMBEDDING_MODEL },
    llm: { provider, model: 'scripted-chat', endpoint, timeoutMs: TIMEOUT_MS },
  }
  const open = async (): Promise<BuiltInMemoryStore> => {
    const store = await createMemoryStore(config, clock.host)
    onTestFinished(async () => {
      server.faults.clear()
      await store.close()
    })
    return store
  }
  return { root, server, clock, config, open }
}

/** Lines of all audit files that hold these words. */
const auditLines = (root: string, words: string): number =>
  readdirSync(join(root, 'audit')).flatMap((name) =>
    readFileSync(join(root, 'audit', name), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('- ') && line.includes(words)),
  ).length

type Outage = { readonly name: string } & ({ readonly fault: Fault } | { readonly says: string | ChatAnswer })

const OUTAGES: readonly Outage[] = [
  { name: 'the connection breaks', fault: { kind: 'drop' } },
  { name: 'it fails inside', fault: { kind: 'status', status: 500 } },
  { name: 'it wants no more requests', fault: { kind: 'status', status: 429, retryAfterSeconds: 1 } },
  { name: 'half an answer', fault: { kind: 'half-body' } },
  { name: 'a page of a proxy', fault: { kind: 'invalid-json' } },
  { name: 'it never answers', fault: { kind: 'hold' } },
  { name: 'prose', says: 'Sure! Here is what I would remember.' },
  { name: 'two values', says: '{"memories":[],"entities":[],"relations":[]} {}' },
  { name: 'cut at the limit of tokens', says: { content: '{"memories":[', finish: 'length' } },
]

/** The chat model fails so until it is told otherwise; embeddings go on. */
function breakChat({ server, clock }: Bench, provider: keyof typeof PATHS, outage: Outage): void {
  clock.endsAt = (ms) => ('fault' in outage && ms === TIMEOUT_MS ? server.faults.holding(1) : undefined)
  server.chat.respondWith('says' in outage ? () => outage.says : goodModel().responder)
  server.faults.clear()
  if ('fault' in outage) server.faults.set({ ...outage.fault, path: PATHS[provider] })
}

function mendChat({ server, clock }: Bench): ReturnType<typeof goodModel> {
  const model = goodModel()
  clock.endsAt = () => undefined
  server.faults.clear()
  server.chat.respondWith(model.responder)
  return model
}

describe.each(['ollama', 'openai'] as const)('%s away', (provider) => {
  test(
    'for 30 hours, in every way: all is audited at once, and curated once afterwards',
    { timeout: 120_000 },
    async () => {
      const bench = await openBench(provider)
      const { root, clock } = bench
      const store = await bench.open()
      for (let hour = 0; hour < 30; hour += 1) {
        breakChat(bench, provider, OUTAGES[hour % OUTAGES.length] as Outage)
        expect(await store.persistCompletedTurn(turnOf(hour))).toMatchObject({ status: 'admitted' })
        expect(await store.persistCompletedTurn(turnOf(hour))).toMatchObject({ status: 'duplicate' })
        expect(await store.flush()).toMatchObject({ pending: hour + 1, dead: 0 })
        expect(await store.turnStatus(`run-${hour}`)).toEqual({ state: 'projected' })
        expect(auditLines(root, said(hour))).toBe(1)
        expect(sentences(root)).toEqual([])
        clock.advance(HOUR_MS)
      }
      expect((await store.recallWithOutcome('ferry oranges')).hits).toEqual([]) // no transcript became a fact (CAP-3)

      await store.flush() // the last hour woke it: no call may be under way when the clock leaps over its deadline
      const model = mendChat(bench)
      clock.advance(6 * HOUR_MS)
      expect(await store.flush()).toMatchObject({ pending: 0, dead: 0 })
      const hours = Array.from({ length: 30 }, (_, hour) => hour)
      for (const hour of hours) {
        expect(await store.turnStatus(`run-${hour}`)).toMatchObject({
          state: 'curated',
          memoryIds: [expect.stringMatching(/^r-[0-9a-f]{32}-1$/)],
        })
        expect(auditLines(root, said(hour))).toBe(1)
      }
      expect(sentences(root).sort()).toEqual(hours.map((hour) => `– ${said(hour)}`).sort())
      expect(model.counts()).toEqual({ extract: 30, review: 30, reconcile: 0 })
      expect(bench.server.chat.unexpected).toEqual([])
    },
  )

  test.each(OUTAGES)('$name for 45 hours: dead with its category; retried, curated', async (outage) => {
    const bench = await openBench(provider)
    const { root, server, clock } = bench
    const store = await bench.open()
    breakChat(bench, provider, outage)
    await store.persistCompletedTurn(turnOf(1))
    const settled = store.whenSettled('run-1')
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await store.flush()
      const { items } = await inspected(bench)
      expect(items[0]).toMatchObject({ attempts: attempt, state: attempt === MAX_ATTEMPTS ? 'dead' : 'pending' })
      clock.advance(6 * HOUR_MS)
    }
    const failure = 'says' in outage && typeof outage.says === 'string' ? 'model_output' : 'provider'
    expect(await settled).toEqual({ state: 'dead', failure })
    expect(auditLines(root, said(1))).toBe(1)
    expect(sentences(root)).toEqual([])
    expect(server.chat.requests.length).toBeLessThanOrEqual(MAX_ATTEMPTS)
    await store.close()

    mendChat(bench)
    const { embeddings } = bench.config
    const retried = await retryTurns({ path: root, mode: 'bujo', ...(embeddings === undefined ? {} : { embeddings }) })
    expect(retried).toMatchObject({ changed: true, ids: [expect.any(String)] })
    const again = await bench.open()
    expect(await again.whenSettled('run-1')).toMatchObject({ state: 'curated', memoryIds: [expect.any(String)] })
    expect(sentences(root)).toEqual([`– ${said(1)}`])
    expect(auditLines(root, said(1))).toBe(1)
  })
})

/** What a reader in another process is told. */
async function inspected({ root, config, clock }: Bench) {
  const { embeddings } = config
  const reader = await openMemoryReader({
    path: root,
    mode: 'bujo',
    now: clock.host.now,
    ...(embeddings === undefined ? {} : { embeddings }),
  })
  try {
    return await reader.inspect()
  } finally {
    await reader.close()
  }
}

test.each([
  {
    name: 'a broken contract',
    error: new ContractError('model_output_invalid', 'Refused.', { reason: 'not_json', place: 'extract' }),
    category: 'model_output',
  },
  { name: 'a chat service that is away', error: new ChatError('chat_unavailable'), category: 'provider' },
  { name: 'a chat model that does not answer in time', error: new ChatError('chat_timeout'), category: 'provider' },
  {
    name: 'an embedding service that is away',
    error: new EmbeddingError('embedding_unavailable'),
    category: 'provider',
  },
  { name: 'anything else', error: new RangeError('A bug.'), category: 'processing' },
])('$name is put down to $category', ({ error, category }) => {
  expect(failureOf(error)).toBe(category)
})
