import type { ChatModel } from './chat-model.js'
import { withPatience, type ChatPatience } from './deadline.js'
import { ChatError } from './errors.js'

/**
 * A harness's own chat model, held to what the port promises: typed errors, text, and an end, when the signal aborts or the
 * time is up, even if it does not listen (CAP-5, CAP-23).
 */
export function guardChatModel(model: ChatModel, patience: ChatPatience): ChatModel {
  const source = {
    id: model.id,
    async ask(request: Parameters<ChatModel['complete']>[0], signal: AbortSignal) {
      const answer = await model.complete({ ...request, signal })
      if (typeof (answer as { text?: unknown } | undefined)?.text === 'string') return answer
      throw new ChatError('chat_response_invalid', { detail: 'the injected model returned no text' })
    },
  }
  return withPatience(source, patience)
}
