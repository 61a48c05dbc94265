import type { Sleep } from '@mono-agent/memory-search'
import { DEFAULT_LLM_TIMEOUT_MS, type MemoryConfig } from '../config.js'
import { BujoError } from '../errors.js'
import type { AgentHostChat } from '../types.js'
import { agentHostChat } from './agent-host.js'
import type { ChatModel } from './chat-model.js'
import type { ChatServiceParts, ChatSource } from './chat-source.js'
import { withPatience } from './deadline.js'
import { ollamaChat } from './ollama.js'
import { openAiChat } from './openai.js'

export type ChatConfig = NonNullable<MemoryConfig['llm']>

/** What of the host a chat model needs. */
export interface ChatParts extends ChatServiceParts {
  readonly sleep: Sleep
  readonly chat?: AgentHostChat | undefined
}

/**
 * The chat model that a configuration names; never another one (CFG-3). Nothing is sent yet, and keys are looked up at each
 * request, so that a variable that is set later mends what was missing.
 * @throws {BujoError} `config_invalid`: `agent-host` without the function  @throws {ChatError} `chat_endpoint_invalid`
 */
export function createChatModel(llm: ChatConfig, parts: ChatParts): ChatModel {
  return withPatience(sourceOf(llm, parts), { timeoutMs: llm.timeoutMs, sleep: parts.sleep })
}

/**
 * The model that reconciles instead of `llm`; undefined where none is named (CAP-23). It is one of the host, whatever
 * provider `llm` has.
 * @throws {BujoError} `config_invalid`: the host injects no function
 */
export function createReconcileModel(
  { llm, capture }: Pick<MemoryConfig, 'llm' | 'capture'>,
  { chat, sleep }: Pick<ChatParts, 'chat' | 'sleep'>,
): ChatModel | undefined {
  const model = capture?.reconcileModel
  if (model === undefined) return undefined
  const timeoutMs = llm?.provider === 'agent-host' ? llm.timeoutMs : DEFAULT_LLM_TIMEOUT_MS
  const source = agentHostChat(model, timeoutMs, functionOf(chat, 'capture.reconcileModel'))
  return withPatience(source, { timeoutMs, sleep })
}

function sourceOf(llm: ChatConfig, parts: ChatParts): ChatSource {
  switch (llm.provider) {
    case 'ollama':
      return ollamaChat(llm, parts)
    case 'openai':
      return openAiChat(llm, parts)
    case 'agent-host':
      return agentHostChat(llm.model, llm.timeoutMs, functionOf(parts.chat, 'llm.provider'))
  }
}

function functionOf(chat: AgentHostChat | undefined, key: string): AgentHostChat {
  if (typeof chat === 'function') return chat
  throw new BujoError(
    'config_invalid',
    `memory.${key}: \`agent-host\` needs the function \`chat\` among the injected parts. Nothing was opened. ` +
      'Inject it, or name a model of a service.',
  )
}
