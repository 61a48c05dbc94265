import {
  embedTexts,
  MAX_BATCH,
  type EmbeddingProvider,
  type MissingVector,
  type SearchIndex,
} from '@mono-agent/memory-search'
import type { Events } from '../events.js'
import type { Host } from '../host.js'
import { failureCode } from '../projection/failure.js'

/** What the queue holds in memory at most (CAP-2); the rest of the backlog waits in the index. */
export const MAX_QUEUE_ITEMS = 256
export const MAX_QUEUE_BYTES = 2 * 1024 * 1024
/** After a failure: five seconds, doubling, at most five minutes. */
const FIRST_WAIT_MS = 5_000
const MAX_WAIT_MS = 300_000

export interface VectorCounts {
  /** Vectors written since the store was opened. */
  readonly written: number
  readonly failures: number
  /** Memories whose text the service refuses; tried again by the next opening. */
  readonly refused: number
}

export interface VectorQueueParts {
  readonly index: Pick<SearchIndex, 'missingVectors' | 'countMissingVectors' | 'writeVectors'>
  readonly embed: EmbeddingProvider
  /** Makes sure that the scores of the model are known, before the first vector is made (SEA-15). */
  readonly prepare: (signal: AbortSignal) => Promise<void>
  readonly events: Events
}

/**
 * Gives memories their vectors in the background (CAP-2). The backlog is the rows without one, so it survives whatever
 * happens; a dead service delays vectors and nothing else.
 */
export interface VectorQueue {
  /** There may be memories without a vector. Returns at once. */
  wake(): void
  /** Resolves when the backlog is empty or the service failed; a wait after a failure is cut short. */
  drain(): Promise<void>
  /** Cancels the request under way; resolves when nothing runs. */
  stop(): Promise<void>
  counts(): VectorCounts
}

export function createVectorQueue(parts: VectorQueueParts, host: Pick<Host, 'monotonicNow' | 'sleep'>): VectorQueue {
  return new BackgroundVectors(parts, host)
}

class BackgroundVectors implements VectorQueue {
  #running: Promise<void> | undefined
  #isWokenAgain = false
  #failuresInRow = 0
  #holdUntil = 0
  #alarm = new AbortController()
  readonly #stopping = new AbortController()
  readonly #refused = new Set<string>()
  readonly #counts = { written: 0, failures: 0 }

  constructor(
    private readonly parts: VectorQueueParts,
    private readonly host: Pick<Host, 'monotonicNow' | 'sleep'>,
  ) {}

  counts(): VectorCounts {
    return { ...this.#counts, refused: this.#refused.size }
  }

  wake(): void {
    if (this.#stopping.signal.aborted) return
    if (this.#running !== undefined) {
      this.#isWokenAgain = true
      return
    }
    if (this.host.monotonicNow() < this.#holdUntil) return // the service failed a moment ago; the alarm is set
    this.#running = this.#run().finally(() => {
      this.#running = undefined
      if (!this.#isWokenAgain) return
      this.#isWokenAgain = false
      this.wake()
    })
  }

  async drain(): Promise<void> {
    await this.#running
    this.#holdUntil = 0
    this.wake()
    await this.#running
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#alarm.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    try {
      const seen = new Set<string>()
      for (let after = 0; !signal.aborted;) {
        const queue = this.#take(after)
        const last = queue.at(-1)
        if (last === undefined) break
        for (const { contentHash } of queue) seen.add(contentHash)
        const fresh = [...new Map(queue.map((waiting) => [waiting.contentHash, waiting])).values()].filter(
          ({ contentHash }) => !this.#refused.has(contentHash),
        )
        if (fresh.length > 0) await this.parts.prepare(signal)
        for (let start = 0; start < fresh.length; start += MAX_BATCH) {
          await this.#embed(fresh.slice(start, start + MAX_BATCH))
        }
        after = last.row
      }
      // A refused text whose line is gone waits no more.
      for (const hash of this.#refused) if (!seen.has(hash) && !signal.aborted) this.#refused.delete(hash)
      this.#failuresInRow = 0
    } catch (error) {
      if (!signal.aborted) this.#wait(error)
    }
  }

  /** The next of the backlog, as many as the queue may hold; at least one, for a single text is always small enough. */
  #take(after: number): readonly MissingVector[] {
    const found = this.parts.index.missingVectors(after, MAX_QUEUE_ITEMS)
    let bytes = 0
    const end = found.findIndex(({ text }) => (bytes += Buffer.byteLength(text)) > MAX_QUEUE_BYTES)
    return end === -1 ? found : found.slice(0, Math.max(1, end))
  }

  async #embed(batch: readonly MissingVector[]): Promise<void> {
    await embedTexts(
      this.parts.embed,
      batch,
      {
        made: (some, made) => {
          const vectors = some.map(({ contentHash }, at) => ({ contentHash, vector: made[at] as Float32Array }))
          this.#counts.written += this.parts.index.writeVectors(vectors)
        },
        refused: ({ contentHash }, { code }) => {
          this.#counts.failures += 1
          this.#refused.add(contentHash)
          this.parts.events.emit({ kind: 'embedding_failed', code, waiting: 1 })
        },
      },
      this.#stopping.signal,
    )
  }

  #wait(error: unknown): void {
    const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(this.#failuresInRow, 16))
    this.#failuresInRow += 1
    this.#counts.failures += 1
    this.#isWokenAgain = false
    this.#holdUntil = this.host.monotonicNow() + waitMs
    this.parts.events.emit({ kind: 'embedding_failed', code: failureCode(error), waiting: this.#waiting() })
    this.#alarm.abort()
    this.#alarm = new AbortController()
    const { signal } = this.#alarm
    void this.host.sleep(waitMs, { signal, keepsProcessAlive: false }).then(() => {
      if (signal.aborted) return
      this.#holdUntil = 0
      this.wake()
    })
  }

  /** The index itself may be what failed; then the number is not known, and the event's code tells why. */
  #waiting(): number {
    try {
      return this.parts.index.countMissingVectors()
    } catch {
      return 0
    }
  }
}
