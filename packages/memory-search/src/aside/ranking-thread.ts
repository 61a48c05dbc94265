import { Worker } from 'node:worker_threads'
import { searchError } from '../errors.js'
import type { Ranking } from '../types.js'
import {
  errorOf,
  type RankAnswer,
  type RankMessage,
  type ThreadData,
  type ThreadMessage,
  type WarmMessage,
} from './messages.js'

/** Beside the built front door; sources have no such file, and rank on the event loop. */
const ENTRY = new URL('./aside/ranking-worker.cjs', import.meta.url)

/**
 * A thread that nobody asks for so long is ended: its heap and the pages it keeps are some forty megabytes. Another one is
 * started by the next ranking, which takes some tenths of a second more.
 */
export const IDLE_MS = 5 * 60_000

/** What of a `Worker` is used. */
export type ThreadWorker = Pick<Worker, 'on' | 'postMessage' | 'ref' | 'unref' | 'terminate'>

/** May throw, and may fail later: then it emits `error` and `exit`. */
export type StartWorker = (data: ThreadData) => ThreadWorker

/** Without the flags of the process: `--input-type` would keep a file from starting, and preloads are for the host's own code. */
const startWorker: StartWorker = (workerData) => new Worker(ENTRY, { workerData, name: 'memory-ranking', execArgv: [] })

interface Waiting {
  readonly message: RankMessage
  readonly resolve: (ranking: Ranking) => void
  readonly reject: (reason: unknown) => void
}

/** The thread cannot be started, or ended by itself: what it was asked for has to be answered another way. */
export class ThreadUnavailable extends Error {
  override readonly name = 'ThreadUnavailable'
}

/** A request that cannot be sent to a thread, such as one that holds a function; the thread is well. */
export class RequestUnsendable extends Error {
  override readonly name = 'RequestUnsendable'
}

/**
 * Ranks in a thread of its own, so that the scan of a large store does not hold the event loop. One request at a time is
 * given to it: what nobody waits for any more by then is left out. It does not keep the process alive by itself, only
 * while an answer is waited for.
 */
export class RankingThread {
  readonly #worker: ThreadWorker
  readonly #queue: Waiting[] = []
  /** Those in the queue, and the one that the thread works at unless it was cancelled. */
  readonly #unanswered = new Set<Waiting>()
  readonly #ended: Promise<void>
  readonly #warming: (() => void)[] = []
  #busy: Waiting | undefined
  #idle: NodeJS.Timeout | undefined
  #isOver = false
  #isRetiring = false

  /** @throws {ThreadUnavailable} */
  constructor(
    data: ThreadData,
    start: StartWorker = startWorker,
    private readonly onSidecarFault?: (error: unknown) => void,
  ) {
    try {
      this.#worker = start(data)
    } catch (cause) {
      throw new ThreadUnavailable('The ranking thread could not be started.', { cause })
    }
    this.#worker.unref()
    this.#worker.on('message', (message: ThreadMessage) => {
      if ('fault' in message) this.onSidecarFault?.(errorOf(message.fault))
      else if ('isWarm' in message) this.#warmed()
      else this.#answered(message)
    })
    this.#worker.on('messageerror', (error) => {
      this.#fail(error)
      void this.#worker.terminate()
    })
    this.#worker.on('error', (error) => this.#fail(error))
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#fail(undefined)
        resolve()
      })
    })
  }

  /** It failed, was stopped, or ended for want of requests: another one is to be asked. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** @throws {ThreadUnavailable}  @throws {RequestUnsendable}  @throws the signal's reason  @throws as `rank` */
  async rank(message: RankMessage, signal?: AbortSignal): Promise<Ranking> {
    signal?.throwIfAborted()
    if (this.#isOver) throw new ThreadUnavailable('The ranking thread has ended.')
    let cancel: (() => void) | undefined
    try {
      return await new Promise<Ranking>((resolve, reject) => {
        const waiting = { message, resolve, reject }
        cancel = () => this.#cancel(waiting, signal?.reason)
        signal?.addEventListener('abort', cancel, { once: true })
        this.#unanswered.add(waiting)
        this.#queue.push(waiting)
        this.#worker.ref() // an answer that somebody waits for keeps the process alive
        this.#next()
      })
    } finally {
      if (cancel !== undefined) signal?.removeEventListener('abort', cancel)
    }
  }

  /** Has the thread get its sidecar ready; that does not keep the process alive. */
  prepare(): void {
    if (!this.#isOver) this.#worker.postMessage({ warm: true } satisfies WarmMessage)
  }

  /** As `prepare`. Resolves when it is ready, or when the thread has ended. */
  warm(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOver) return resolve()
      this.#warming.push(resolve)
      this.#worker.ref()
      this.prepare()
    })
  }

  /** Ends the thread once all that waits has been answered; to be asked nothing more. Resolves when it has ended. */
  retire(): Promise<void> {
    this.#isRetiring = true
    this.#next()
    return this.#ended
  }

  /** Ends the thread and its connection; what still waits is refused. */
  async stop(): Promise<void> {
    this.#isOver = true
    this.#refuseAll(searchError('index_closed'))
    await this.#worker.terminate()
  }

  /** Gives the thread the next request, or lets it rest. */
  #next(): void {
    clearTimeout(this.#idle)
    while (this.#busy === undefined && !this.#isOver) {
      const next = this.#queue.shift()
      if (next === undefined) return this.#rest()
      try {
        this.#worker.postMessage(next.message)
        this.#busy = next
      } catch (cause) {
        this.#release(next)
        next.reject(new RequestUnsendable('The request cannot be sent to a thread.', { cause }))
      }
    }
  }

  #warmed(): void {
    for (const resolve of this.#warming.splice(0)) resolve()
    this.#unrefIfIdle()
    if (this.#busy === undefined) this.#next()
  }

  /** Who waits for an answer, or for its end, keeps the process alive; the thread by itself does not. */
  #unrefIfIdle(): void {
    if (this.#isOver) return // what it still says must not let go of a process that waits for `stop`
    if (this.#unanswered.size === 0 && this.#warming.length === 0) this.#worker.unref()
  }

  #rest(): void {
    if (this.#isRetiring) void this.stop()
    else this.#idle = setTimeout(() => void this.stop(), IDLE_MS).unref()
  }

  #answered(answer: RankAnswer): void {
    const asked = this.#busy
    this.#busy = undefined
    if (asked !== undefined && this.#release(asked)) {
      if ('ranking' in answer) asked.resolve(answer.ranking)
      else asked.reject(errorOf(answer.failure))
    }
    this.#next()
  }

  /** The thread is left to finish what it works at; nobody hears of it. */
  #cancel(waiting: Waiting, reason: unknown): void {
    const at = this.#queue.indexOf(waiting)
    if (at >= 0) this.#queue.splice(at, 1)
    if (this.#release(waiting)) waiting.reject(reason)
  }

  /** @returns false if nobody waits for it any more */
  #release(waiting: Waiting): boolean {
    const waited = this.#unanswered.delete(waiting)
    this.#unrefIfIdle()
    return waited
  }

  #fail(cause: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#refuseAll(new ThreadUnavailable('The ranking thread ended.', { cause }))
  }

  #refuseAll(reason: Error): void {
    clearTimeout(this.#idle)
    this.#queue.length = 0
    this.#busy = undefined
    for (const resolve of this.#warming.splice(0)) resolve()
    for (const waiting of this.#unanswered) {
      this.#release(waiting)
      waiting.reject(reason)
    }
  }
}
