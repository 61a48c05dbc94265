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
  /** Its own sidecar; absent: it uses none. */
  readonly sidecar?: ThreadSidecar | undefined
}

export interface ThreadSidecar {
  /** Memories from which on it is used. */
  readonly from: number
  /** Of its sealed copy. */
  readonly path: string
  /** Of the lease of the process that writes the store, whose thread may write that copy; absent: it only reads. */
  readonly epoch?: number | undefined
}

export interface RankMessage {
  readonly request: RankRequest
  readonly calibration: Calibration | undefined
}

/** Asks the thread to get its sidecar ready; it is not in the queue of rankings, which go on meanwhile. */
export interface WarmMessage {
  readonly warm: true
}

/** Errors as they go from one thread to another: of an instance only its message would arrive. */
export interface ThreadFailure {
  readonly name: string
  readonly code?: string
  readonly message: string
}

export type RankAnswer = { readonly ranking: Ranking } | { readonly failure: ThreadFailure }

/** What a thread says: the answer to what it was asked, or, between answers, how its sidecar is. */
export type ThreadMessage = RankAnswer | { readonly fault: ThreadFailure } | { readonly isWarm: true }

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
