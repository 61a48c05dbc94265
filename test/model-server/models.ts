import { createEmbedder, modelDim } from './embedder/create-embedder.js'
import { SENTENCE_ENCODER } from './embedder/sentence-encoder.js'
import type { Embedder, ModelServerOptions, ServedModel } from './types.js'

export interface ModelCatalogue {
  readonly embeddingModels: readonly Embedder[]
  readonly chatModels: readonly string[]
  /** By name as a client writes it; Ollama's `:latest` means nothing more. */
  embeddingModel(name: string): Embedder | null
  hasChatModel(name: string): boolean
  close(): Promise<void>
}

export const DEFAULT_MODELS = [SENTENCE_ENCODER, 'hash-768', 'hash-1536'] as const
export const DEFAULT_CHAT_MODEL = 'scripted-chat'

/** @throws {TypeError} unknown model, or one name twice */
export function createModelCatalogue(options: ModelServerOptions): ModelCatalogue {
  const served = (options.models ?? DEFAULT_MODELS).map((model): ServedModel =>
    typeof model === 'string' ? { name: model, serves: model } : model,
  )
  const chatModels = options.chatModels ?? [DEFAULT_CHAT_MODEL]
  const names = [...served.map(({ name }) => name), ...chatModels]
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new TypeError(`Two models are named ${twice}.`)

  const embedders = new Map(served.map((model) => [model.name, embedderFor(model, options)]))
  const bare = (name: string) => (embedders.has(name) ? name : name.replace(/:latest$/, ''))
  return {
    embeddingModels: [...embedders.values()],
    chatModels,
    embeddingModel: (name) => embedders.get(bare(name)) ?? null,
    hasChatModel: (name) => chatModels.includes(name) || chatModels.includes(bare(name)),
    async close() {
      await Promise.all([...embedders.values()].map((embedder) => embedder.close()))
    },
  }
}

/** The embedder of a served model, under the name it is served by. */
function embedderFor({ name, serves, contextTokens }: ServedModel, { cacheDirectory }: ModelServerOptions): Embedder {
  if (modelDim(serves) === null) throw new TypeError(`No model named ${serves} to serve as ${name}.`)
  const embedder = createEmbedder({
    model: serves,
    ...(cacheDirectory === undefined ? {} : { cacheDirectory }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
  })
  return { ...embedder, model: name }
}
