import { EmbeddingError } from './errors.js'

/** How long one request may take, its answer read (SEA-4). */
export const REQUEST_TIMEOUT_MS = 30_000

/** Waits; resolves early when the signal aborts. */
export type Sleep = (
  ms: number,
  options: { readonly signal?: AbortSignal; readonly keepsProcessAlive: boolean },
) => Promise<void>

/**
 * Runs `request` until it settles, the caller aborts or time is up; in the latter cases its signal is aborted, and the
 * promise rejects at once even if the request does not listen.
 * @throws the reason of `signal`  @throws {EmbeddingError} `embedding_timeout`  @throws what `request` throws
 */
export async function withDeadline<T>(
  request: (signal: AbortSignal) => Promise<T>,
  { sleep, signal }: { readonly sleep: Sleep; readonly signal?: AbortSignal | undefined },
): Promise<T> {
  signal?.throwIfAborted()
  const cancelling = new AbortController()
  const settled = new AbortController()
  const stopped = new Promise<never>((_, reject) => {
    cancelling.signal.addEventListener('abort', () => reject(cancelling.signal.reason as Error), { once: true })
  })
  const stop = (): void => cancelling.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  const timer = sleep(REQUEST_TIMEOUT_MS, { signal: settled.signal, keepsProcessAlive: false }).then(() => {
    if (!settled.signal.aborted) cancelling.abort(new EmbeddingError('embedding_timeout'))
  })
  try {
    // A timer that fails must not leave the request without an end.
    return await Promise.race([request(cancelling.signal), stopped, timer.then(() => stopped)])
  } finally {
    settled.abort()
    signal?.removeEventListener('abort', stop)
  }
}

/** The timer of the process. */
export const sleepOnTimer: Sleep = (ms, { signal, keepsProcessAlive }) =>
  new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (!keepsProcessAlive) timer.unref()
    signal?.addEventListener('abort', end, { once: true })
  })
