import type { Intake, PendingTurn } from '@mono-agent/memory-intake'
import type { Events } from '../events.js'
import type { Host } from '../host.js'
import type { WorkCounts } from '../projection/turn-worker.js'
import { classifyFailure, failureCode, localWaitMs } from '../projection/failure.js'
import { writeTurns, type AuditParts } from './write-turns.js'

/** Turns written in one publication. */
const MAX_BATCH = 256

export interface AuditLoopParts extends AuditParts {
  readonly intake: Pick<Intake, 'pendingAfter' | 'markProjected'>
  readonly events: Events
  /** Runs when the lines of these turns are durable. */
  readonly onWritten?: (turns: readonly PendingTurn[]) => Promise<void>
}

/**
 * Writes the audit line of each admitted turn, in admission order, whatever becomes of its curation: a model that is away
 * for days keeps no observation from the disk (CAP-3).
 */
export interface AuditLoop {
  /** There may be new turns. Returns at once. */
  wake(): void
  /** Resolves when the lines of all turns up to this admission number are durable. @throws what keeps them from it */
  through(order: number): Promise<void>
  stop(): Promise<void>
  /** Since opening. */
  counts(): WorkCounts
}

export function createAuditLoop(parts: AuditLoopParts, host: Pick<Host, 'monotonicNow' | 'sleep'>): AuditLoop {
  return new BackgroundAudit(parts, host)
}

class BackgroundAudit implements AuditLoop {
  /** Admission number up to which all lines are there; at opening every pending turn is looked at once. */
  #written = 0
  #running: Promise<void> | undefined
  #isStopped = false
  #isWokenAgain = false
  #failures = 0
  readonly #counts = { batches: 0, turns: 0, highWater: 0, failures: 0, credentials: 0 }
  #alarm = new AbortController()

  constructor(
    private readonly parts: AuditLoopParts,
    private readonly host: Pick<Host, 'monotonicNow' | 'sleep'>,
  ) {}

  counts(): WorkCounts {
    return { ...this.#counts }
  }

  wake(): void {
    if (this.#isStopped) return
    if (this.#running !== undefined) {
      this.#isWokenAgain = true
      return
    }
    void this.#run().catch((error: unknown) => this.#postpone(error))
  }

  async through(order: number): Promise<void> {
    if (this.#written >= order) return
    // One that is under way may have begun before the turn was there, and its failure was somebody else's answer.
    await this.#running?.catch(() => undefined)
    if (this.#written < order && !this.#isStopped) await this.#run()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#alarm.abort()
    await this.#running?.catch(() => undefined) // told when it happened
  }

  #run(): Promise<void> {
    this.#running ??= this.#writeAll().finally(() => {
      this.#running = undefined
      if (this.#isWokenAgain) {
        this.#isWokenAgain = false
        this.wake()
      }
    })
    return this.#running
  }

  async #writeAll(): Promise<void> {
    const { intake, events, onWritten } = this.parts
    while (!this.#isStopped) {
      this.#isWokenAgain = false
      const turns = await intake.pendingAfter(this.#written, MAX_BATCH)
      const last = turns.at(-1)
      if (last === undefined) break
      const redacted = await writeTurns(this.parts, turns)
      if (redacted > 0) events.emit({ kind: 'credential_redacted', count: redacted })
      this.#count(turns.length, redacted)
      intake.markProjected(turns.map(({ id }) => id))
      await onWritten?.(turns)
      this.#written = last.order
      this.#failures = 0
    }
  }

  #count(turns: number, redacted: number): void {
    this.#counts.batches += 1
    this.#counts.turns += turns
    this.#counts.highWater = Math.max(this.#counts.highWater, turns)
    this.#counts.credentials += redacted
  }

  #postpone(error: unknown): void {
    const { events } = this.parts
    this.#counts.failures += 1
    events.emit({ kind: 'projection_failed', code: failureCode(error), attemptCounted: false, turns: 0 })
    if (this.#isStopped || classifyFailure(error) === 'stop') return
    this.#failures += 1
    this.#alarm.abort()
    this.#alarm = new AbortController()
    const { signal } = this.#alarm
    void this.host.sleep(localWaitMs(this.#failures), { signal, keepsProcessAlive: false }).then(() => {
      if (!signal.aborted) this.wake()
    })
  }
}
