import { expect, onTestFinished, test } from 'vitest'
import { scriptedCapture, startModelServer } from '../../../../test/model-server/index.js'
import { makeTemporaryRoot } from '../../../../test/support/temporary-root.js'
import { createMemoryStore } from '../../src/index.js'
import { decide, extraction, keepAll, memory, ownerTurn, sentences } from '../support/bujo.js'
import { NOON } from '../support/open-store.js'

const SAID = [
  'I take the 07:12 ferry to the office in Lund every morning.',
  'I take the 07:40 ferry to the office in Lund every morning now.',
  'My sister Ana plays the cello in the town orchestra.',
]

/** Real sentences, real vectors, real services; what the model says is given. */
test.each([
  { provider: 'ollama' as const, path: '/api/chat', suffix: '' },
  { provider: 'openai' as const, path: '/v1/chat/completions', suffix: '/v1' },
])(
  '$provider: at most three calls a turn, each with its schema; nearness decides whether there is a third',
  async ({ provider, path, suffix }) => {
    const server = await startModelServer({ models: ['universal-sentence-encoder'] })
    onTestFinished(() => server.close())
    const script = scriptedCapture({
      extract: ({ ordinal }) => ({ ...extraction(memory(SAID[ordinal - 1] ?? '')) }),
      review: () => keepAll(1),
      reconcile: () => decide({ index: 0, action: 'SUPERSEDE', target: 'm1', text: SAID[1] ?? '' }),
    })
    server.chat.respondWith(script.responder)
    const root = makeTemporaryRoot()
    const store = await createMemoryStore(
      {
        mode: 'bujo',
        writeMode: 'capture',
        path: root,
        embeddings: { endpoint: server.url, model: 'universal-sentence-encoder', dim: 512 },
        llm: { provider, model: 'scripted-chat', endpoint: `${server.url}${suffix}` },
      },
      { now: () => NOON },
    )
    onTestFinished(() => store.close())
    const calls: number[] = []
    for (const [n, said] of SAID.entries()) {
      const before = server.requests.to(path).length
      await store.persistCompletedTurn(ownerTurn(`run-${n}`, said))
      expect(await store.whenSettled(`run-${n}`)).toMatchObject({ state: 'curated' })
      calls.push(server.requests.to(path).length - before)
    }
    expect(calls).toEqual([2, 3, 2])
    expect(server.chat.requests.every(({ schema }) => schema !== null)).toBe(true)
    expect(server.chat.unexpected).toEqual([])
    expect(sentences(root)).toEqual(SAID.map((said) => `– ${said}`))
    const { hits } = await store.recallWithOutcome('When does the ferry to the office leave?')
    expect(hits.map(({ text, currentness }) => [text, currentness])).toEqual(
      expect.arrayContaining([
        [SAID[0], 'superseded'],
        [SAID[1], 'current'],
      ]),
    )
  },
)
