import { withDeadline, type Sleep } from '@mono-agent/memory-search'
import type { ChatModel } from './chat-model.js'
import type { ChatSource } from './chat-source.js'
import { ChatError } from './errors.js'

export interface ChatPatience {
  /** For one call, its answer read (CAP-23). */
  readonly timeoutMs: number
  readonly sleep: Sleep
}

/**
 * A source with what the port promises: a call ends when its time is up or its caller gives up, even if the provider does
 * not listen; what comes later is thrown away (CAP-5). A timeout is told from a cancellation, and every failure is typed.
 */
export function withPatience(source: ChatSource, { timeoutMs, sleep }: ChatPatience): ChatModel {
  const timedOut = () => new ChatError('chat_timeout', { detail: `${timeoutMs} ms` })
  return {
    id: source.id,
    async complete(request) {
      const { signal } = request
      try {
        // Asked inside an async function, so that a source that throws at once is not outside the deadline's care.
        return await withDeadline(async (cancel) => source.ask(request, cancel), { timeoutMs, timedOut, sleep, signal })
      } catch (error) {
        signal?.throwIfAborted()
        // What a foreign function throws may quote a text: it is kept as the cause and not repeated.
        throw error instanceof ChatError ? error : new ChatError('chat_unavailable', { cause: error })
      }
    },
  }
}
