export type Fetch = typeof globalThis.fetch

/** What goes wrong with a request, in the words of whoever sends it. None of them may quote a body: it may repeat texts. */
export interface ServiceFailures {
  /** No connection, or one that broke. */
  unavailable(cause: unknown): Error
  /** @param told  the beginning of the body, only to tell what kind it is */
  ofStatus(status: number, told: string): Error
  tooLarge(): Error
  notJson(): Error
}

export interface GuardedFetchParts {
  readonly fetch: Fetch
  readonly signal: AbortSignal
  /** Sent as a bearer token; without it no authorization is sent, whatever the environment holds. */
  readonly apiKey?: string | undefined
  /** Bytes of an answer, from which reading on is given up. */
  readonly maxAnswerBytes: number
  readonly failures: ServiceFailures
}

/** Of the body of a failure, only to tell what kind it is. */
const MAX_FAILURE_BYTES = 16 * 1024

/** The headers of the clients that are passed on; others they take from the environment, or tell of this machine. */
const PASSED_HEADERS = ['accept', 'content-type', 'user-agent']

/**
 * Runs `call` with a `fetch` for the official clients, and brings what went wrong out of whatever they wrap it in.
 * The clients see whole answers of status 2xx only: on others they would retry, log, or quote the body.
 * @throws what `failures` makes of it  @throws the reason of the signal
 */
export async function withGuardedFetch<T>(parts: GuardedFetchParts, call: (fetch: Fetch) => Promise<T>): Promise<T> {
  const { failures, signal } = parts
  let failure: Error | undefined
  const guarded: Fetch = async (input, init) => {
    const outcome = await exchange(parts, input, init).catch((error: unknown) => failures.unavailable(error))
    if (!(outcome instanceof Error)) return outcome
    failure = outcome
    throw outcome
  }
  try {
    return await call(guarded)
  } catch (error) {
    signal.throwIfAborted()
    if (failure !== undefined) throw failure
    // Its message quotes the body, which may repeat texts: it is no cause to keep.
    if (error instanceof SyntaxError) throw failures.notJson()
    throw error
  }
}

async function exchange(
  { fetch, signal, apiKey, maxAnswerBytes, failures }: GuardedFetchParts,
  input: Parameters<Fetch>[0],
  init: RequestInit = {},
): Promise<Response | Error> {
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
  if (!response.ok) return failures.ofStatus(response.status, await beginningOf(response))
  const body = await readBody(response, maxAnswerBytes)
  if (body.isCut) return failures.tooLarge()
  return new Response(body.text, { headers: { 'content-type': 'application/json' } })
}

async function beginningOf(response: Response): Promise<string> {
  try {
    return (await readBody(response, MAX_FAILURE_BYTES)).text
  } catch {
    return '' // the status alone says enough
  }
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
