import type { ServiceFailures } from '@mono-agent/memory-search'
import { ChatError } from './errors.js'

/**
 * Bytes of an answer. A completion may have 262,144 UTF-16 units (CAP-6), which escaped are some 1.5 MB; the rest is for a
 * model's thoughts, which come beside it.
 */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024

const TELLS_TOO_LONG =
  /context (length|size|window)|maximum (context|input|sequence)|(input|prompt)( length)? (exceeds|is too (large|long))|too many tokens/i
const TELLS_UNFIT = /does not support chat/i
const TELLS_NO_MODEL = /model.*(not found|does not exist|not loaded|unknown)|(no|unknown) (such )?model/i

/** Limits of the `fetch` of Node.js itself: 300 s without a head or a piece of the body, whatever the deadline. */
const FETCH_TIMEOUTS: ReadonlySet<unknown> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

/** What went wrong with a request to a chat service. @param model  as configured, for the mend */
export function chatFailures(model: string): ServiceFailures {
  return {
    unavailable(cause) {
      if (!FETCH_TIMEOUTS.has(innerCode(cause))) return new ChatError('chat_unavailable', { cause })
      return new ChatError('chat_timeout', { detail: 'the fetch of the process gave up; inject another one', cause })
    },
    tooLarge: () => new ChatError('chat_response_invalid', { detail: 'the answer has more than 8 MiB' }),
    notJson: () => new ChatError('chat_response_invalid', { detail: 'the body is no JSON' }),
    ofStatus(status, told) {
      if (status === 429) return new ChatError('chat_rate_limited', { status })
      if ([400, 413, 422, 500].includes(status) && TELLS_TOO_LONG.test(told)) {
        return new ChatError('chat_prompt_too_long', { status })
      }
      if (status === 400 && TELLS_UNFIT.test(told)) return new ChatError('chat_model_unfit', { status, detail: model })
      if ([400, 404].includes(status) && TELLS_NO_MODEL.test(told)) {
        return new ChatError('chat_model_missing', { status, detail: model })
      }
      if (status === 408 || status >= 500) return new ChatError('chat_unavailable', { status })
      return new ChatError('chat_rejected', { status })
    },
  }
}

/** `fetch` wraps what happened to the connection. */
function innerCode(error: unknown): unknown {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } | null }
  return code ?? cause?.code
}
