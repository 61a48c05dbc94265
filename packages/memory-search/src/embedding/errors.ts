import { MemoryError } from '@mono-agent/memory-store'

/** code → meaning and mend; `docs/errors.md` is made from this table. */
export const EMBEDDING_ERRORS = {
  embedding_unavailable:
    'The embedding service cannot be reached, broke the connection or failed inside (HTTP 408 or 5xx). Turns and keyword recall go on without it; what lacks a vector waits. Start the service, or mend `endpoint`.',
  embedding_timeout:
    'The embedding service did not answer in 30 s; the request was cancelled. What lacks a vector waits. Look at the load of the service, or choose a smaller model.',
  embedding_rate_limited:
    'The embedding service takes no more requests for now (HTTP 429). What lacks a vector waits and is tried again. Raise the limit of the account if it stays.',
  embedding_rejected:
    'The embedding service refused the request; the HTTP status tells why: 400 or 422 the request or one of its texts, 401 or 403 the key, 404 the model or the path, 3xx a redirect, which is not followed. What lacks a vector waits. Mend key, model or endpoint.',
  embedding_text_too_long:
    'A text is over the context of the model though it was cut to what the configuration says. It has no vector. Set `contextTokens` to what the service really takes.',
  embedding_invalid:
    'The embedding service answered with something that is no list of vectors: no JSON, another count than asked for, numbers that are not finite, a vector of zeros. Nothing of the answer was used. Check that model and endpoint are for embeddings.',
  embedding_dimension:
    'The vectors of the service have another dimension than the configuration says. Nothing of the answer was used. Set `dim` to the dimension of the model and rebuild, or choose the model that the index was built with.',
  embedding_circuit_open:
    'Three requests to the embedding service failed one after the other, so none is sent for 30 s; then a single one tries. The cause holds the last failure: mend that.',
  embedding_key_missing:
    'There is no usable API key: the declared environment variable is unset or empty, none is declared where the service needs one, or the value cannot be sent as a header. No request was sent, least of all without a key. Set the variable that `apiKeyEnv` names.',
  embedding_endpoint_invalid:
    'The endpoint is no plain http or https address: it has another scheme, a user name, a query or a fragment. No request was sent. Give the service root alone, and the key by `apiKeyEnv`.',
  embedding_model_missing:
    'The embedding service does not hold this model under exactly this name and tag. Pull or load it there, or name the one that is there.',
  embedding_model_unfit: 'The model is there, but it is none for embeddings. Name an embedding model and rebuild.',
} as const

export type EmbeddingErrorCode = keyof typeof EMBEDDING_ERRORS

/**
 * What a failure speaks of: the service (it passes by itself), the configuration (somebody must mend it), or a text of
 * this request (the others would be embedded without it).
 */
export type EmbeddingConcern = 'service' | 'configuration' | 'text'

const CONCERNS: Readonly<Record<EmbeddingErrorCode, EmbeddingConcern>> = {
  embedding_unavailable: 'service',
  embedding_timeout: 'service',
  embedding_rate_limited: 'service',
  embedding_rejected: 'configuration',
  embedding_text_too_long: 'text',
  embedding_invalid: 'service',
  embedding_dimension: 'configuration',
  embedding_circuit_open: 'service',
  embedding_key_missing: 'configuration',
  embedding_endpoint_invalid: 'configuration',
  embedding_model_missing: 'configuration',
  embedding_model_unfit: 'configuration',
}

export interface EmbeddingErrorDetails {
  /** What is particular: numbers and names of the configuration, never a text, key or address. */
  readonly detail?: string
  readonly status?: number
  /** If it is not the usual one of the code. */
  readonly concerns?: EmbeddingConcern
  readonly cause?: unknown
}

export class EmbeddingError extends MemoryError<EmbeddingErrorCode> {
  override readonly name = 'EmbeddingError'
  readonly concerns: EmbeddingConcern
  /** HTTP status, if the service sent one that is no success. */
  readonly status?: number

  constructor(code: EmbeddingErrorCode, { detail, status, concerns, cause }: EmbeddingErrorDetails = {}) {
    const particulars = [status === undefined ? [] : [`HTTP ${status}`], detail === undefined ? [] : [detail]].flat()
    const text = EMBEDDING_ERRORS[code]
    super(
      code,
      particulars.length === 0 ? text : `${text} (${particulars.join('; ')})`,
      cause === undefined ? {} : { cause },
    )
    this.concerns = concerns ?? CONCERNS[code]
    if (status !== undefined) this.status = status
  }
}
