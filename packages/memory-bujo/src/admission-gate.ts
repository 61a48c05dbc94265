import { normaliseObservation, type CompletedTurn, type SkipReason } from '@mono-agent/memory-store'
import { isLowSignal } from '@mono-agent/memory-intake'
import type { MemoryConfig } from './config.js'

/** Enough of a summary to see that it is not empty, without normalising all of a large one. */
const GLANCE = 1_024

/** Why a turn is not admitted though nothing is wrong with it; undefined if it is (CAP-4, INT-14). */
export function skipReason(turn: CompletedTurn, writeMode: MemoryConfig['writeMode']): SkipReason | undefined {
  if (writeMode === 'disabled') return 'write_disabled'
  if (turn.finalAnswer !== undefined && isLowSignal(turn.finalAnswer)) return 'low_signal'
  return holdsText(turn.summary) ? undefined : 'empty'
}

function holdsText(summary: string): boolean {
  return normaliseObservation(summary.slice(0, GLANCE)) !== '' || normaliseObservation(summary) !== ''
}
