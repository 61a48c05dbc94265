import { contentHash } from '@mono-agent/memory-store'
import { failureCode } from '../../projection/failure.js'
import type { CarriedOut } from './carry-out.js'
import type { CommitParts } from './commit-plan.js'
import type { OutboxPlan } from './plan-types.js'
import { recoverOutbox, type RecoverParts } from './recover-outbox.js'

/**
 * Captures and what Remember writes by plan: one at a time, within the canonical section. What one of them left unfinished,
 * here or in a process before, is carried out before the next one looks at anything.
 */
export class PlannedWrites {
  /** False while a plan may be under way: after a failure it has to be looked for. */
  #isClear = false

  /** @param onRecovered  what was carried out late */
  constructor(
    private readonly parts: RecoverParts,
    private readonly onRecovered: (carried: CarriedOut) => void,
  ) {}

  /** Finishes what was left. @throws {BujoError} outbox_invalid  @throws {StoreError | SearchError} */
  async recover(): Promise<void> {
    if (!this.#isClear) await this.alone(() => Promise.resolve())
  }

  /** Runs a section in which one plan may be made and carried out. @throws as `recover`, and what `section` throws */
  alone<T>(section: (parts: CommitParts) => Promise<T>): Promise<T> {
    return this.parts.writer.exclusive(async () => {
      await this.#finishLeft()
      this.#isClear = false
      const result = await section(this.parts)
      this.#isClear = true
      return result
    })
  }

  /**
   * Within the section, by who writes without a plan: a Remember that is durable as a plan alone says its words already, and
   * is finished first. What a capture left is no reason to wait.
   * @param hash  of the words
   */
  async finishIfSaid(hash: string): Promise<void> {
    if (!this.#isClear && this.#waiting().some((plan) => says(plan, hash))) await this.#finishLeft()
  }

  async #finishLeft(): Promise<void> {
    if (this.#isClear) return
    const { carriedOut } = await recoverOutbox(this.parts)
    if (carriedOut !== undefined) this.onRecovered(carriedOut)
    this.#isClear = true
  }

  #waiting(): readonly OutboxPlan[] {
    try {
      return this.parts.outbox.loadAll()
    } catch (error) {
      if (failureCode(error) !== 'outbox_invalid') throw error
      return [] // said at the opening; words alone are remembered all the same
    }
  }
}

function says(plan: OutboxPlan, hash: string): boolean {
  if (plan.stage !== 'remember') return false
  const bullets = plan.days.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.kind === 'add' ? change.bullets : [])),
  )
  return bullets.some(({ sentence }) => contentHash(sentence) === hash)
}
