import { withDeadline } from '@mono-agent/memory-search'
import type { ChatModel } from './chat-model.js'
import type { ChatPatience } from './deadline.js'
import { ChatError } from './errors.js'

/**
 * A harness's own chat model, held to what the port promises: typed errors, text, and an end, when the signal aborts or the
 * time is up, even if it does not listen (CAP-5, CAP-23).
 */
export function guardChatModel(model: ChatModel, { timeoutMs, sleep }: ChatPatience): ChatModel {
  const timedOut = () => new ChatError('chat_timeout', { detail: `${timeoutMs} ms` })
  return {
    id: model.id,
    async complete(request) {
      const { signal } = request
      signal?.throwIfAborted()
      try {
        const answer = await withDeadline(async (cancel) => model.complete({ ...request, signal: cancel }), {
          timeoutMs,
          timedOut,
          sleep,
          signal,
        })
        if (typeof (answer as { text?: unknown } | undefined)?.text === 'string') return answer
      } catch (error) {
        signal?.throwIfAborted()
        // What a foreign model throws may quote a text: it is kept as the cause and not repeated.
        throw error instanceof ChatError ? error : new ChatError('chat_unavailable', { cause: error })
      }
      throw new ChatError('chat_response_invalid', { detail: 'the injected model returned no text' })
    },
  }
}
