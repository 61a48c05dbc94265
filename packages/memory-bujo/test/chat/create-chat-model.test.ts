import { describe, expect, test, vi } from 'vitest'
import { createChatModel, createReconcileModel } from '../../src/chat/create-chat-model.js'
import { guardChatModel } from '../../src/chat/guard-chat-model.js'
import { ChatError } from '../../src/chat/errors.js'
import { parseMemoryConfig, type MemoryConfig } from '../../src/config.js'
import type { AgentHostChat } from '../../src/types.js'
import { failureOf, HandClock, REQUEST } from './support.js'

const parts = (chat?: AgentHostChat) => ({ chat, env: () => undefined, sleep: new HandClock().sleep })

function configOf(llm: object, capture: object = {}): MemoryConfig {
  const block = { mode: 'bujo', writeMode: 'capture', embeddings: {}, llm, capture }
  return parseMemoryConfig(block).config
}
const llmOf = (llm: object) => {
  const { llm: parsed } = configOf(llm)
  if (parsed === undefined) throw new Error('The block was lost.')
  return parsed
}

describe('the model that a configuration names', () => {
  test.each([
    { llm: { provider: 'ollama', model: 'qwen3:8b' }, id: 'ollama:qwen3:8b' },
    { llm: { provider: 'openai', model: 'gpt-4.1-mini' }, id: 'openai:gpt-4.1-mini' },
    { llm: { provider: 'agent-host', model: 'house' }, id: 'agent-host:house' },
  ])('$id', ({ llm, id }) => {
    expect(
      createChatModel(
        llmOf(llm),
        parts(async () => ''),
      ).id,
    ).toBe(id)
  })

  test.each([
    { provider: 'ollama', url: 'http://localhost:11434/api/chat' },
    { provider: 'openai', url: 'https://api.openai.com/v1/chat/completions' },
  ])('$provider without an endpoint is asked where its own service is', async ({ provider, url }) => {
    const asked: string[] = []
    const fetch = (input: unknown) => {
      asked.push(String(input))
      return Promise.reject(new Error('offline'))
    }
    const model = createChatModel(llmOf({ provider, model: 'm', apiKey: 'sk-1' }), { ...parts(), fetch })
    await failureOf(model.complete(REQUEST))
    expect(asked).toEqual([url])
  })

  test('agent-host without the function is a configuration that cannot be used', () => {
    const llm = llmOf({ provider: 'agent-host', model: 'house' })
    expect(() => createChatModel(llm, parts())).toThrow(
      expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining('memory.llm.provider') }),
    )
  })
})

describe('the function of the host', () => {
  test('is told the model, the stage and its time, and gets no tools', async () => {
    const chat = vi.fn<AgentHostChat>(async () => '{}')
    const llm = llmOf({ provider: 'agent-host', model: 'house', timeoutMs: 1_234 })
    await createChatModel(llm, parts(chat)).complete(REQUEST)
    const { stage, system, user, schema } = REQUEST
    expect(chat).toHaveBeenCalledExactlyOnceWith(
      { model: 'house', stage, system, user, schema, timeoutMs: 1_234 },
      { signal: expect.any(AbortSignal) },
    )
  })

  test.each([undefined, null, 7, { text: '{}' }, ['{}']])('%j is no answer', async (told) => {
    const chat = (async () => told) as unknown as AgentHostChat
    const model = createChatModel(llmOf({ provider: 'agent-host', model: 'house' }), parts(chat))
    expect(await failureOf(model.complete(REQUEST))).toMatchObject({ code: 'chat_response_invalid' })
  })

  test('what throws at once is a failure like any other, and keeps its cause', async () => {
    const cause = new Error('boom')
    const chat: AgentHostChat = () => {
      throw cause
    }
    const model = createChatModel(llmOf({ provider: 'agent-host', model: 'house' }), parts(chat))
    expect(await failureOf(model.complete(REQUEST))).toMatchObject({ code: 'chat_unavailable', cause })
  })
})

describe('the model for reconcile alone (CAP-23)', () => {
  const agentHost = { provider: 'agent-host', model: 'house', timeoutMs: 7_000 }
  const ollama = { provider: 'ollama', model: 'qwen3:8b', timeoutMs: 7_000 }
  test.each([
    { name: 'takes the time of an agent-host llm', llm: agentHost, timeoutMs: 7_000 },
    { name: 'has its own beside a service', llm: ollama, timeoutMs: 60_000 },
  ])('$name', async ({ llm, timeoutMs }) => {
    const chat = vi.fn<AgentHostChat>(async () => '{}')
    const model = createReconcileModel(configOf(llm, { reconcileModel: 'judge' }), parts(chat))
    expect(model?.id).toBe('agent-host:judge')
    await model?.complete(REQUEST)
    expect(chat.mock.calls[0]?.[0]).toMatchObject({ model: 'judge', timeoutMs })
  })

  test('unset, there is none', () => {
    expect(createReconcileModel(configOf(ollama), parts())).toBeUndefined()
  })

  test('without the function it is a configuration that cannot be used', () => {
    expect(() => createReconcileModel(configOf(ollama, { reconcileModel: 'judge' }), parts())).toThrow(
      expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining('capture.reconcileModel') }),
    )
  })
})

/** A clock that stands still. */
const PATIENCE = { timeoutMs: 60_000, sleep: () => new Promise<void>(() => undefined) }

describe("a harness's own model", () => {
  test('is handed on as it is', async () => {
    const answer = { text: '{}', usage: { promptTokens: 3 } }
    const guarded = guardChatModel({ id: 'mine', complete: async () => answer }, PATIENCE)
    expect(guarded.id).toBe('mine')
    expect(await guarded.complete(REQUEST)).toBe(answer)
    const signal = new AbortController().signal
    expect(await guarded.complete({ ...REQUEST, signal })).toBe(answer)
  })

  test.each([undefined, '{}', { text: 1 }])('%j is no answer', async (told) => {
    const guarded = guardChatModel({ id: 'mine', complete: async () => told as never }, PATIENCE)
    expect(await failureOf(guarded.complete(REQUEST))).toMatchObject({ code: 'chat_response_invalid' })
  })

  test('its errors are typed; typed ones stay what they are', async () => {
    const throwing = (error: Error) =>
      guardChatModel(
        {
          id: 'mine',
          complete: () => {
            throw error
          },
        },
        PATIENCE,
      )
    const plain = new Error('A private word.')
    expect(await failureOf(throwing(plain).complete(REQUEST))).toMatchObject({ code: 'chat_unavailable', cause: plain })
    const typed = new ChatError('chat_rate_limited')
    expect(await failureOf(throwing(typed).complete(REQUEST))).toBe(typed)
  })

  test('ends with the signal though it does not listen', async () => {
    const controller = new AbortController()
    const guarded = guardChatModel({ id: 'mine', complete: () => new Promise(() => undefined) }, PATIENCE)
    const call = guarded.complete({ ...REQUEST, signal: controller.signal })
    const reason = new Error('stop')
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    await expect(guarded.complete({ ...REQUEST, signal: controller.signal })).rejects.toBe(reason)
  })

  test('has its time, which keeps a process alive that waits for it; what comes later is thrown away', async () => {
    const slept: { ms: number; keepsProcessAlive: boolean }[] = []
    let answer: (completion: { text: string }) => void = () => undefined
    let signal: AbortSignal | undefined
    const guarded = guardChatModel(
      {
        id: 'mine',
        complete(request) {
          signal = request.signal
          return new Promise((resolve) => (answer = resolve))
        },
      },
      {
        timeoutMs: 1_000,
        sleep(ms, { keepsProcessAlive }) {
          slept.push({ ms, keepsProcessAlive })
          return Promise.resolve()
        },
      },
    )
    expect(await failureOf(guarded.complete(REQUEST))).toMatchObject({ code: 'chat_timeout' })
    expect(slept).toEqual([{ ms: 1_000, keepsProcessAlive: true }])
    expect(signal?.aborted).toBe(true)
    answer({ text: 'late' })
  })
})
