import { Worker } from 'node:worker_threads'
import { searchError } from '../errors.js'
import type { Ranking } from '../types.js'
import { errorOf, type RankAnswer, type RankMessage, type ThreadData } from './messages.js'

/** Beside the built front door; sources have no such file, and rank on the event loop. */
const ENTRY = new URL('./aside/ranking-worker.js', import.meta.url)

interface Waiting {
  readonly message: RankMessage
  readonly resolve: (ranking: Ranking) => void
  readonly reject: (reason: unknown) => void
}

/** The thread cannot be started, or ended by itself: what it was asked for has to be answered another way. */
export class ThreadUnavailable extends Error {
  override readonly name = 'ThreadUnavailable'
}

/**
 * Ranks in a thread of its own, so that the scan of a large store does not hold the event loop. One request at a time is
 * given to it: what nobody waits for any more by then is left out. It does not keep the process alive by itself, only
 * while an answer is waited for.
 */
export class RankingThread {
  readonly #worker: Worker
  readonly #queue: Waiting[] = []
  #busy: Waiting | undefined
  #isOver = false
  #isRetiring = false

  constructor(data: ThreadData) {
    this.#worker = new Worker(ENTRY, { workerData: data, name: 'memory-ranking' })
    this.#worker.unref()
    this.#worker.on('message', (answer: RankAnswer) => this.#answered(answer))
    this.#worker.on('error', (error) => this.#over(error))
    this.#worker.on('exit', () => this.#over(undefined))
  }

  /** @throws {ThreadUnavailable}  @throws the signal's reason  @throws as `rank` */
  rank(message: RankMessage, signal?: AbortSignal): Promise<Ranking> {
    signal?.throwIfAborted()
    if (this.#isOver) return Promise.reject(new ThreadUnavailable('The ranking thread has ended.'))
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        const at = this.#queue.indexOf(waiting)
        if (at >= 0) this.#queue.splice(at, 1)
        waiting.reject(signal?.reason)
      }
      const done = (): void => signal?.removeEventListener('abort', cancel)
      const waiting: Waiting = {
        message,
        resolve: (ranking) => {
          done()
          resolve(ranking)
        },
        reject: (reason) => {
          done()
          reject(reason as Error)
        },
      }
      signal?.addEventListener('abort', cancel, { once: true })
      this.#queue.push(waiting)
      this.#next()
    })
  }

  /** Ends the thread once all that waits has been answered; to be asked nothing more. */
  retire(): void {
    this.#isRetiring = true
    this.#next()
  }

  /** Ends the thread and its connection; what still waits is refused. */
  async stop(): Promise<void> {
    this.#isOver = true
    this.#refuseAll(searchError('index_closed'))
    await this.#worker.terminate()
  }

  #next(): void {
    if (this.#busy !== undefined) return
    const next = this.#queue.shift()
    if (next === undefined) {
      this.#worker.unref()
      if (this.#isRetiring) void this.stop()
      return
    }
    this.#busy = next
    this.#worker.ref() // an answer that somebody waits for keeps the process alive
    this.#worker.postMessage(next.message)
  }

  #answered(answer: RankAnswer): void {
    const asked = this.#busy
    this.#busy = undefined
    if ('ranking' in answer) asked?.resolve(answer.ranking)
    else asked?.reject(errorOf(answer.failure))
    this.#next()
  }

  #over(cause: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#refuseAll(new ThreadUnavailable('The ranking thread ended.', { cause }))
  }

  #refuseAll(reason: Error): void {
    const all = [...(this.#busy === undefined ? [] : [this.#busy]), ...this.#queue.splice(0)]
    this.#busy = undefined
    for (const waiting of all) waiting.reject(reason)
  }
}
