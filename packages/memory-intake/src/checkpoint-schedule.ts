import type { Checkpointer } from './checkpoint.js'

/** A checkpoint is due after this many admissions, this much log, or this long without either (INT-1). */
export const CHECKPOINT_TURNS = 1_024
export const CHECKPOINT_BYTES = 4 * 1024 * 1024
export const CHECKPOINT_IDLE_MS = 5_000
/** Four checkpoints' worth of log: those that send in bulk wait, long before admission has to stop at 64 MiB. */
export const OVERDUE_BYTES = 4 * CHECKPOINT_BYTES

/** Calls `run` once after `ms`, unless the returned function is called before. Must not keep the process alive. */
export type StartTimer = (ms: number, run: () => void) => () => void

export const startUnreferencedTimer: StartTimer = (ms, run) => {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

/** Decides when checkpoints run in the background. One that fails is repeated every five seconds, not faster. */
export class CheckpointSchedule {
  #cancel: (() => void) | undefined
  #isRetrying = false
  #isStopped = false

  constructor(
    private readonly checkpointer: Checkpointer,
    private readonly startTimer: StartTimer,
    private readonly onFailed: (error: unknown) => void,
  ) {}

  /** Something was logged. @param isMuch  one of the bounds is reached */
  logged(isMuch: boolean): void {
    if (this.#isRetrying || this.#isStopped) return
    if (isMuch) this.runNow()
    else this.#arm()
  }

  /** Runs one unless one failed less than five seconds ago; behind one that runs already, another in five seconds. */
  runNow(): void {
    if (this.#isRetrying || this.#isStopped) return
    if (this.checkpointer.isRunning) this.#arm()
    else this.#run()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel?.()
  }

  #arm(): void {
    this.#cancel?.()
    if (this.#isStopped) return
    this.#cancel = this.startTimer(CHECKPOINT_IDLE_MS, () => this.#run())
  }

  #run(): void {
    this.#cancel?.()
    this.checkpointer.run().then(
      () => {
        this.#isRetrying = false
      },
      (error: unknown) => {
        this.#isRetrying = true
        this.onFailed(error)
        this.#arm()
      },
    )
  }
}
