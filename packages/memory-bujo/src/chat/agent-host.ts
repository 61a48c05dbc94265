import type { AgentHostChat } from '../types.js'
import type { ChatSource } from './chat-source.js'
import { ChatError } from './errors.js'

/** The function of the host, asked for one text: no tools, no session, no service of ours (CFG-3). */
export function agentHostChat(model: string, timeoutMs: number, chat: AgentHostChat): ChatSource {
  return {
    id: `agent-host:${model}`,
    async ask({ stage, system, user, schema }, signal) {
      const text: unknown = await chat({ model, stage, system, user, schema, timeoutMs }, { signal })
      if (typeof text !== 'string') {
        throw new ChatError('chat_response_invalid', { detail: 'the function of the host returned no string' })
      }
      return { text }
    },
  }
}
