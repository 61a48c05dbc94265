import { normaliseObservation, type CompletedTurn, type SkipReason } from '@mono-agent/memory-store'
import { isLowSignal } from '@mono-agent/memory-intake'
import type { MemoryConfig } from './config.js'

/** Enough of a summary to see that it is not empty, without normalising all of a large one. */
const GLANCE = 1_024

type GateConfig = Pick<MemoryConfig, 'writeMode' | 'capture'>

/** Why a turn is not admitted though nothing is wrong with it; undefined if it is (CAP-4, CAP-22, INT-14). */
export function skipReason(turn: CompletedTurn, { writeMode, capture }: GateConfig): SkipReason | undefined {
  if (writeMode === 'disabled') return 'write_disabled'
  if (isSourceOff(turn.source, capture)) return 'source_off'
  if (turn.finalAnswer !== undefined && isLowSignal(turn.finalAnswer)) return 'low_signal'
  return holdsText(turn.summary) ? undefined : 'empty'
}

/** By what the host says of the turn and nothing else: a run id or a text that looks like a schedule's is not one. */
function isSourceOff(source: CompletedTurn['source'], capture: GateConfig['capture']): boolean {
  if (source?.kind === 'cron') return capture?.cron === false
  return source?.kind === 'webhook' && capture?.webhook === false
}

function holdsText(summary: string): boolean {
  return normaliseObservation(summary.slice(0, GLANCE)) !== '' || normaliseObservation(summary) !== ''
}
