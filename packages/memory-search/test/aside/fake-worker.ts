import { EventEmitter } from 'node:events'
import type { RankAnswer, RankMessage, ThreadData } from '../../src/aside/messages.js'
import type { StartWorker, ThreadWorker } from '../../src/aside/ranking-thread.js'
import type { Ranking } from '../../src/types.js'

/** A worker that answers when it is told to. */
export class FakeWorker extends EventEmitter {
  readonly asked: RankMessage[] = []
  isReferenced = true
  hasEnded = false
  /** Whether it goes on until `end` once it is terminated, as a real one does for a moment. */
  endsLate = false

  postMessage(message: RankMessage): void {
    this.asked.push(structuredClone(message)) // what cannot be cloned throws, as with a real one
  }
  ref(): void {
    this.isReferenced = true
  }
  unref(): void {
    this.isReferenced = false
  }
  terminate(): Promise<number> {
    if (this.hasEnded) return Promise.resolve(1)
    this.ref() // as a real one does
    const ended = new Promise<number>((resolve) => this.once('exit', resolve))
    if (!this.endsLate) this.end()
    return ended
  }

  answer(answer: RankAnswer = { ranking: rankingOf(this.asked.at(-1)?.request.query ?? '') }): void {
    this.emit('message', answer)
  }
  crash(error: Error): void {
    this.emit('error', error)
    this.end()
  }
  end(): void {
    if (this.hasEnded) return
    this.hasEnded = true
    this.isReferenced = false
    this.emit('exit', 1)
  }
}

export interface FakeThreads {
  readonly workers: FakeWorker[]
  readonly data: ThreadData[]
  readonly start: StartWorker
}

export function fakeThreads(): FakeThreads {
  const workers: FakeWorker[] = []
  const data: ThreadData[] = []
  const start: StartWorker = (given) => {
    const worker = new FakeWorker()
    workers.push(worker)
    data.push(given)
    return worker as unknown as ThreadWorker
  }
  return { workers, data, start }
}

/** One that can be told from others. */
export const rankingOf = (query: string): Ranking => ({ ranked: [], median: query.length })

export const DATA: ThreadData = { path: '/tmp/index.db', tier: 'journal', hasVectors: true }

export const message = (query: string): RankMessage => ({ request: { query, limit: 10 }, calibration: undefined })
