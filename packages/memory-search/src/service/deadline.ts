/** Waits; resolves early when the signal aborts. */
export type Sleep = (
  ms: number,
  options: { readonly signal?: AbortSignal; readonly keepsProcessAlive: boolean },
) => Promise<void>

export interface Deadline {
  readonly timeoutMs: number
  /** What a request rejects with that took longer. */
  readonly timedOut: () => Error
  readonly sleep: Sleep
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs `request` until it settles, the caller aborts or time is up; in the latter cases its signal is aborted, and the
 * promise rejects at once even if the request does not listen. What it brings later is thrown away.
 * @throws the reason of `signal`  @throws what `timedOut` makes  @throws what `request` throws
 */
export async function withDeadline<T>(
  request: (signal: AbortSignal) => Promise<T>,
  { timeoutMs, timedOut, sleep, signal }: Deadline,
): Promise<T> {
  signal?.throwIfAborted()
  const cancelling = new AbortController()
  const settled = new AbortController()
  const stopped = new Promise<never>((_, reject) => {
    cancelling.signal.addEventListener('abort', () => reject(cancelling.signal.reason as Error), { once: true })
  })
  const stop = (): void => cancelling.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  // Somebody waits: a request that never settles, and holds no socket, must not let the process end beside them.
  const timer = sleep(timeoutMs, { signal: settled.signal, keepsProcessAlive: true }).then(() => {
    if (!settled.signal.aborted) cancelling.abort(timedOut())
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
