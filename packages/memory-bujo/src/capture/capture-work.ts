import type { PendingTurn } from '@mono-agent/memory-intake'
import { createAuditLoop } from '../audit/audit-loop.js'
import { writeTurns } from '../audit/write-turns.js'
import type { Host } from '../host.js'
import { createTurnWorker } from '../projection/turn-worker.js'
import type { TurnWork, WorkParts } from '../tiers/tier.js'
import { failureOf } from './failure-category.js'
import type { Capture } from './open-capture.js'

/** Turns whose audit lines are written in one batch where nothing is curated. */
const MAX_BATCH = 512

type Clock = Pick<Host, 'now' | 'monotonicNow' | 'sleep'>

/** Audit lines, and nothing that recall could find (CAP-3, CAP-4). */
export function openAuditWork(parts: WorkParts, host: Clock): TurnWork {
  const { intake, events } = parts
  const carryOut = async (turns: readonly PendingTurn[]): Promise<number> => {
    const redacted = await writeTurns(parts, turns)
    intake.markProjected(turns.map(({ id }) => id))
    await intake.settle(turns.map(({ id }) => ({ id, memoryIds: [] })))
    return redacted
  }
  return createTurnWorker(
    { intake, events, job: { maxBatch: MAX_BATCH, carryOut, categoryOf: () => 'processing' } },
    host,
  )
}

/**
 * Curation, one turn at a time, and beside it the audit lines of all that was admitted: a model that is away delays the
 * former alone (CAP-3, CAP-5).
 */
export function openCaptureWork(parts: WorkParts, capture: Capture, host: Clock): TurnWork {
  const { intake, events } = parts
  const audit = createAuditLoop(parts, host)
  const carryOut = async (turns: readonly PendingTurn[], signal: AbortSignal): Promise<number> => {
    for (const turn of turns) {
      await audit.through(turn.order)
      await capture.run(turn, signal)
    }
    return 0 // credentials are counted where the audit line is written
  }
  const worker = createTurnWorker({ intake, events, job: { maxBatch: 1, carryOut, categoryOf: failureOf } }, host)
  return {
    wake() {
      audit.wake()
      worker.wake()
    },
    flush: () => worker.flush(),
    async stop() {
      await worker.stop()
      await audit.stop()
    },
    counts: () => ({ ...worker.counts(), credentials: audit.redacted() }),
    captureCounts: () => capture.metrics.counts(),
  }
}
