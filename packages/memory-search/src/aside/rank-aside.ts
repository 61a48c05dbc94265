import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { Calibration } from '../calibration/calibration.js'
import { searchError } from '../errors.js'
import type { Ranking, RankRequest } from '../types.js'
import type { ThreadData } from './messages.js'
import { RankingThread, RequestUnsendable, ThreadUnavailable, type StartWorker } from './ranking-thread.js'

/**
 * Memories from which on a ranking leaves the event loop: a scan of the vectors of as many takes about as long as a host
 * may be held, and below it a thread would only add to the time (bench/begin).
 */
export const ASIDE_FROM = 4_000

export interface AsideParts extends ThreadData {
  readonly asideFrom?: number | undefined
  /** A thread that cannot be had is told once (`ranking_thread_failed`); rankings then stay on the event loop. */
  readonly onThreadFailed?: ((error: unknown) => void) | undefined
  /** Default: a worker thread. */
  readonly startWorker?: StartWorker
}

/** Where the rankings of one open database are made: at once where it is small, in a thread where it is large. */
export class AsideRanking {
  #thread: RankingThread | undefined
  #hasFailed = false
  #isStopped = false
  #turns: Promise<void> = Promise.resolve()

  constructor(private readonly parts: AsideParts) {}

  /**
   * @param memories  in the database  @param rankHere  on this thread
   * @throws the signal's reason  @throws as `rank`
   */
  async rank(
    request: RankRequest,
    memories: number,
    calibration: Calibration | undefined,
    rankHere: () => Ranking,
    signal?: AbortSignal,
  ): Promise<Ranking> {
    signal?.throwIfAborted()
    const { asideFrom = ASIDE_FROM } = this.parts
    if (this.#isStopped || memories < asideFrom) return rankHere()
    if (!this.#hasFailed) {
      try {
        return await this.#runningThread().rank({ request, calibration }, signal)
      } catch (error) {
        if (error instanceof RequestUnsendable) return rankHere() // which says what is wrong with it
        if (!(error instanceof ThreadUnavailable)) throw error
        this.#failed(error)
      }
    }
    await this.#ownTurn()
    signal?.throwIfAborted()
    return rankHere()
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
      const { path, tier, hasVectors, startWorker } = this.parts
      this.#thread = new RankingThread({ path, tier, hasVectors }, startWorker)
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
