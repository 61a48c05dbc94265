import { withDeadline, type Deadline } from '../service/deadline.js'
import { EmbeddingError } from './errors.js'

/** How long one request may take, its answer read (SEA-4). */
export const REQUEST_TIMEOUT_MS = 30_000

/** @throws {EmbeddingError} `embedding_timeout`  @throws the reason of `signal`  @throws what `request` throws */
export function withRequestDeadline<T>(
  request: (signal: AbortSignal) => Promise<T>,
  patience: Pick<Deadline, 'sleep' | 'signal'>,
): Promise<T> {
  const timedOut = () => new EmbeddingError('embedding_timeout')
  return withDeadline(request, { ...patience, timeoutMs: REQUEST_TIMEOUT_MS, timedOut })
}
