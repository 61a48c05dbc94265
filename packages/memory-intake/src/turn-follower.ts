import { isWellFormed, StoreError, type TurnStatus } from '@mono-agent/memory-store'
import type { AdmissionDesk } from './admission.js'
import { IntakeError } from './errors.js'
import { turnId } from './format/canonical-turn.js'
import type { ItemState } from './format/item-state.js'
import type { ItemBook } from './item-book.js'
import type { ItemStore } from './item-store.js'
import type { Ledger } from './ledger.js'

export interface TurnFollowerParts {
  readonly book: ItemBook
  readonly ledger: Ledger
  readonly items: ItemStore
  readonly desk: AdmissionDesk
  /** Was the record of this turn, which has neither record nor receipt, removed by somebody, or may it have been? */
  readonly mayBeLost: (id: string) => boolean
}

/** Tells, and awaits, where a turn stands (INT-18). */
export class TurnFollower {
  readonly #projected = new Set<string>()
  readonly #waiting = new Map<string, Set<(error?: Error) => void>>()
  #isClosed = false

  constructor(private readonly parts: TurnFollowerParts) {}

  /** @throws {IntakeError} intake_invalid if the record of the turn was removed, so that nobody can tell how it ended */
  status(runId: string): TurnStatus {
    // Of an ill-formed run id nothing was ever admitted, and its hash would be that of another.
    return isWellFormed(runId) ? this.#statusOf(turnId(runId)) : { state: 'unknown' }
  }

  /**
   * Resolves once the turn has come to an end; at once if it has, or was never admitted.
   * @throws {StoreError} store_closed  @throws {IntakeError} intake_invalid, see `status`
   */
  async whenSettled(runId: string, signal?: AbortSignal): Promise<TurnStatus> {
    signal?.throwIfAborted()
    if (!isWellFormed(runId)) return { state: 'unknown' }
    const id = turnId(runId)
    await this.parts.desk.inFlight(id)
    for (;;) {
      signal?.throwIfAborted()
      const status = this.#statusOf(id)
      if (status.state !== 'admitted' && status.state !== 'projected') return status
      await this.#nextChange(id, signal)
    }
  }

  markProjected(ids: readonly string[]): void {
    for (const id of ids) if (this.parts.book.get(id)?.state.state === 'pending') this.#projected.add(id)
  }

  /** To be called after every group: wakes those whose turn came to an end. */
  changed(): void {
    for (const id of this.#projected) if (this.parts.book.get(id)?.state.state !== 'pending') this.#projected.delete(id)
    for (const [id, wakers] of this.#waiting) {
      if (this.parts.book.get(id)?.state.state === 'pending') continue
      for (const wake of wakers) wake()
    }
  }

  /** Ends every wait, also one that is yet to begin: nobody will tell any more. */
  close(): void {
    this.#isClosed = true
    for (const wakers of this.#waiting.values()) for (const wake of wakers) wake(closedMeanwhile())
  }

  #nextChange(id: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#isClosed) throw closedMeanwhile() // it was closed while the turn was being admitted
    return new Promise((resolve, reject) => {
      const wakers = this.#waiting.get(id) ?? new Set()
      const wake = (error?: Error): void => {
        signal?.removeEventListener('abort', abort)
        wakers.delete(wake)
        if (wakers.size === 0) this.#waiting.delete(id)
        if (error === undefined) resolve()
        else reject(error)
      }
      const abort = (): void => {
        wake(
          signal?.reason instanceof Error
            ? signal.reason
            : new Error('The wait was aborted.', { cause: signal?.reason }),
        )
      }
      signal?.addEventListener('abort', abort, { once: true })
      wakers.add(wake)
      this.#waiting.set(id, wakers)
    })
  }

  #statusOf(id: string): TurnStatus {
    const item = this.parts.book.get(id)
    if (item !== undefined) return this.#describe(item.state)
    if (this.parts.ledger.find(id) === undefined) return { state: 'unknown' }
    const receipt = this.parts.items.readReceipt(id)
    if (receipt !== undefined) return this.#describe(receipt)
    if (this.parts.mayBeLost(id)) throw turnLost() // `settled` would claim success for work that was thrown away
    return { state: 'settled' }
  }

  #describe(state: ItemState): TurnStatus {
    switch (state.state) {
      case 'pending':
        return { state: this.#projected.has(state.id) ? 'projected' : 'admitted' }
      case 'dead':
        return { state: 'dead', failure: state.failure }
      case 'resolved':
        return state.outcome === 'operator_resolved'
          ? { state: 'resolved', reason: state.reason ?? 'unknown' }
          : { state: state.outcome, memoryIds: state.memoryIds }
    }
  }
}

function closedMeanwhile(): StoreError {
  return new StoreError('store_closed', 'The store was closed while the turn was awaited. Open it again and ask again.')
}

function turnLost(): IntakeError {
  return new IntakeError(
    'intake_invalid',
    'The turn was admitted, but its record or receipt is gone, or may be: files under .capture-intake were removed from ' +
      'outside, so whether it was settled cannot be told. Nothing was changed. Bring the directory back whole, with the ' +
      'store closed, and open it again.',
  )
}
