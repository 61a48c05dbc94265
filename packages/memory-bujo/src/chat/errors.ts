import { MemoryError } from '@mono-agent/memory-store'

/** code → meaning and mend; `docs/errors.md` is made from this table. */
export const CHAT_ERRORS = {
  chat_unavailable:
    'The chat model cannot be reached, broke the connection or failed inside (HTTP 408 or 5xx); or the function of the host failed. The turn stays pending and is tried again; recall and admission go on. Start the service, or mend `endpoint`.',
  chat_timeout:
    'The chat model did not answer within `llm.timeoutMs`; the request was cancelled, and what it brings later is thrown away. The turn stays pending and is tried again. Raise `timeoutMs`, look at the load of the service, or choose a smaller model.',
  chat_rate_limited:
    'The chat service takes no more requests for now (HTTP 429). The turn stays pending and is tried again. Raise the limit or the balance of the account if it stays.',
  chat_rejected:
    'The chat service refused the request; the HTTP status tells why: 400 or 422 the request, 401 or 403 the key, 404 the path, 3xx a redirect, which is not followed. The turn stays pending. Mend key, model or endpoint.',
  chat_prompt_too_long:
    'The request is longer than the context of the chat model. Nothing was cut from it; the turn stays pending. Choose a model, or a setting of the service, with a larger context.',
  chat_model_missing:
    'The chat service does not hold this model under exactly this name and tag. The turn stays pending. Pull or load it there, or name the one that is there.',
  chat_model_unfit: 'The model is there, but it is none for chat. The turn stays pending. Name a chat model.',
  chat_key_missing:
    'There is no usable API key: the declared environment variable is unset or empty, none is declared where the service needs one, or the value cannot be sent as a header. No request was sent, least of all without a key. Set the variable that `apiKeyEnv` names.',
  chat_endpoint_invalid:
    'The endpoint is no plain http or https address: it has another scheme, a user name, a query or a fragment. No request was sent. Give the service root alone, and the key by `apiKeyEnv`.',
  chat_response_invalid:
    'The chat service answered with something that holds no text: no JSON, no message, a refusal, more than 8 MiB; or the function of the host returned no string. Nothing of it was used; the turn stays pending. Check that model and endpoint are for chat.',
  chat_truncated:
    'The answer of the chat model ended at its limit of tokens, so it is not whole. Nothing of it was used; the turn stays pending. Raise that limit in the service, or choose a model that thinks less before it answers.',
} as const

export type ChatErrorCode = keyof typeof CHAT_ERRORS

/** What a failure speaks of: the service (it passes by itself), or the configuration (somebody must mend it). */
export type ChatConcern = 'service' | 'configuration'

const CONCERNS: Readonly<Record<ChatErrorCode, ChatConcern>> = {
  chat_unavailable: 'service',
  chat_timeout: 'service',
  chat_rate_limited: 'service',
  chat_rejected: 'configuration',
  chat_prompt_too_long: 'configuration',
  chat_model_missing: 'configuration',
  chat_model_unfit: 'configuration',
  chat_key_missing: 'configuration',
  chat_endpoint_invalid: 'configuration',
  chat_response_invalid: 'service',
  chat_truncated: 'service',
}

export interface ChatErrorDetails {
  /** What is particular: numbers and names of the configuration, never a text, key or address. */
  readonly detail?: string
  readonly status?: number
  readonly cause?: unknown
}

export class ChatError extends MemoryError<ChatErrorCode> {
  override readonly name = 'ChatError'
  readonly concerns: ChatConcern
  /** HTTP status, if the service sent one that is no success. */
  readonly status?: number

  constructor(code: ChatErrorCode, { detail, status, cause }: ChatErrorDetails = {}) {
    const particulars = [status === undefined ? [] : [`HTTP ${status}`], detail === undefined ? [] : [detail]].flat()
    const text = CHAT_ERRORS[code]
    super(
      code,
      particulars.length === 0 ? text : `${text} (${particulars.join('; ')})`,
      cause === undefined ? {} : { cause },
    )
    this.concerns = CONCERNS[code]
    if (status !== undefined) this.status = status
  }
}
