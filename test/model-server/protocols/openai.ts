import { jsonReply, RequestError, stringField, type Exchange, type Reply, type ServiceProtocol } from '../exchange.js'
import type { ModelCatalogue } from '../models.js'
import type { ChatDesk, CompleteAnswer } from '../scripted-chat.js'
import type { Protocol } from '../types.js'
import { vectorBase64, vectorJson } from '../vectors.js'
import { chatMessages, piecesOf, roughTokens } from './chat-messages.js'
import { embedTexts, inputTexts } from './embed-texts.js'

/** Texts one request may hold, OpenAI's own limit. */
const MAX_INPUTS = 2_048
const CREATED_AT_SECONDS = 1_735_689_600

/** What tells the services apart that share these paths. */
export interface Dialect {
  readonly name: Protocol
  /** Gives base64 where it is asked for, shortens vectors, and refuses what is too long or empty instead of cutting it. */
  readonly isOpenAi: boolean
  /** Parameters of a chat request that it refuses by name. */
  readonly refusedParameters?: readonly string[]
}

export function openAiProtocol(
  models: ModelCatalogue,
  chat: ChatDesk,
  refusedParameters: readonly string[] = [],
): ServiceProtocol {
  return {
    name: 'openai',
    routes: openAiRoutes(models, chat, { name: 'openai', isOpenAi: true, refusedParameters }),
    errorReply: openAiError,
    unknownPath: (method, path) => openAiError(new RequestError(404, `Invalid URL (${method} ${path})`)),
  }
}

export function openAiRoutes(models: ModelCatalogue, chat: ChatDesk, dialect: Dialect): ServiceProtocol['routes'] {
  const list = async (): Promise<Reply> => {
    const names = [...models.embeddingModels.map(({ model }) => model), ...models.chatModels]
    const data = names.map((id) => ({
      id,
      object: 'model',
      created: CREATED_AT_SECONDS,
      owned_by: 'test-model-server',
    }))
    return jsonReply({ object: 'list', data })
  }
  return [
    { method: 'GET', path: '/v1/models', handle: list },
    { method: 'POST', path: '/v1/embeddings', handle: (exchange) => embed(models, dialect, exchange) },
    { method: 'POST', path: '/v1/chat/completions', handle: (exchange) => converse(models, chat, dialect, exchange) },
  ]
}

/** OpenAI's form of an error, which LM Studio and most compatible services use as well. */
export function openAiError({ status, message, code, param }: RequestError): Reply {
  const type = status === 429 ? 'rate_limit_error' : status >= 500 ? 'server_error' : 'invalid_request_error'
  return jsonReply({ error: { message, type, param, code } }, status)
}

async function embed(models: ModelCatalogue, { isOpenAi }: Dialect, exchange: Exchange): Promise<Reply> {
  const { body } = exchange
  const name = stringField(body, 'model')
  const embedder = models.embeddingModel(name)
  if (embedder === null) throw unknownModel(name)

  const texts = inputTexts(body['input'])
  if (texts === null || texts.length === 0 || texts.length > MAX_INPUTS || (isOpenAi && texts.includes(''))) {
    throw new RequestError(
      400,
      "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.",
    )
  }
  const format = body['encoding_format'] ?? 'float'
  if (format !== 'float' && format !== 'base64') {
    throw new RequestError(400, `Invalid value for 'encoding_format' = ${JSON.stringify(format)}.`)
  }
  const dimensions = isOpenAi ? body['dimensions'] : undefined
  if (dimensions !== undefined && !isDimension(dimensions, embedder.dim)) {
    throw new RequestError(
      400,
      `Invalid value for 'dimensions' = ${JSON.stringify(dimensions)}: the model has ${embedder.dim}.`,
    )
  }

  const tooLong = (tokens: number, limit: number) =>
    new RequestError(
      400,
      `This model's maximum context length is ${limit} tokens, however you requested ${tokens} tokens.`,
    )
  const { vectors, tokens } = await embedTexts(
    { embedder, texts, dimensions, ...(isOpenAi ? { tooLong } : {}) },
    exchange,
  )
  const isBase64 = isOpenAi && format === 'base64'
  const data = vectors.map((vector) => {
    const embedding = isBase64 ? `"${vectorBase64(vector)}"` : vectorJson(vector)
    return `{"object":"embedding","index":${vector.index},"embedding":${embedding}}`
  })
  const tail = JSON.stringify({ model: name, usage: { prompt_tokens: tokens, total_tokens: tokens } })
  return jsonReply(`{"object":"list","data":[${data.join(',')}],${tail.slice(1)}`)
}

const isDimension = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most

const unknownModel = (name: string) =>
  new RequestError(404, `The model \`${name}\` does not exist or you do not have access to it.`, {
    code: 'model_not_found',
  })

async function converse(models: ModelCatalogue, chat: ChatDesk, dialect: Dialect, { body }: Exchange): Promise<Reply> {
  const model = stringField(body, 'model')
  if (!models.hasChatModel(model)) throw unknownModel(model)
  const refused = dialect.refusedParameters?.find((parameter) => body[parameter] !== undefined)
  if (refused !== undefined) {
    throw new RequestError(400, `Unsupported parameter: '${refused}'.`, { param: refused })
  }
  const messages = chatMessages(body)
  const stream = body['stream'] === true
  const { schema, name: schemaName } = schemaOf(body['response_format'])
  const answer = await chat.answer({ protocol: dialect.name, model, messages, schema, schemaName, stream, body })
  const promptTokens = roughTokens(messages.map(({ content }) => content).join(''))
  const isUsageStreamed = (body['stream_options'] as { include_usage?: unknown } | undefined)?.include_usage === true
  return stream
    ? streamedReply(model, answer, isUsageStreamed ? promptTokens : null)
    : wholeReply(model, answer, promptTokens)
}

function schemaOf(format: unknown): { readonly schema: unknown; readonly name: string | null } {
  const { schema, name } =
    (format as { json_schema?: { schema?: unknown; name?: unknown } } | undefined)?.json_schema ?? {}
  return { schema: schema ?? null, name: typeof name === 'string' ? name : null }
}

const usage = (promptTokens: number, content: string) => ({
  prompt_tokens: promptTokens,
  completion_tokens: roughTokens(content),
  total_tokens: promptTokens + roughTokens(content),
})

const base = (object: string, model: string) => ({ id: 'chatcmpl-test', object, created: CREATED_AT_SECONDS, model })

function wholeReply(model: string, { content, finish, thinking }: CompleteAnswer, promptTokens: number): Reply {
  const thoughts = thinking === undefined ? {} : { reasoning_content: thinking }
  return jsonReply({
    ...base('chat.completion', model),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null, ...thoughts },
        logprobs: null,
        finish_reason: finish,
      },
    ],
    usage: usage(promptTokens, content),
  })
}

/** Server-sent events, ended by `[DONE]`; the last one before holds the usage if it was asked for. */
function streamedReply(model: string, { content, finish }: CompleteAnswer, promptTokens: number | null): Reply {
  const event = (delta: object, finish_reason: string | null) => ({
    ...base('chat.completion.chunk', model),
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  })
  const events: object[] = [
    event({ role: 'assistant', content: '' }, null),
    ...piecesOf(content).map((piece) => event({ content: piece }, null)),
    event({}, finish),
  ]
  if (promptTokens !== null) {
    events.push({ ...base('chat.completion.chunk', model), choices: [], usage: usage(promptTokens, content) })
  }
  return {
    status: 200,
    contentType: 'text/event-stream',
    chunks: [...events.map((value) => `data: ${JSON.stringify(value)}\n\n`), 'data: [DONE]\n\n'],
  }
}
