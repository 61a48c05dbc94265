import { jsonReply, type Reply, type ServiceProtocol } from '../exchange.js'
import type { ModelCatalogue } from '../models.js'
import type { ChatDesk } from '../scripted-chat.js'
import type { Embedder } from '../types.js'
import { openAiError, openAiRoutes } from './openai.js'

/**
 * LM Studio: OpenAI's paths with habits of its own (vectors are numbers even where base64 was asked for, long texts are
 * cut, unknown paths are answered with status 200 and an error) and its list of models.
 */
export function lmStudioProtocol(models: ModelCatalogue, chat: ChatDesk): ServiceProtocol {
  const list = async (): Promise<Reply> =>
    jsonReply({ models: [...models.embeddingModels.map(embeddingModel), ...models.chatModels.map(chatModel)] })
  return {
    name: 'lm-studio',
    routes: [
      { method: 'GET', path: '/api/v1/models', handle: list },
      ...openAiRoutes(models, chat, { name: 'lm-studio', isOpenAi: false }),
    ],
    errorReply: openAiError,
    unknownPath: (method, path) => jsonReply({ error: `Unexpected endpoint or method. (${method} ${path})` }),
  }
}

const common = (key: string, contextTokens: number) => ({
  publisher: 'test',
  key,
  display_name: key,
  quantization: { name: 'F32', bits_per_weight: 32 },
  size_bytes: 28_000_000,
  params_string: null,
  loaded_instances: [{ id: key, config: { context_length: contextTokens } }],
  max_context_length: contextTokens,
  format: 'gguf',
})

const embeddingModel = ({ model, contextTokens }: Embedder) => ({ type: 'embedding', ...common(model, contextTokens) })

const chatModel = (name: string) => ({
  type: 'llm',
  ...common(name, 131_072),
  architecture: 'llama',
  capabilities: { vision: false, trained_for_tool_use: false },
  description: null,
})
