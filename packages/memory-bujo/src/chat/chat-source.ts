import type { KeyDeclaration } from '@mono-agent/memory-search'
import type { Fetch } from '@mono-agent/memory-search'
import type { ChatCompletion, ChatRequest } from './chat-model.js'

/** What differs between providers: one request, without patience of its own. */
export interface ChatSource {
  readonly id: string
  /**
   * @param signal  aborted when time is up or the caller gave up
   * @throws {ChatError}  @throws the reason of the signal
   */
  ask(request: ChatRequest, signal: AbortSignal): Promise<ChatCompletion>
}

/** Of the `llm` block, what a service behind HTTP needs (CFG-3). */
export interface ChatServiceConfig extends KeyDeclaration {
  /** The exact name the service knows the model by. */
  readonly model: string
  /** Service root; for `openai` the root of its API, with `/v1`. Default: that of the provider's own service. */
  readonly endpoint?: string | undefined
  readonly timeoutMs: number
}

export interface ChatServiceParts {
  /** Default: the `fetch` of the process. */
  readonly fetch?: Fetch | undefined
  /** Value of an environment variable, asked at each request. */
  readonly env: (name: string) => string | undefined
}
