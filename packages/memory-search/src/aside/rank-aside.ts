import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { Calibration } from '../calibration/calibration.js'
import { searchError } from '../errors.js'
import type { Ranking, RankRequest } from '../types.js'
import type { ThreadData } from './messages.js'
import { RankingThread, RequestUnsendable, ThreadUnavailable, type StartWorker } from './ranking-thread.js'

/**
 * Memories from which on a ranking without a sidecar leaves the event loop: a scan of the vectors of as many takes about as
 * long as a host may be held, and below it a thread would only add to the time (bench/begin).
 */
export const ASIDE_FROM = 4_000

/**
 * Memories from which on the sidecar is the thread's. Below it a ranking takes some two milliseconds, so that a thread
 * would only add its own start and its forty megabytes; above, loading and sealing alone would hold a host (bench/speed).
 */
export const SIDECAR_ASIDE_FROM = 20_000

export interface AsideParts extends ThreadData {
  readonly asideFrom?: number | undefined
  /** A thread that cannot be had is told once (`ranking_thread_failed`); rankings then stay on the event loop. */
  readonly onThreadFailed?: ((error: unknown) => void) | undefined
  readonly onSidecarFault?: ((error: unknown) => void) | undefined
  /** Default: a worker thread. */
  readonly startWorker?: StartWorker
}

/** Ranks on this thread. */
export interface RankHere {
  readonly rank: () => Ranking
  /** Where it would not hold the thread for long, as it does not below so many memories; asked in the turn of the call. */
  readonly rankIfFast: (below: number) => Ranking | undefined
}

/** Where the rankings of one open database are made: at once where it is small, in a thread where it is large. */
export class AsideRanking {
  #thread: RankingThread | undefined
  #hasFailed = false
  #isStopped = false
  #turns: Promise<void> = Promise.resolve()

  constructor(private readonly parts: AsideParts) {}

  /** @throws the signal's reason  @throws as `rank` */
  async rank(
    request: RankRequest,
    calibration: Calibration | undefined,
    here: RankHere,
    signal?: AbortSignal,
  ): Promise<Ranking> {
    signal?.throwIfAborted()
    if (this.#isStopped) return here.rank()
    const ranking = here.rankIfFast(this.parts.asideFrom ?? ASIDE_FROM)
    if (ranking !== undefined) return ranking
    if (!this.#hasFailed) {
      try {
        return await this.#runningThread().rank({ request, calibration }, signal)
      } catch (error) {
        if (error instanceof RequestUnsendable) return here.rank() // which says what is wrong with it
        if (!(error instanceof ThreadUnavailable)) throw error
        this.#failed(error)
      }
    }
    await this.#ownTurn()
    signal?.throwIfAborted()
    return here.rank()
  }

  /** Has the thread start and get its sidecar ready; whoever only hopes for rankings waits for nothing. */
  start(): void {
    this.#attempt((thread) => thread.prepare())
  }

  /** As `start`. Resolves when it is ready; where there is no thread, at once. */
  async warm(): Promise<void> {
    await this.#attempt((thread) => thread.warm())
  }

  #attempt<T>(work: (thread: RankingThread) => T): T | undefined {
    if (this.#isStopped || this.#hasFailed) return undefined
    try {
      return work(this.#runningThread())
    } catch (error) {
      if (!(error instanceof ThreadUnavailable)) throw error
      this.#failed(error)
      return undefined
    }
  }

  /** Whether no thread can be had. */
  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** Lets go of the database once all that waits has been answered; to be asked nothing more. Resolves when it has. */
  async retire(): Promise<void> {
    this.#isStopped = true
    if (this.#thread?.isOver === false) await this.#thread.retire()
  }

  /** Ends the thread, if there is one; what waits is refused. May be called twice, and after `retire`. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#thread?.stop()
  }

  #runningThread(): RankingThread {
    if (this.#thread === undefined || this.#thread.isOver) {
      const { path, tier, hasVectors, sidecar, startWorker, onSidecarFault } = this.parts
      this.#thread = new RankingThread({ path, tier, hasVectors, sidecar }, startWorker, onSidecarFault)
    }
    return this.#thread
  }

  #failed({ cause }: ThreadUnavailable): void {
    if (this.#hasFailed) return // everybody who waited for the thread comes here
    this.#hasFailed = true
    this.#thread = undefined
    this.parts.onThreadFailed?.(searchError('ranking_thread_failed', undefined, cause))
  }

  /** Rankings that come back from a thread, or would have gone there, leave the host a turn between one and the next. */
  #ownTurn(): Promise<void> {
    this.#turns = this.#turns.then(() => nextTurnOfLoop())
    return this.#turns
  }
}
