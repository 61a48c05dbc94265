import {
  MemoryError,
  StoreError,
  withOutcome,
  type CompletedTurn,
  type FailureCategory,
  type TurnStatus,
} from '@mono-agent/memory-store'
import { AdmissionDesk } from './admission.js'
import { pauseAfterFiles } from './pause-after-files.js'
import type { AdmissionLog } from './admission-log.js'
import {
  CHECKPOINT_BYTES,
  CHECKPOINT_TURNS,
  OVERDUE_BYTES,
  CheckpointSchedule,
  startUnreferencedTimer,
} from './checkpoint-schedule.js'
import { Checkpointer } from './checkpoint.js'
import { IntakeError } from './errors.js'
import type { Catalog } from './format/catalog.js'
import { GroupCommit } from './group-commit.js'
import type { IntakePaths } from './intake-paths.js'
import type { Item, ItemBook } from './item-book.js'
import type { ItemStore } from './item-store.js'
import type { Ledger } from './ledger.js'
import { inspectItems, itemUnknown, resolveItem, retryItems, type OperatorParts } from './operator.js'
import { planFailure, planSettlement } from './policy/transitions.js'
import type { ReceiptShelf } from './receipt-shelf.js'
import { TurnFollower } from './turn-follower.js'
import type {
  Intake,
  IntakeInspection,
  IntakeLimits,
  IntakeSnapshot,
  OpenIntakeOptions,
  PendingTurn,
  Settlement,
} from './types.js'

/** About what a change takes in a frame, memory ids apart. */
const CHANGE_BYTES = 512

export interface RunningIntakeParts extends Omit<OpenIntakeOptions, 'limits'> {
  readonly paths: IntakePaths
  readonly items: ItemStore
  readonly log: AdmissionLog
  readonly catalog: Catalog
  readonly book: ItemBook
  readonly ledger: Ledger
  readonly shelf: ReceiptShelf
  readonly limits: IntakeLimits
  /** Ledger entries without record or receipt, as counted at opening. */
  readonly unaccounted: number
}

/** The open intake: parts wired together, calls counted in and out. */
export class RunningIntake implements Intake {
  readonly #groups: GroupCommit
  readonly #desk: AdmissionDesk
  readonly #follower: TurnFollower
  readonly #checkpointer: Checkpointer
  readonly #schedule: CheckpointSchedule
  readonly #operator: OperatorParts
  /** Calls that began before `close` and have not ended. */
  readonly #calls = new Set<Promise<unknown>>()
  #closing: Promise<void> | undefined
  #listenerFailures = 0
  /** Items whose record went while the store was open. */
  readonly #lost = new Set<string>()
  #checkpointFailures = 0

  constructor(private readonly parts: RunningIntakeParts) {
    const { log, book, ledger, limits, items, now } = parts
    this.#groups = new GroupCommit({
      log,
      book,
      now,
      onCommitted: () => this.#committed(),
      onRejected: () => this.#rejected(),
    })
    this.#checkpointer = new Checkpointer(
      {
        ...parts,
        groups: this.#groups,
        maxReceipts: limits.maxReceipts,
        onLost: (id, error) => this.#lose(id, error),
        onMinorError: (error) => this.#report(error),
      },
      parts.catalog,
    )
    this.#schedule = new CheckpointSchedule(this.#checkpointer, parts.startTimer ?? startUnreferencedTimer, (error) =>
      this.#checkpointFailed(error),
    )
    this.#desk = new AdmissionDesk({
      book,
      ledger,
      groups: this.#groups,
      log,
      maxUnfinished: limits.maxUnfinished,
      onLogFull: () => this.#schedule.runNow(),
    })
    this.#follower = new TurnFollower({
      book,
      ledger,
      items,
      desk: this.#desk,
      mayBeLost: (id) => this.#mayBeLost(id),
    })
    this.#operator = { ...parts, groups: this.#groups }
  }

  /** Part of opening: receipts that were pruned and counted, whose removal a power loss undid. */
  async removeResurrected(count: number): Promise<void> {
    if (count === 0) return
    const { shelf, items, lease } = this.parts
    const oldest = await shelf.byOrder((error) => this.#report(error))
    for (const { id } of oldest.slice(0, count)) {
      lease.assertHeld()
      items.remove('resolved', id)
      shelf.delete(id)
    }
  }

  /** Part of opening: what was found in the log is folded in before anything new is acknowledged. */
  checkpointAtOpening(): Promise<void> {
    return this.#checkpointer.run({ evenIfEmpty: true })
  }

  admit(turn: CompletedTurn) {
    return this.#write(() => this.#desk.admit(turn))
  }

  due(limit: number): Promise<readonly PendingTurn[]> {
    const { book, now } = this.parts
    return this.#call(() => this.#pendingTurns(() => book.due(now(), limit)))
  }

  pendingAfter(order: number, limit: number): Promise<readonly PendingTurn[]> {
    return this.#call(() => this.#pendingTurns(() => this.parts.book.pendingAfter(order, limit)))
  }

  lastOrder(): number {
    return this.parts.book.order
  }

  nextDueAt(): number | undefined {
    const { book, now } = this.parts
    return book.nextDueAt(now())
  }

  markProjected(ids: readonly string[]): void {
    this.#follower.markProjected(ids)
  }

  settle(settlements: readonly Settlement[]): Promise<void> {
    return this.#write(async () => {
      const { book, ledger } = this.parts
      for (const { id } of settlements) {
        if (book.get(id) === undefined && ledger.find(id) === undefined) throw itemUnknown()
      }
      const bytes = settlements.reduce((sum, { memoryIds }) => sum + CHANGE_BYTES + memoryIds.join().length, 0)
      await this.#groups.submit({
        bytes,
        draft: (draft) => {
          for (const { id, memoryIds, outcome = 'indexed' } of settlements) {
            const state = draft.stateOf(id)
            if (state === undefined || state.state === 'resolved') continue
            draft.change(state, planSettlement(state, { outcome, memoryIds }, draft.now))
          }
        },
      })
    })
  }

  fail(id: string, category: FailureCategory): Promise<'pending' | 'dead'> {
    return this.#write(async () => {
      let after: 'pending' | 'dead' = 'dead'
      await this.#groups.submit({
        bytes: CHANGE_BYTES,
        draft: (draft) => {
          const state = draft.stateOf(id)
          if (state === undefined || state.state === 'resolved') throw itemUnknown()
          if (state.state === 'dead') return
          const change = planFailure(state, category, draft.now)
          draft.change(state, change)
          after = change.kind === 'dead' ? 'dead' : 'pending'
        },
      })
      return after
    })
  }

  turnStatus(runId: string): Promise<TurnStatus> {
    return this.#call(async () => this.#follower.status(runId))
  }

  /** Not counted as a call under way: it may wait for hours, and closing ends it. */
  async whenSettled(runId: string, options: { readonly signal?: AbortSignal } = {}): Promise<TurnStatus> {
    this.#assertOpen()
    return this.#follower.whenSettled(runId, options.signal)
  }

  isCheckpointOverdue(): boolean {
    return this.parts.log.bytes >= OVERDUE_BYTES
  }

  snapshot(): IntakeSnapshot {
    const { book, shelf, limits, unaccounted, now } = this.parts
    const { pending, dead, settled } = book.counts()
    return {
      pending,
      dead,
      resolved: shelf.size + settled,
      due: book.dueCount(now()),
      inTransition: this.#groups.inTransition,
      pruned: this.#checkpointer.catalog.pruned,
      fill: (pending + dead) / limits.maxUnfinished,
      unaccounted: unaccounted + this.#lost.size,
      listenerFailures: this.#listenerFailures,
      checkpointFailures: this.#checkpointFailures,
    }
  }

  inspect(id?: string): Promise<IntakeInspection> {
    return this.#call(() => inspectItems(this.#operator, id))
  }

  retry(id?: string): Promise<{ readonly changed: boolean; readonly ids: readonly string[] }> {
    return this.#write(() => retryItems(this.#operator, id))
  }

  resolve(id: string, reason: string): Promise<{ readonly changed: boolean }> {
    return this.#write(() => resolveItem(this.#operator, id, reason))
  }

  checkpoint(): Promise<void> {
    return this.#call(async () => {
      try {
        await this.#checkpointer.run()
      } catch (error) {
        this.#checkpointFailures++
        throw error
      }
      this.#publishSnapshot()
    })
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    this.#schedule.stop()
    this.#follower.close()
    while (this.#calls.size > 0) await Promise.allSettled(this.#calls)
    try {
      await this.#checkpointer.run()
    } catch (error) {
      this.#checkpointFailed(error) // no loss: the log holds everything, and opening folds it in
    }
    this.parts.log.close()
  }

  #assertOpen(): void {
    if (this.#closing === undefined) return
    throw new StoreError('store_closed', 'The store was closed before this call. Nothing was written. Open it again.', {
      outcome: 'not_written',
    })
  }

  /** Calls begun before `close` finish; later ones are refused. */
  async #call<T>(job: () => Promise<T>): Promise<T> {
    this.#assertOpen()
    const call = job()
    this.#calls.add(call)
    try {
      return await call
    } finally {
      this.#calls.delete(call)
    }
  }

  /** A call that logs something: the log says what became of it, and whatever fails before the log wrote nothing. */
  async #write<T>(job: () => Promise<T>): Promise<T> {
    try {
      return await this.#call(job)
    } catch (error) {
      throw error instanceof MemoryError && error.outcome === undefined ? withOutcome(error, 'not_written') : error
    }
  }

  /** The turns of the items that `next` offers; it is asked again while all of them went meanwhile. */
  async #pendingTurns(next: () => readonly Item[]): Promise<PendingTurn[]> {
    const { book, items } = this.parts
    const pause = pauseAfterFiles()
    const turns: PendingTurn[] = []
    let candidates = next()
    while (candidates.length > 0) {
      for (const { state } of candidates) {
        await pause()
        const item = book.get(state.id)
        if (item?.state.state !== 'pending') continue // it ended meanwhile
        const { id, order, admittedAt, attempts } = item.state
        try {
          const turn = JSON.parse(items.payloadOf(item)) as CompletedTurn
          turns.push({ id, order, admittedAt, attempts, turn })
        } catch (error) {
          if (!(error instanceof IntakeError)) throw error
          this.#lose(id, error) // its record was removed or spoilt: the others must not wait for it
        }
      }
      // All of them went: those behind them are wanted as well, and an empty answer would say that there are none.
      candidates = turns.length > 0 ? [] : next()
    }
    return turns
  }

  #committed(): void {
    const { book, log } = this.parts
    this.#follower.changed()
    this.#schedule.logged(book.admittedSinceCheckpoint >= CHECKPOINT_TURNS || log.bytes >= CHECKPOINT_BYTES)
    this.#publishSnapshot()
  }

  /** What was flushed in vain must not stand in the log for long: the rest is published anew. */
  #rejected(): void {
    if (this.parts.log.isSealed) this.#schedule.runNow()
  }

  #lose(id: string, error: unknown): void {
    this.parts.book.forget(id)
    this.#lost.add(id)
    this.#follower.changed() // whoever waits for its end must not wait for ever
    this.#report(error)
    this.#publishSnapshot()
  }

  /** What was missing at opening has no names: of a turn without a receipt it cannot be told from a pruned one. */
  #mayBeLost(id: string): boolean {
    const { shelf, unaccounted } = this.parts
    return this.#lost.has(id) || (unaccounted > 0 && !shelf.has(id))
  }

  #checkpointFailed(error: unknown): void {
    this.#checkpointFailures++
    this.#report(error)
    this.#publishSnapshot()
  }

  /** After the change, unlocked: whatever the listener does, the change stands as reported (INT-10). */
  #publishSnapshot(): void {
    if (this.parts.onChange === undefined) return
    this.#guarded(this.parts.onChange, this.snapshot())
  }

  #report(error: unknown): void {
    if (this.parts.onBackgroundError !== undefined) this.#guarded(this.parts.onBackgroundError, error)
  }

  #guarded<T>(listener: (value: T) => unknown, value: T): void {
    const failed = (): void => {
      this.#listenerFailures++
    }
    try {
      Promise.resolve(listener(value)).catch(failed)
    } catch {
      failed()
    }
  }
}
