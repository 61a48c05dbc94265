import { MemoryError } from '@mono-agent/memory-bujo'

/** The stable code of a failure; `unexpected` where it is none of this library, whose message may hold content. */
export function failureCode(error: unknown): string {
  if (error instanceof MemoryError) return (error as MemoryError).code
  return error instanceof Error && error.name === 'AbortError' ? 'aborted' : 'unexpected'
}

/** What a failed write says of itself; a failure that is not this library's says nothing, so that it may be found later. */
export function outcomeOf(error: unknown): 'not_written' | 'unknown' {
  return error instanceof MemoryError ? (error.outcome ?? 'unknown') : 'unknown'
}
