import { withGuardedFetch, type Fetch } from '@mono-agent/memory-search'
import type OpenAI from 'openai'
import * as z from 'zod'
import { chatEndpoint, chatKey } from './address.js'
import { chatFailures, MAX_ANSWER_BYTES } from './chat-failures.js'
import type { ChatCompletion, ChatRequest } from './chat-model.js'
import type { ChatServiceConfig, ChatServiceParts, ChatSource } from './chat-source.js'
import { ChatError } from './errors.js'
import { optionalParameters, parameterIn, type OptionalParameter } from './optional-parameters.js'

/** CFG-2. */
export const OPENAI_ENDPOINT = 'https://api.openai.com/v1'

/**
 * OpenAI's `/chat/completions`, and that of whoever speaks its protocol. What an endpoint refuses by name (the schema, a
 * temperature, a seed) is left out from then on, once a request without it was taken: the prompt says the contract anyway.
 * @throws {ChatError} `chat_endpoint_invalid`
 */
export function openAiChat(config: ChatServiceConfig, parts: ChatServiceParts): ChatSource {
  const baseURL = chatEndpoint(config.endpoint ?? OPENAI_ENDPOINT)
  const { model } = config
  const refusedForGood = new Set<OptionalParameter>()
  return {
    id: `openai:${model}`,
    async ask(request, signal) {
      const refused = new Set(refusedForGood)
      for (;;) {
        const outcome = await send(config, parts, baseURL, bodyOf(model, request, refused), signal)
        if (outcome.kind === 'answer') {
          for (const name of refused) refusedForGood.add(name)
          return completionOf(outcome.answer)
        }
        const { blamed } = outcome
        if (blamed === undefined || refused.has(blamed)) throw outcome.error
        refused.add(blamed)
      }
    },
  }
}

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming
type Outcome =
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'refused'; readonly error: unknown; readonly blamed: OptionalParameter | undefined }

async function send(
  config: ChatServiceConfig,
  { fetch = globalThis.fetch, env }: ChatServiceParts,
  baseURL: string,
  body: Body,
  signal: AbortSignal,
): Promise<Outcome> {
  const apiKey = chatKey(config, baseURL, { env })
  const failures = chatFailures(config.model)
  let blamed: OptionalParameter | undefined
  const ofStatus = (status: number, told: string): Error => {
    if (status === 400 || status === 422) blamed = parameterIn(told)
    return failures.ofStatus(status, told)
  }
  const guard = { fetch, signal, apiKey, maxAnswerBytes: MAX_ANSWER_BYTES, failures: { ...failures, ofStatus } }
  try {
    const answer = await withGuardedFetch(guard, async (guarded) => {
      const client = await createClient(baseURL, guarded, config.timeoutMs)
      return client.chat.completions.create(body)
    })
    return { kind: 'answer', answer }
  } catch (error) {
    signal.throwIfAborted()
    return { kind: 'refused', error, blamed }
  }
}

/** Everything that the client would otherwise take from the environment is said. The guarded `fetch` sends the key. */
async function createClient(baseURL: string, fetch: Fetch, timeoutMs: number): Promise<OpenAI> {
  // Loaded when it is needed: it takes 0.1 s, which a store without a model need not wait for.
  const { default: Client } = await import('openai')
  return new Client({
    baseURL,
    fetch,
    apiKey: 'sent-by-fetch',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    // Beyond the deadline of the request, which cancels it; the client's own cannot be injected.
    timeout: 2 * timeoutMs,
  })
}

function bodyOf(model: string, request: ChatRequest, refused: ReadonlySet<OptionalParameter>): Body {
  return {
    model,
    messages: [
      { role: 'system', content: request.system },
      { role: 'user', content: request.user },
    ],
    ...optionalParameters(request.schema, refused),
  }
}

const answers = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number().optional(), completion_tokens: z.number().optional() }).nullish(),
})

function completionOf(told: unknown): ChatCompletion {
  const read = answers.safeParse(told)
  const choice = read.data?.choices[0]
  if (read.data === undefined || choice === undefined) throw invalid('there is no choice with a message')
  const { message, finish_reason } = choice
  if (finish_reason === 'length') throw new ChatError('chat_truncated')
  if (finish_reason === 'content_filter') throw invalid('a content filter of the service ended it')
  if (typeof message.refusal === 'string') throw invalid('the model refused')
  if (typeof message.content !== 'string') throw invalid('the message has no content')
  const { prompt_tokens, completion_tokens } = read.data.usage ?? {}
  return {
    text: message.content,
    usage: {
      ...(prompt_tokens === undefined ? {} : { promptTokens: prompt_tokens }),
      ...(completion_tokens === undefined ? {} : { completionTokens: completion_tokens }),
    },
  }
}

const invalid = (detail: string) => new ChatError('chat_response_invalid', { detail })
