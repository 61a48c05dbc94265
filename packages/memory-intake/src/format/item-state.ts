import type { FailureCategory } from '@mono-agent/memory-store'
import { z } from 'zod'

/** What never changes about an item, and how far it has come. */
interface ItemBase {
  /** sha256(runId), 64 hex. */
  readonly id: string
  /** Admission number, from 1. */
  readonly order: number
  /** RFC 3339, UTC, milliseconds. */
  readonly admittedAt: string
  /** SHA-256 of the canonical payload, 64 hex. */
  readonly payloadHash: string
  /** Counts changes, from 1 at admission. */
  readonly revision: number
  /** Failed attempts since admission or the last `retry`. */
  readonly attempts: number
  readonly changedAt: string
}

export interface PendingState extends ItemBase {
  readonly state: 'pending'
  /** Absent: due at once. */
  readonly nextAttemptAt?: string
  readonly failure?: FailureCategory
}

export interface DeadState extends ItemBase {
  readonly state: 'dead'
  readonly failure: FailureCategory
}

/** How a turn ended. `operator_resolved` claims no success. */
export type ItemOutcome = 'indexed' | 'curated' | 'operator_resolved'

export interface ResolvedState extends ItemBase {
  readonly state: 'resolved'
  readonly outcome: ItemOutcome
  /** Run-derived, needed so that a replay cannot apply the turn twice (INT-9). */
  readonly memoryIds: readonly string[]
  /** Only of `operator_resolved`. */
  readonly reason?: string
}

export type UnfinishedState = PendingState | DeadState
export type ItemState = UnfinishedState | ResolvedState

/** Pieces of the schemas of what is read back from disk. */
export const hex256 = z.string().regex(/^[0-9a-f]{64}$/)
export const instant = z.iso.datetime({ precision: 3 })
export const positive = z.int().min(1)
export const failureCategory = z.enum(['model_output', 'provider', 'processing'])
export const itemOutcome = z.enum(['indexed', 'curated', 'operator_resolved'])

export const itemBaseShape = {
  id: hex256,
  order: positive,
  admittedAt: instant,
  payloadHash: hex256,
  revision: positive,
  attempts: z.int().min(0).max(16),
  changedAt: instant,
}
