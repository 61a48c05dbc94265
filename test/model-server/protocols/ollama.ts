import { createHash } from 'node:crypto'
import { jsonReply, RequestError, stringField, type Exchange, type Reply, type ServiceProtocol } from '../exchange.js'
import type { ModelCatalogue } from '../models.js'
import type { ChatDesk, CompleteAnswer } from '../scripted-chat.js'
import type { Embedder } from '../types.js'
import { vectorJson } from '../vectors.js'
import { chatMessages, piecesOf, roughTokens } from './chat-messages.js'
import { embedTexts, inputTexts } from './embed-texts.js'

/** The version whose answers these are. */
const VERSION = '0.12.6'
const MODIFIED_AT = '2025-01-01T00:00:00Z'

/** Ollama's own API: names with tags, NDJSON streams, errors as `{ "error": "…" }`. */
export function ollamaProtocol(models: ModelCatalogue, chat: ChatDesk): ServiceProtocol {
  const find = (name: string): Embedder => {
    const found = models.embeddingModel(name)
    if (found !== null) return found
    if (models.hasChatModel(name)) throw new RequestError(400, 'this model does not support embeddings')
    throw new RequestError(404, `model "${name}" not found, try pulling it first`)
  }

  const embed = async (exchange: Exchange): Promise<Reply> => {
    const { body } = exchange
    const model = stringField(body, 'model')
    const embedder = find(model)
    const { input, dimensions } = body
    const texts = input === undefined || input === null || input === '' ? [] : inputTexts(input)
    if (texts === null) throw new RequestError(400, 'invalid input type')
    const { vectors, tokens } = await embedTexts(
      {
        embedder,
        texts,
        // A larger number than the model has changes nothing here.
        dimensions:
          typeof dimensions === 'number' && dimensions > 0 && dimensions < embedder.dim ? dimensions : undefined,
        ...(body['truncate'] === false
          ? { tooLong: () => new RequestError(400, 'the input length exceeds the context length') }
          : {}),
      },
      exchange,
    )
    const head = JSON.stringify({ model, total_duration: 1_000_000, load_duration: 1_000, prompt_eval_count: tokens })
    return jsonReply(`${head.slice(0, -1)},"embeddings":[${vectors.map(vectorJson).join(',')}]}`)
  }

  const converse = async ({ body }: Exchange): Promise<Reply> => {
    const model = stringField(body, 'model')
    if (!models.hasChatModel(model)) {
      if (models.embeddingModel(model) !== null) throw new RequestError(400, `"${model}" does not support chat`)
      throw new RequestError(404, `model '${model}' not found`)
    }
    const messages = chatMessages(body)
    const stream = body['stream'] !== false
    const answer = await chat.answer({
      protocol: 'ollama',
      model,
      messages,
      schema: body['format'] ?? null,
      schemaName: titleOf(body['format']),
      stream,
      body,
    })
    return chatReply(model, answer, stream, roughTokens(messages.map(({ content }) => content).join('')))
  }

  const show = async ({ body }: Exchange): Promise<Reply> => {
    const name = stringField(body, 'model')
    const embedder = models.embeddingModel(name)
    if (embedder === null && !models.hasChatModel(name)) throw new RequestError(404, `model '${name}' not found`)
    return jsonReply({
      license: '',
      modelfile: '',
      parameters: '',
      template: '{{ .Prompt }}',
      details: details(embedder),
      model_info: {
        'general.architecture': family(embedder),
        ...(embedder === null
          ? { 'llama.context_length': 131_072 }
          : { 'bert.context_length': embedder.contextTokens, 'bert.embedding_length': embedder.dim }),
      },
      capabilities: [embedder === null ? 'completion' : 'embedding'],
      modified_at: MODIFIED_AT,
    })
  }

  const tags = async (): Promise<Reply> =>
    jsonReply({
      models: [
        ...models.embeddingModels.map((embedder) => listed(embedder.model, embedder)),
        ...models.chatModels.map((name) => listed(name, null)),
      ],
    })

  return {
    name: 'ollama',
    routes: [
      { method: 'GET', path: '/', handle: async () => textReply('Ollama is running', 200) },
      { method: 'GET', path: '/api/version', handle: async () => jsonReply({ version: VERSION }) },
      { method: 'GET', path: '/api/tags', handle: tags },
      { method: 'POST', path: '/api/show', handle: show },
      { method: 'POST', path: '/api/embed', handle: embed },
      { method: 'POST', path: '/api/chat', handle: converse },
    ],
    errorReply: ({ status, message }) => jsonReply({ error: message }, status),
    unknownPath: () => textReply('404 page not found', 404),
  }
}

const textReply = (text: string, status: number): Reply => ({ status, contentType: 'text/plain', chunks: [text] })

const family = (embedder: Embedder | null) => (embedder === null ? 'llama' : 'bert')

const details = (embedder: Embedder | null) => ({
  parent_model: '',
  format: 'gguf',
  family: family(embedder),
  families: [family(embedder)],
  parameter_size: embedder === null ? '8.0B' : '7M',
  quantization_level: 'F32',
})

function listed(name: string, embedder: Embedder | null) {
  const tagged = name.includes(':') ? name : `${name}:latest`
  return {
    name: tagged,
    model: tagged,
    modified_at: MODIFIED_AT,
    size: 28_000_000,
    digest: createHash('sha256').update(tagged).digest('hex'),
    details: details(embedder),
  }
}

function titleOf(format: unknown): string | null {
  const title = (format as { title?: unknown } | null | undefined)?.title
  return typeof title === 'string' ? title : null
}

function chatReply(
  model: string,
  { content, finish, thinking }: CompleteAnswer,
  stream: boolean,
  promptTokens: number,
): Reply {
  const created_at = new Date().toISOString()
  const message = (piece: string) => ({ role: 'assistant', content: piece })
  const end = (last: string) => ({
    model,
    created_at,
    message: { ...message(last), ...(thinking === undefined ? {} : { thinking }) },
    done: true,
    done_reason: finish,
    total_duration: 1_000_000,
    load_duration: 1_000,
    prompt_eval_count: promptTokens,
    prompt_eval_duration: 1_000,
    eval_count: roughTokens(content),
    eval_duration: 1_000,
  })
  if (!stream) return jsonReply(end(content))
  const lines = [
    ...piecesOf(content).map((piece) => ({ model, created_at, message: message(piece), done: false })),
    end(''),
  ]
  return {
    status: 200,
    contentType: 'application/x-ndjson',
    chunks: lines.map((line) => `${JSON.stringify(line)}\n`),
  }
}
