import * as z from 'zod'
import type { ChatServiceConfig, ChatServiceParts } from './chat-source.js'
import { LEAST_CONTEXT_TOKENS } from './context-size.js'
import { ChatError } from './errors.js'
import { withOllama } from './ollama.js'

const tags = z.object({ models: z.array(z.object({ name: z.string() })) })
const shown = z.object({
  capabilities: z.array(z.string()).optional(),
  model_info: z.record(z.string(), z.unknown()).optional(),
})

/** Ollama knows a model named without a tag by this one. */
const DEFAULT_TAG = 'latest'

export interface FoundChatModel {
  /** With its tag. */
  readonly name: string
  /** Tokens, as far as Ollama tells. */
  readonly contextTokens?: number
  /** Less than a call of capture may need: Ollama cuts what is over it without a word. */
  readonly isContextSmall: boolean
}

/**
 * Whether Ollama holds the model under its exact tag, for chat, and what it looks at (OPS-9). Versions that do not tell
 * capabilities leave that to the probe.
 * @throws {ChatError} `chat_model_missing`, `chat_model_unfit`, or as requests do
 */
export async function discoverOllamaChat(
  config: ChatServiceConfig,
  parts: ChatServiceParts,
  signal: AbortSignal,
): Promise<FoundChatModel> {
  const { model } = config
  const name = model.slice(model.lastIndexOf('/') + 1).includes(':') ? model : `${model}:${DEFAULT_TAG}`
  const listed = tags.safeParse(await withOllama(config, parts, signal, (client) => client.list()))
  if (!listed.success) throw new ChatError('chat_response_invalid', { detail: '/api/tags is no list of models' })
  if (!listed.data.models.some((one) => one.name === name)) {
    throw new ChatError('chat_model_missing', { detail: `${name}; run \`ollama pull ${name}\`` })
  }
  const told = shown.safeParse(await withOllama(config, parts, signal, (client) => client.show({ model: name })))
  if (!told.success) throw new ChatError('chat_response_invalid', { detail: '/api/show tells nothing of the model' })
  const { capabilities, model_info = {} } = told.data
  if (capabilities?.includes('completion') === false) throw new ChatError('chat_model_unfit', { detail: name })
  const [, contextTokens] = Object.entries(model_info).find(([key]) => key.endsWith('.context_length')) ?? []
  if (typeof contextTokens !== 'number') return { name, isContextSmall: false }
  return { name, contextTokens, isContextSmall: contextTokens < LEAST_CONTEXT_TOKENS }
}
