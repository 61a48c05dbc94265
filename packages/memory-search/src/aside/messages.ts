import { MemoryError } from '@mono-agent/memory-store'
import type { Calibration } from '../calibration/calibration.js'
import { SEARCH_ERRORS, SearchError, type SearchErrorCode } from '../errors.js'
import type { IndexIdentity, Ranking, RankRequest } from '../types.js'

/** What a ranking thread is started with. */
export interface ThreadData {
  /** Of the database, resolved. */
  readonly path: string
  readonly tier: IndexIdentity['tier']
  readonly hasVectors: boolean
}

export interface RankMessage {
  readonly request: RankRequest
  readonly calibration: Calibration | undefined
}

/** Errors as they go from one thread to another: of an instance only its message would arrive. */
export interface ThreadFailure {
  readonly name: string
  readonly code?: string
  readonly message: string
}

export type RankAnswer = { readonly ranking: Ranking } | { readonly failure: ThreadFailure }

export function failureOf(error: unknown): ThreadFailure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message } = error
  return error instanceof MemoryError ? { name, code: (error as MemoryError).code, message } : { name, message }
}

export function errorOf({ name, code, message }: ThreadFailure): Error {
  if (code !== undefined && Object.hasOwn(SEARCH_ERRORS, code)) return new SearchError(code as SearchErrorCode, message)
  if (name === 'RangeError') return new RangeError(message)
  return name === 'TypeError' ? new TypeError(message) : new Error(message)
}
