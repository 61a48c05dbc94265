import type { FailureCategory } from '@mono-agent/memory-store'
import type { AdmitItem, AttemptItem, ChangeItem, DeadItem, RetryItem, SettledItem } from '../format/log-item.js'
import type { ItemOutcome, ItemState, PendingState, UnfinishedState } from '../format/item-state.js'
import { nextAttemptAt } from './backoff.js'

/** The state right after admission. */
export function admittedState({ id, order, admittedAt, payloadHash }: Omit<AdmitItem, 'kind' | 'turn'>): PendingState {
  return { id, order, admittedAt, payloadHash, revision: 1, attempts: 0, changedAt: admittedAt, state: 'pending' }
}

/**
 * An item's state is the fold of its log items over its record. Each says what the change left behind, so the last one
 * counts, whatever the record held.
 */
export function applyChange(state: ItemState, change: ChangeItem): ItemState {
  const { id, order, admittedAt, payloadHash } = state
  const base = { id, order, admittedAt, payloadHash, revision: change.revision, changedAt: change.at }
  switch (change.kind) {
    case 'attempt': {
      const { attempts, failure, nextAttemptAt: next } = change
      return { ...base, state: 'pending', attempts, failure, nextAttemptAt: next }
    }
    case 'dead':
      return { ...base, state: 'dead', attempts: change.attempts, failure: change.failure }
    case 'retry':
      return { ...base, state: 'pending', attempts: 0 }
    case 'settled': {
      const { outcome, memoryIds, reason } = change
      const reasonGiven = reason === undefined ? {} : { reason }
      return { ...base, state: 'resolved', attempts: state.attempts, outcome, memoryIds, ...reasonGiven }
    }
  }
}

const toInstant = (epochMs: number): string => new Date(epochMs).toISOString()

/** One more failed attempt: a delay, or death after the 16th (INT-8). @param now  epoch milliseconds */
export function planFailure(state: PendingState, failure: FailureCategory, now: number): AttemptItem | DeadItem {
  const attempts = state.attempts + 1
  const next = nextAttemptAt(attempts, now)
  const base = { id: state.id, revision: state.revision + 1, at: toInstant(now), attempts, failure }
  return next === 'dead' ? { kind: 'dead', ...base } : { kind: 'attempt', ...base, nextAttemptAt: toInstant(next) }
}

/** Due at once, with all its attempts again (INT-12). Undefined if it is that already. */
export function planRetry(state: UnfinishedState, now: number): RetryItem | undefined {
  if (state.state === 'pending' && state.nextAttemptAt === undefined) return undefined
  return { kind: 'retry', id: state.id, revision: state.revision + 1, at: toInstant(now) }
}

export interface Ending {
  readonly outcome: ItemOutcome
  readonly memoryIds: readonly string[]
  readonly reason?: string
}

export function planSettlement(state: UnfinishedState, ending: Ending, now: number): SettledItem {
  return { kind: 'settled', id: state.id, revision: state.revision + 1, at: toInstant(now), ...ending }
}
