import { inspect } from 'node:util'
import { onTestFinished } from 'vitest'
import { asAgentHost, startModelServer, type ModelServer } from '../../../../test/model-server/index.js'
import type { ChatModel, ChatRequest } from '../../src/chat/chat-model.js'
import { createChatModel, type ChatConfig, type ChatParts } from '../../src/chat/create-chat-model.js'
import { ChatError } from '../../src/chat/errors.js'
import type { AgentHostChat } from '../../src/types.js'

export const MODEL = 'scripted-chat'
export const KEY = 'sk-secret-of-the-test-1234567890'
export const TIMEOUT_MS = 5_000

/** A request of which no word may turn up in an error. */
export const REQUEST: ChatRequest = {
  stage: 'extract',
  system: 'Say what is worth remembering.',
  user: '<turn>A private word.</turn>',
  schema: { name: 'extract', schema: { type: 'object', properties: { memories: { type: 'array' } } } },
}

/** A timer that only a test moves on; `sleep` ends when its hour has come or its signal aborts. */
export class HandClock {
  #now = 0
  readonly #sleepers = new Set<{ readonly due: number; readonly end: () => void }>()
  readonly sleep: ChatParts['sleep'] = (ms, { signal }) =>
    new Promise((resolve) => {
      const sleeper = {
        due: this.#now + ms,
        end: () => {
          this.#sleepers.delete(sleeper)
          resolve()
        },
      }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', sleeper.end, { once: true })
    })

  get sleeping(): number {
    return this.#sleepers.size
  }

  advance(ms: number): void {
    this.#now += ms
    for (const sleeper of [...this.#sleepers]) if (sleeper.due <= this.#now) sleeper.end()
  }
}

export const PROVIDERS = ['ollama', 'openai', 'agent-host'] as const
export type ProviderName = (typeof PROVIDERS)[number]
export const SERVICES = ['ollama', 'openai'] as const
export type ServiceName = (typeof SERVICES)[number]
export const CHAT_PATHS = { ollama: '/api/chat', openai: '/v1/chat/completions' } as const

/** A service of its own, closed when the test is done. */
export async function openServer(options: Parameters<typeof startModelServer>[0] = {}): Promise<ModelServer> {
  const server = await startModelServer({ models: [], cacheDirectory: null, ...options })
  onTestFinished(() => server.close())
  return server
}

export function configOf(provider: ServiceName, { url }: ModelServer, more: Partial<ChatConfig> = {}): ChatConfig {
  const endpoint = provider === 'openai' ? `${url}/v1` : url
  return { provider, model: MODEL, endpoint, timeoutMs: TIMEOUT_MS, ...more }
}

export interface Bench {
  readonly server: ModelServer
  readonly clock: HandClock
  model(config?: Partial<ChatConfig>, parts?: Partial<ChatParts>): ChatModel
}

/** A model of a real service on loopback. */
export async function openBench(provider: ServiceName, options = {}): Promise<Bench> {
  const server = await openServer(options)
  const clock = new HandClock()
  return {
    server,
    clock,
    model: (config = {}, parts = {}) =>
      createChatModel(configOf(provider, server, config), { env: () => undefined, sleep: clock.sleep, ...parts }),
  }
}

/** A model of the host: the given function, or one that asks the script of the server in process. */
export function hostModel(chat: AgentHostChat, { sleep }: Pick<ChatParts, 'sleep'>, timeoutMs = TIMEOUT_MS): ChatModel {
  return createChatModel({ provider: 'agent-host', model: MODEL, timeoutMs }, { chat, sleep, env: () => undefined })
}

export { asAgentHost }

/** What it rejects with; fails if it resolves, or with anything but a `ChatError`. */
export async function failureOf(promise: Promise<unknown>): Promise<ChatError> {
  const outcome = await promise.then(
    () => 'resolved',
    (error: unknown) => error,
  )
  if (outcome instanceof ChatError) return outcome
  throw new Error(`No ChatError: ${String(outcome)}`, { cause: outcome })
}

/** Everything that a log of this error could show, causes included. */
export const everythingIn = (error: unknown): string => inspect(error, { depth: null, showHidden: true })
