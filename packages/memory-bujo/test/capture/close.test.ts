import { join } from 'node:path'
import { readdirSync, readFileSync } from 'node:fs'
import type { EmbeddingProvider } from '@mono-agent/memory-search'
import { describe, expect, test } from 'vitest'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import type { CaptureStage, ChatModel, ChatRequest } from '../../src/chat/chat-model.js'
import { openMemoryReader, type MemoryEvent } from '../../src/index.js'
import {
  decide,
  DIMENSION,
  extraction,
  keepAll,
  memory,
  openBujo,
  ownerTurn,
  scriptedModel,
  sentences,
  wordEmbeddings,
} from '../support/bujo.js'
import { simulatedClock } from '../support/simulated-clock.js'
import { turnsOfLoop } from '../support/turns-of-loop.js'

const IN_LUND = 'I live in Lund near the station.'
const IN_MALMO = 'I live in Malmö near the station.'
const CLOSE_LIMIT_MS = 10_000

type Hanging = CaptureStage | 'embed'

const goodAnswer = (stage: CaptureStage, text: string): object =>
  stage === 'extract'
    ? extraction(memory(text))
    : stage === 'review'
      ? keepAll(1)
      : decide({ index: 0, action: 'SUPERSEDE', target: 'm1', text })

/** Answers until its stage comes for the second turn; then it hangs, whether it listens to the signal or not. */
function hangingModel(at: Hanging, listens: boolean) {
  let isAsked: () => void = () => undefined
  const asked = new Promise<void>((resolve) => (isAsked = resolve))
  const late: (() => void)[] = []
  const signals: AbortSignal[] = []
  const hang = <T>(signal: AbortSignal | undefined, answer: T): Promise<T> =>
    new Promise((resolve, reject) => {
      if (signal !== undefined) signals.push(signal)
      if (listens) signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      late.push(() => resolve(answer))
      isAsked()
    })
  let isSecond = false
  const words = wordEmbeddings()
  const llm: ChatModel = {
    id: 'test:hanging',
    complete({ stage, signal }: ChatRequest) {
      const answer = { text: JSON.stringify(goodAnswer(stage, isSecond ? IN_MALMO : IN_LUND)) }
      return isSecond && stage === at ? hang(signal, answer) : Promise.resolve(answer)
    },
  }
  const embeddings: EmbeddingProvider = {
    ...words,
    async embed(texts, options) {
      const vectors = await words.embed(texts, options)
      return isSecond && at === 'embed' ? hang(options.signal, vectors) : vectors
    },
  }
  return {
    llm,
    embeddings,
    asked,
    signals,
    beginSecond: () => void (isSecond = true),
    answerLate: () => late.forEach((answer) => answer()),
  }
}

async function inspect(root: string) {
  const reader = await openMemoryReader({
    path: root,
    mode: 'bujo',
    embeddings: { dim: DIMENSION },
    embed: wordEmbeddings(),
  })
  const { items } = await reader.inspect()
  await reader.close()
  return items
}

const everyByte = (root: string): string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name} ${readFileSync(join(entry.parentPath, entry.name)).toString('base64')}`)
    .sort()

describe('closing while a call is under way', () => {
  const stages: readonly Hanging[] = ['extract', 'review', 'embed', 'reconcile']
  test.each(stages.flatMap((stage) => [true, false].map((listens) => ({ stage, listens }))))(
    '$stage, a provider that listens to the abort: $listens',
    async ({ stage, listens }) => {
      const root = makeTemporaryRoot()
      const clock = simulatedClock()
      const model = hangingModel(stage, listens)
      const events: MemoryEvent[] = []
      const parts = {
        ...clock.host,
        embeddings: model.embeddings,
        onEvent: (event: MemoryEvent) => void events.push(event),
      }
      const store = await openBujo(root, model.llm, parts)
      await store.persistCompletedTurn(ownerTurn('run-1', IN_LUND))
      await store.whenSettled('run-1')
      model.beginSecond()
      await store.persistCompletedTurn(ownerTurn('run-2', IN_MALMO))
      await model.asked
      const waiting = store.whenSettled('run-2').catch((error: unknown) => (error as { code: string }).code)

      let isClosed = false
      const closing = store.close().then(() => (isClosed = true))
      clock.advance(CLOSE_LIMIT_MS - 1)
      await new Promise((resolve) => setImmediate(resolve))
      expect(isClosed).toBe(false) // it drains for ten seconds
      expect(model.signals.some(({ aborted }) => aborted)).toBe(false)
      clock.advance(1)
      await closing
      expect(model.signals.every(({ aborted }) => aborted)).toBe(true)
      expect(await waiting).toBe('store_closed')
      expect(events.filter(({ kind }) => kind === 'projection_failed')).toEqual([])

      const left = everyByte(root)
      model.answerLate()
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      expect(everyByte(root)).toEqual(left) // what came too late is thrown away
      const [, item] = await inspect(root)
      expect(item).toMatchObject({ state: 'pending', attempts: 0, due: true })
      expect(sentences(root)).toEqual([`– ${IN_LUND}`])

      const llm = scriptedModel()
      llm.script({
        extract: extraction(memory(IN_MALMO)),
        review: keepAll(1),
        reconcile: decide({ index: 0, action: 'SUPERSEDE', target: 'm1', text: IN_MALMO }),
      })
      const again = await openBujo(root, llm, clock.host)
      await again.flush()
      expect(await again.turnStatus('run-2')).toMatchObject({ state: 'curated' })
      // What was known when it was stopped is not asked for again.
      expect(llm.stages()).toEqual(
        {
          extract: ['extract', 'review', 'reconcile'],
          review: ['review', 'reconcile'],
          embed: ['reconcile'],
          reconcile: ['reconcile'],
        }[stage],
      )
      expect(sentences(root)).toEqual([`– ${IN_LUND}`, `– ${IN_MALMO}`])
    },
  )

  test('answered in time: the turn is curated before it closes', async () => {
    const root = makeTemporaryRoot()
    const clock = simulatedClock()
    const model = hangingModel('review', false)
    const store = await openBujo(root, model.llm, { ...clock.host, embeddings: model.embeddings })
    model.beginSecond()
    await store.persistCompletedTurn(ownerTurn('run-2', IN_MALMO))
    await model.asked
    const closing = store.close()
    clock.advance(CLOSE_LIMIT_MS - 1)
    model.answerLate()
    await closing
    expect(await inspect(root)).toMatchObject([{ state: 'resolved' }])
    expect(sentences(root)).toEqual([`– ${IN_MALMO}`])
  })
})

test('a second store on the same root is refused, and the first one goes on', async () => {
  const root = makeTemporaryRoot()
  const llm = scriptedModel()
  const store = await openBujo(root, llm)
  await expect(openBujo(root, scriptedModel())).rejects.toMatchObject({ code: 'writer_active' })
  llm.script({ extract: extraction(memory(IN_LUND)), review: keepAll(1) })
  await store.persistCompletedTurn(ownerTurn('run-1', IN_LUND))
  expect(await store.whenSettled('run-1')).toMatchObject({ state: 'curated' })
})

describe('500 turns at once', () => {
  const COUNT = 500
  const said = (n: number): string => `Container c${n * 7919} holds batch b${n * 104729}.`

  /** Answers at once, and remembers in which order it was asked. */
  function quickModel() {
    const order: string[] = []
    let most = 0
    let under = 0
    const llm: ChatModel = {
      id: 'test:quick',
      async complete({ stage, user }) {
        under += 1
        most = Math.max(most, under)
        await Promise.resolve()
        under -= 1
        const [sentence] = /Container c\d+ holds batch b\d+\./.exec(user) ?? ['']
        if (stage === 'extract') order.push(sentence)
        if (stage === 'reconcile') {
          const entries = JSON.parse(/<new-memories>\n(.*)\n/.exec(user)?.[1] ?? 'null') as unknown[]
          return { text: JSON.stringify({ decisions: entries.map((_, index) => ({ index, action: 'ADD' })) }) }
        }
        return { text: JSON.stringify(goodAnswer(stage, sentence)) }
      },
    }
    return { llm, order, most: () => most }
  }

  test(
    'all are curated, in the order of their admission, one at a time, and the loop turns meanwhile',
    { timeout: 300_000 },
    async () => {
      const root = makeTemporaryRoot()
      const { llm, order, most } = quickModel()
      const store = await openBujo(root, llm)
      const numbers = Array.from({ length: COUNT }, (_, n) => n)
      await Promise.all(numbers.map((n) => store.persistCompletedTurn(ownerTurn(`run-${n}`, said(n)))))
      const { result, turns } = await turnsOfLoop(() => store.flush())
      expect(result).toMatchObject({ pending: 0, dead: 0, missingVectors: 0 })
      expect(order).toEqual(numbers.map(said))
      expect(most()).toBe(1)
      expect(turns).toBeGreaterThan(COUNT)
      expect(sentences(root)).toEqual(numbers.map((n) => `– ${said(n)}`))
      for (const n of [0, 250, 499]) {
        expect(await store.turnStatus(`run-${n}`)).toMatchObject({ state: 'curated', memoryIds: [expect.any(String)] })
      }
      expect(store.snapshot()).toMatchObject({ capture: { captured: COUNT, calls: { extract: COUNT, review: COUNT } } })
    },
  )
})
