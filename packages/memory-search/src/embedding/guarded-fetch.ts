import { EmbeddingError } from './errors.js'

export type Fetch = typeof globalThis.fetch

export interface GuardedFetchParts {
  readonly fetch: Fetch
  readonly signal: AbortSignal
  /** Sent as a bearer token; without it no authorization is sent, whatever the environment holds. */
  readonly apiKey?: string | undefined
}

/** An answer of 32 vectors of 65,536 numbers has some 50 MB. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
/** Of the body of a failure, only to tell what kind it is. */
const MAX_FAILURE_BYTES = 16 * 1024

/** The headers of the clients that are passed on; others they take from the environment, or tell of this machine. */
const PASSED_HEADERS = ['accept', 'content-type', 'user-agent']

const TELLS_TOO_LONG =
  /context (length|size|window)|maximum (context|input|sequence)|input (length|is too (large|long))|too many tokens/i
const TELLS_UNFIT = /does not support embed/i
const TELLS_NOT_FINITE = /unsupported value: NaN|\bNaN\b/

/**
 * Runs `call` with a `fetch` for the official clients, and brings what went wrong out of whatever they wrap it in.
 * The clients see whole answers of status 2xx only: on others they would retry, log, or quote the body.
 * @throws {EmbeddingError}  @throws the reason of the signal
 */
export async function withGuardedFetch<T>(parts: GuardedFetchParts, call: (fetch: Fetch) => Promise<T>): Promise<T> {
  let failure: EmbeddingError | undefined
  const guarded: Fetch = async (input, init) => {
    try {
      return await exchange(parts, input, init)
    } catch (error) {
      failure = error instanceof EmbeddingError ? error : unavailable(error)
      throw failure
    }
  }
  try {
    return await call(guarded)
  } catch (error) {
    parts.signal.throwIfAborted()
    if (failure !== undefined) throw failure
    // Its message quotes the body, which may repeat texts: it is no cause to keep.
    if (error instanceof SyntaxError) throw new EmbeddingError('embedding_invalid', { detail: 'the body is no JSON' })
    throw error
  }
}

async function exchange(
  { fetch, signal, apiKey }: GuardedFetchParts,
  input: Parameters<Fetch>[0],
  init: RequestInit = {},
): Promise<Response> {
  const given = new Headers(init.headers)
  const headers = new Headers()
  for (const name of PASSED_HEADERS) {
    const value = given.get(name)
    if (value !== null) headers.set(name, value)
  }
  if (apiKey !== undefined) headers.set('authorization', `Bearer ${apiKey}`)
  const response = await fetch(input, {
    method: init.method ?? 'GET',
    headers,
    // A redirect would carry texts to where the configuration does not say.
    redirect: 'manual',
    signal,
    ...(init.body === undefined ? {} : { body: init.body }),
  })
  if (!response.ok) throw await failureOf(response)
  const body = await readBody(response, MAX_ANSWER_BYTES)
  if (body.isCut) throw new EmbeddingError('embedding_invalid', { detail: 'the answer has more than 64 MiB' })
  return new Response(body.text, { headers: { 'content-type': 'application/json' } })
}

function unavailable(error: unknown): EmbeddingError {
  return new EmbeddingError('embedding_unavailable', { cause: error })
}

async function failureOf(response: Response): Promise<EmbeddingError> {
  const { status } = response
  let told = ''
  try {
    told = (await readBody(response, MAX_FAILURE_BYTES)).text
  } catch {
    // The status alone says enough.
  }
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
}

async function readBody(response: Response, maxBytes: number): Promise<{ text: string; isCut: boolean }> {
  if (response.body === null) return { text: '', isCut: false }
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body) {
    chunks.push(chunk as Uint8Array)
    bytes += (chunk as Uint8Array).byteLength
    if (bytes > maxBytes) break // leaving the loop cancels the rest
  }
  return { text: Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8'), isCut: bytes > maxBytes }
}
