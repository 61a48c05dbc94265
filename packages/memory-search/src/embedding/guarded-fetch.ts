import { withGuardedFetch, type Fetch, type GuardedFetchParts, type ServiceFailures } from '../service/guarded-fetch.js'
import { EmbeddingError } from './errors.js'

/** An answer of 32 vectors of 65,536 numbers has some 50 MB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024

const TELLS_TOO_LONG =
  /context (length|size|window)|maximum (context|input|sequence)|input (length|is too (large|long))|too many tokens/i
const TELLS_UNFIT = /does not support embed/i
const TELLS_NOT_FINITE = /unsupported value: NaN|\bNaN\b/

/** Runs `call` with a `fetch` for the official clients. @throws {EmbeddingError}  @throws the reason of the signal */
export function withEmbeddingFetch<T>(
  parts: Pick<GuardedFetchParts, 'fetch' | 'signal' | 'apiKey'>,
  call: (fetch: Fetch) => Promise<T>,
): Promise<T> {
  return withGuardedFetch({ ...parts, maxAnswerBytes: MAX_ANSWER_BYTES, failures: FAILURES }, call)
}

const FAILURES: ServiceFailures = {
  unavailable: (cause) => new EmbeddingError('embedding_unavailable', { cause }),
  tooLarge: () => new EmbeddingError('embedding_invalid', { detail: 'the answer has more than 64 MiB' }),
  notJson: () => new EmbeddingError('embedding_invalid', { detail: 'the body is no JSON' }),
  ofStatus(status, told) {
    if (status === 429) return new EmbeddingError('embedding_rate_limited', { status })
    if ([400, 413, 422, 500].includes(status) && TELLS_TOO_LONG.test(told)) {
      return new EmbeddingError('embedding_text_too_long', { status })
    }
    if (TELLS_UNFIT.test(told)) return new EmbeddingError('embedding_model_unfit', { status })
    if (status === 500 && TELLS_NOT_FINITE.test(told)) {
      return new EmbeddingError('embedding_invalid', { status, detail: 'a vector is not finite', concerns: 'text' })
    }
    if (status === 408 || status >= 500) return new EmbeddingError('embedding_unavailable', { status })
    const isAboutText = [400, 413, 422].includes(status)
    return new EmbeddingError('embedding_rejected', { status, concerns: isAboutText ? 'text' : 'configuration' })
  },
}
