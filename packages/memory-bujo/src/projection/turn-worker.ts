import type { FailureCategory } from '@mono-agent/memory-store'
import type { Intake, PendingTurn } from '@mono-agent/memory-intake'
import { ContractError } from '../capture/contract/contract-error.js'
import type { Events } from '../events.js'
import type { Host } from '../host.js'
import { classifyFailure, failureCode, localWaitMs } from './failure.js'

/** The wall clock may jump, so a due instant is looked at again at least this often. */
const MAX_SLEEP_MS = 60_000

export interface WorkCounts {
  readonly batches: number
  readonly turns: number
  readonly highWater: number
  readonly failures: number
  readonly credentials: number
}

/** What is done with due turns. */
export interface TurnJob {
  /** Turns handed over at once. */
  readonly maxBatch: number
  /**
   * Carries turns to their end and settles them. A batch that fails for a reason of its turns is tried turn by turn.
   * @param signal  aborted when the worker stops: whatever waits for somebody else ends then, and counts no attempt
   * @returns credentials taken out
   */
  carryOut(turns: readonly PendingTurn[], signal: AbortSignal): Promise<number>
  /** What the failure of a single turn is put down to. */
  categoryOf(error: unknown): FailureCategory
}

export interface TurnWorkerParts {
  readonly intake: Intake
  readonly events: Events
  readonly job: TurnJob
}

/** Runs admitted turns to their end in the background. */
export interface TurnWorker {
  /** There may be due turns. Returns at once. */
  wake(): void
  /**
   * Resolves when all that was admitted before the call, and is due, was attempted once, local faults notwithstanding.
   * What others admit meanwhile is not waited for: beside steady producers a flush ends all the same.
   */
  flush(): Promise<void>
  /** Starts nothing any more and aborts what waits for others; resolves when the batch under way has ended. */
  stop(): Promise<void>
  counts(): WorkCounts
}

/** Somebody who waits for all turns up to an admission number. */
interface Flush {
  readonly through: number
  readonly resolve: () => void
}

/** Batch after batch: all that came while one was under way makes the next one. */
export function createTurnWorker(
  parts: TurnWorkerParts,
  host: Pick<Host, 'now' | 'monotonicNow' | 'sleep'>,
): TurnWorker {
  return new BackgroundWorker(parts, host)
}

class BackgroundWorker implements TurnWorker {
  #running: Promise<void> | undefined
  #isStopped = false
  #isWokenAgain = false
  #localFailures = 0
  #holdUntil = 0
  #alarm = new AbortController()
  readonly #stopping = new AbortController()
  readonly #flushes = new Set<Flush>()
  /** Those who began to wait before the batch under way was chosen: what becomes of it is their answer. */
  #served: readonly Flush[] = []
  readonly #counts = { batches: 0, turns: 0, highWater: 0, failures: 0, credentials: 0 }

  constructor(
    private readonly parts: TurnWorkerParts,
    private readonly host: Pick<Host, 'now' | 'monotonicNow' | 'sleep'>,
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
    if (this.host.monotonicNow() < this.#holdUntil) return // the disk was in the way a moment ago; the alarm is set
    this.#running = this.#run().finally(() => {
      this.#running = undefined
      if (this.#isStopped) {
        this.#end(this.#flushes) // nothing is attempted any more
        return
      }
      if (this.#isWokenAgain) {
        this.#isWokenAgain = false
        this.wake()
      }
    })
  }

  flush(): Promise<void> {
    if (this.#isStopped && this.#running === undefined) return Promise.resolve()
    return new Promise((resolve) => {
      this.#flushes.add({ through: this.parts.intake.lastOrder(), resolve })
      this.#holdUntil = 0
      this.wake()
    })
  }

  #end(flushes: Iterable<Flush>): void {
    for (const flush of flushes) {
      this.#flushes.delete(flush)
      flush.resolve()
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#alarm.abort()
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isStopped) {
        this.#isWokenAgain = false
        this.#served = [...this.#flushes]
        const turns = await this.parts.intake.due(this.parts.job.maxBatch)
        const [oldest] = turns // by admission order: nothing before it is due
        this.#end(this.#served.filter(({ through }) => oldest === undefined || oldest.order > through))
        if (oldest === undefined) break
        await this.#attempt(turns)
        this.#localFailures = 0
      }
      this.#setAlarm(this.#msUntilDue())
    } catch (error) {
      this.#giveUp(error)
    }
  }

  /** A batch that fails for a reason of its own is tried turn by turn, so that one bad turn delays nobody else. */
  async #attempt(turns: readonly PendingTurn[]): Promise<void> {
    try {
      const redacted = await this.parts.job.carryOut(turns, this.#stopping.signal)
      if (redacted > 0) this.parts.events.emit({ kind: 'credential_redacted', count: redacted })
      this.#counts.credentials += redacted
      this.#counts.batches += 1
      this.#counts.turns += turns.length
      this.#counts.highWater = Math.max(this.#counts.highWater, turns.length)
    } catch (error) {
      if (this.#stopping.signal.aborted || classifyFailure(error) !== 'turn') throw error
      if (turns.length > 1) {
        for (const turn of turns) await this.#attempt([turn])
      } else if (turns[0] !== undefined) {
        await this.#countAttempt(turns[0], error)
      }
    }
  }

  async #countAttempt(turn: PendingTurn, error: unknown): Promise<void> {
    this.#counts.failures += 1
    const { intake, events, job } = this.parts
    const refused = error instanceof ContractError ? { reason: error.reason, place: error.place } : {}
    events.emit({ kind: 'projection_failed', code: failureCode(error), ...refused, attemptCounted: true, turns: 1 })
    if ((await intake.fail(turn.id, job.categoryOf(error))) === 'dead') events.emit({ kind: 'turn_dead', id: turn.id })
  }

  #giveUp(error: unknown): void {
    if (this.#stopping.signal.aborted && error === this.#stopping.signal.reason) return // it was told to end
    this.#counts.failures += 1
    this.parts.events.emit({ kind: 'projection_failed', code: failureCode(error), attemptCounted: false, turns: 0 })
    if (classifyFailure(error) === 'stop') {
      this.#isStopped = true
      return
    }
    this.#end(this.#served)
    if (this.#flushes.size > 0) {
      this.#isWokenAgain = true // they asked after this attempt had begun: theirs follows at once
      return
    }
    this.#localFailures += 1
    const waitMs = localWaitMs(this.#localFailures)
    this.#holdUntil = this.host.monotonicNow() + waitMs
    this.#isWokenAgain = false
    this.#setAlarm(waitMs)
  }

  #msUntilDue(): number | undefined {
    const dueAt = this.parts.intake.nextDueAt()
    return dueAt === undefined ? undefined : Math.min(Math.max(dueAt - this.host.now(), 0), MAX_SLEEP_MS)
  }

  #setAlarm(ms: number | undefined): void {
    this.#alarm.abort()
    this.#alarm = new AbortController()
    if (ms === undefined || this.#isStopped) return
    const { signal } = this.#alarm
    void this.host.sleep(ms, { signal, keepsProcessAlive: false }).then(() => {
      if (signal.aborted) return
      this.#holdUntil = 0
      this.wake()
    })
  }
}
