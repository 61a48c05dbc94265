import type { AdmissionLog } from './admission-log.js'
import { formatBody } from './format/log-item.js'
import { Draft, type ItemBook } from './item-book.js'

/** UTF-8 bytes of one group, roughly; a single change may be larger. */
export const MAX_GROUP_BYTES = 8 * 1024 * 1024

export interface Change {
  /** About how many bytes it adds to the frame. */
  readonly bytes: number
  /** Adds to the group what is to be logged, judging by the state that those before it in the group leave behind. */
  readonly draft: (draft: Draft) => void
}

interface Waiting extends Change {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface GroupCommitParts {
  readonly log: AdmissionLog
  readonly book: ItemBook
  readonly now: () => number
  /** A group is durable and applied. */
  readonly onCommitted: () => void
  /** A group was rejected. */
  readonly onRejected: () => void
}

/** One committer: all that arrives while a group is being written makes the next one (INT-16). */
export class GroupCommit {
  #queue: Waiting[] = []
  readonly #between: (() => Promise<void>)[] = []
  #isRunning = false
  #inFlight = 0

  constructor(private readonly parts: GroupCommitParts) {}

  /** Changes that are queued or being written. */
  get inTransition(): number {
    return this.#queue.length + this.#inFlight
  }

  /** Resolves when the change is durable; rejects with what kept it from that, or what its draft threw. */
  submit(change: Change): Promise<void> {
    const done = new Promise<void>((resolve, reject) => {
      this.#queue.push({ ...change, resolve, reject })
    })
    this.#start()
    return done
  }

  /** Runs `job` between two groups: nothing is being logged, and everything logged is applied. */
  between<T>(job: () => Promise<T>): Promise<T> {
    const done = new Promise<T>((resolve, reject) => {
      this.#between.push(() => job().then(resolve, reject))
    })
    this.#start()
    return done
  }

  #start(): void {
    if (this.#isRunning) return
    this.#isRunning = true
    void this.#run()
  }

  /** Never rejects: whatever a group or a job meets goes to those who wait for it. */
  async #run(): Promise<void> {
    await Promise.resolve() // all that arrive in this turn of the loop make one group
    for (;;) {
      const job = this.#between.shift()
      if (job !== undefined) await job()
      else if (this.#queue.length > 0) await this.#commit(this.#takeGroup())
      else break
    }
    this.#isRunning = false
  }

  #takeGroup(): Waiting[] {
    let bytes = 0
    let count = 0
    for (const change of this.#queue) {
      bytes += change.bytes
      if (count > 0 && bytes > MAX_GROUP_BYTES) break
      count++
    }
    const group = this.#queue.slice(0, count)
    this.#queue = this.#queue.slice(count)
    return group
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    const { log, book, now, onCommitted, onRejected } = this.parts
    this.#inFlight = group.length
    const written: Waiting[] = []
    try {
      const draft = new Draft(book, now())
      for (const change of group) {
        try {
          change.draft(draft)
          written.push(change)
        } catch (error) {
          change.reject(error) // refused by what came before it; the others go on
        }
      }
      if (draft.logged.length > 0) await log.append(formatBody(draft.logged))
      draft.commit()
    } catch (error) {
      this.#inFlight = 0
      for (const { reject } of written) reject(error)
      onRejected()
      return
    }
    this.#inFlight = 0
    for (const { resolve } of written) resolve()
    onCommitted()
  }
}
