import type { PendingTurn } from '@mono-agent/memory-intake'
import { createAuditLoop } from '../audit/audit-loop.js'
import type { Host } from '../host.js'
import { failureCode } from '../projection/failure.js'
import { createTurnWorker } from '../projection/turn-worker.js'
import type { TurnWork, WorkParts } from '../tiers/tier.js'
import { failureOf } from './failure-category.js'
import type { Capture } from './open-capture.js'

type Clock = Pick<Host, 'now' | 'monotonicNow' | 'sleep'>

/** Nothing is written (CAP-4): what was admitted under another mode waits for one that takes it up. */
export const idleWork: TurnWork = {
  wake: () => undefined,
  flush: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  counts: () => ({ batches: 0, turns: 0, highWater: 0, failures: 0, credentials: 0 }),
}

/**
 * Audit lines, and nothing that recall could find (CAP-3, CAP-4). A turn is settled with its line, but for one of which a
 * plan waits: its memories are the model's word already, and not to be thrown away.
 * @param hasPlan  by the id of the turn
 */
export function openAuditWork(parts: WorkParts, hasPlan: (id: string) => boolean, host: Clock): TurnWork {
  const { intake, events } = parts
  const onWritten = async (turns: readonly PendingTurn[]): Promise<void> => {
    const done = turns.filter(({ id }) => !hasPlan(id))
    if (done.length > 0) await intake.settle(done.map(({ id }) => ({ id, memoryIds: [] })))
  }
  const audit = createAuditLoop({ ...parts, onWritten }, host)
  return {
    wake: () => audit.wake(),
    // What keeps a line from the disk is an event; the report of a flush says what is pending.
    flush: () =>
      audit.through(intake.lastOrder()).catch((error: unknown) => {
        events.emit({ kind: 'projection_failed', code: failureCode(error), attemptCounted: false, turns: 0 })
      }),
    stop: () => audit.stop(),
    counts: () => audit.counts(),
  }
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
    counts: () => ({ ...worker.counts(), credentials: audit.counts().credentials }),
    captureCounts: () => capture.metrics.counts(),
  }
}
