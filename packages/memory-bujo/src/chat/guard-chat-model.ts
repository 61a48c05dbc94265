import type { ChatModel } from './chat-model.js'
import { ChatError } from './errors.js'

/**
 * A harness's own chat model, held to what the port promises: typed errors, text, and an end when the signal aborts even if
 * it does not listen (CAP-5). How long it may take is its own affair.
 */
export function guardChatModel(model: ChatModel): ChatModel {
  return {
    id: model.id,
    async complete(request) {
      const { signal } = request
      signal?.throwIfAborted()
      try {
        const answer = await untilAborted(async () => model.complete(request), signal)
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

async function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work()
  const over = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: over.signal })
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    over.abort()
  }
}
