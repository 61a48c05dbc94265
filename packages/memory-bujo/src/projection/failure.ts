import { errnoOf, MemoryError } from '@mono-agent/memory-store'
import { SearchError } from '@mono-agent/memory-search'

/**
 * What a failed projection means. `stop`: this writer may not write any more. `local`: the disk or the index is in the
 * way, no attempt is counted (INT-8). `turn`: the turn itself could not be processed; one attempt.
 */
export type ProjectionFailure = 'stop' | 'local' | 'turn'

const STOPPING = new Set(['lease_lost', 'store_closed'])
const LOCAL = new Set([
  'storage_failed',
  'file_busy',
  'path_unsafe',
  'canonical_invalid',
  'intake_invalid',
  'outbox_invalid',
])

export function classifyFailure(error: unknown): ProjectionFailure {
  const code = failureCode(error)
  if (STOPPING.has(code)) return 'stop'
  // Whatever is wrong with the index or the disk, the turn is not to blame.
  const isLocal = LOCAL.has(code) || error instanceof SearchError || errnoOf(error) !== undefined
  return isLocal ? 'local' : 'turn'
}

/** The stable code of an error of this library; `unexpected` for any other, whose message may hold content. */
export function failureCode(error: unknown): string {
  return error instanceof MemoryError ? (error as MemoryError).code : 'unexpected'
}

/** First wait after a local fault. */
const FIRST_LOCAL_WAIT_MS = 1_000
/** A disk that was full for an hour is found again within a minute. */
const MAX_LOCAL_WAIT_MS = 60_000

/** @param failures  local failures in a row, from 1 */
export function localWaitMs(failures: number): number {
  return Math.min(FIRST_LOCAL_WAIT_MS * 2 ** (failures - 1), MAX_LOCAL_WAIT_MS)
}
