import type { Calibration } from '../calibration/calibration.js'
import type { Ranking, RankRequest } from '../types.js'
import type { ThreadData } from './messages.js'
import { RankingThread, ThreadUnavailable } from './ranking-thread.js'

/**
 * Memories from which on a ranking leaves the event loop: a scan of the vectors of as many takes about as long as a host
 * may be held, and below it a thread would only add to the time (bench/begin).
 */
export const ASIDE_FROM = 4_000

export interface AsideParts extends ThreadData {
  readonly asideFrom?: number | undefined
  /** A thread that cannot be had is told once; rankings then stay on the event loop. */
  readonly onThreadFailed?: ((error: unknown) => void) | undefined
}

/** Where the rankings of one open database are made: at once where it is small, in a thread where it is large. */
export class AsideRanking {
  #thread: RankingThread | undefined
  #hasFailed = false

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
    if (this.#hasFailed || memories < (this.parts.asideFrom ?? ASIDE_FROM)) return rankHere()
    try {
      const { path, tier, hasVectors } = this.parts
      this.#thread ??= new RankingThread({ path, tier, hasVectors })
      return await this.#thread.rank({ request, calibration }, signal)
    } catch (error) {
      if (!(error instanceof ThreadUnavailable)) throw error
      this.#thread = undefined
      this.#hasFailed = true
      this.parts.onThreadFailed?.(error.cause ?? error)
      return rankHere()
    }
  }

  /** Lets go of the database once all that waits has been answered. */
  retire(): void {
    this.#thread?.retire()
  }

  /** Ends the thread, if there is one; may be called twice. */
  async stop(): Promise<void> {
    await this.#thread?.stop()
    this.#thread = undefined
  }
}
