/** Failed attempts after which a turn is dead (INT-8). */
export const MAX_ATTEMPTS = 16
/** Wait after the first failure. */
export const FIRST_BACKOFF_MS = 60_000
/** Longest wait. With it, 15 waits span 44.5 hours: a provider may be away for a day. */
export const MAX_BACKOFF_MS = 6 * 60 * 60_000

/**
 * How long a turn waits after its latest failure: one minute, doubling, at most six hours (INT-8).
 * @param failures  failures so far, 1..15
 * @returns milliseconds
 * @throws {RangeError} `failures` outside 1..15
 */
export function backoffMs(failures: number): number {
  if (!Number.isInteger(failures) || failures < 1 || failures >= MAX_ATTEMPTS) {
    throw new RangeError(`failures must be an integer from 1 to ${MAX_ATTEMPTS - 1}`)
  }
  return Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS)
}

/**
 * When a failed turn is due again.
 * @param failures  failures so far, 1..16          @param failedAt  epoch milliseconds
 * @returns epoch milliseconds, or `dead` when no attempt is left
 * @throws {RangeError} `failures` outside 1..16
 */
export function nextAttemptAt(failures: number, failedAt: number): number | 'dead' {
  return failures === MAX_ATTEMPTS ? 'dead' : failedAt + backoffMs(failures)
}

/**
 * A due instant that is further off than its own backoff was written by a clock that was ahead, or the clock went back
 * since: the turn is due after that backoff (INT-13). The result replaces `dueAt`, so that looking often delays nothing.
 * @param dueAt, now  epoch milliseconds          @param failures  1..15
 */
export function correctedDueAt(dueAt: number, failures: number, now: number): number {
  return Math.min(dueAt, now + backoffMs(failures))
}
