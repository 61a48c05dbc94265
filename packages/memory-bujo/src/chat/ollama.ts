import { withGuardedFetch } from '@mono-agent/memory-search'
import type { Ollama } from 'ollama'
import * as z from 'zod'
import { chatEndpoint, chatKey } from './address.js'
import { chatFailures, MAX_ANSWER_BYTES } from './chat-failures.js'
import type { ChatCompletion, ChatRequest } from './chat-model.js'
import type { ChatServiceConfig, ChatServiceParts, ChatSource } from './chat-source.js'
import { contextTokensFor } from './context-size.js'
import { ChatError } from './errors.js'
import { SAMPLING } from './sampling.js'

/** CFG-2. */
const DEFAULT_ENDPOINT = 'http://localhost:11434'

/**
 * Runs `call` with a client whose requests end with `signal`: the client itself cancels only streams, and all at once,
 * so each call has its own.
 */
export async function withOllama<T>(
  config: ChatServiceConfig,
  { fetch = globalThis.fetch, env }: ChatServiceParts,
  signal: AbortSignal,
  call: (client: Ollama) => Promise<T>,
): Promise<T> {
  const host = chatEndpoint(config.endpoint ?? DEFAULT_ENDPOINT)
  const apiKey = chatKey(config, host, { env })
  const failures = chatFailures(config.model)
  return withGuardedFetch({ fetch, signal, apiKey, maxAnswerBytes: MAX_ANSWER_BYTES, failures }, async (guarded) => {
    const { Ollama: Client } = await import('ollama') // loaded when it is needed, not by every store
    return call(new Client({ host, fetch: guarded }))
  })
}

/**
 * Ollama's `/api/chat`, held to the schema. What a model thinks comes in a field of its own and is left there; whether it
 * thinks is the model's affair: a model that cannot be told so would refuse the request.
 * @throws {ChatError} `chat_endpoint_invalid`
 */
export function ollamaChat(config: ChatServiceConfig, parts: ChatServiceParts): ChatSource {
  chatEndpoint(config.endpoint ?? DEFAULT_ENDPOINT) // refused at once, not at the first request
  const { model } = config
  return {
    id: `ollama:${model}`,
    ask: (request, signal) =>
      withOllama(config, parts, signal, async (client) => completionOf(await client.chat(bodyOf(model, request)))),
  }
}

function bodyOf(model: string, { system, user, schema }: ChatRequest) {
  return {
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    // Ollama has no place for the name; the title of a schema changes nothing of what it allows.
    format: { title: schema.name, ...schema.schema },
    stream: false as const,
    options: { ...SAMPLING, num_ctx: contextTokensFor([system, user]) },
  }
}

const answer = z.object({
  message: z.object({ content: z.string() }),
  done_reason: z.string().optional(),
  prompt_eval_count: z.number().optional(),
  eval_count: z.number().optional(),
})

function completionOf(told: unknown): ChatCompletion {
  const read = answer.safeParse(told)
  if (!read.success) throw new ChatError('chat_response_invalid', { detail: 'there is no message with content' })
  const { message, done_reason, prompt_eval_count, eval_count } = read.data
  if (done_reason === 'length') throw new ChatError('chat_truncated')
  return {
    text: message.content,
    usage: {
      ...(prompt_eval_count === undefined ? {} : { promptTokens: prompt_eval_count }),
      ...(eval_count === undefined ? {} : { completionTokens: eval_count }),
    },
  }
}
