import type { IntakeState } from '@mono-agent/memory-store'
import { formatLogItem, type AdmitItem, type ChangeItem } from './format/log-item.js'
import type { ItemState } from './format/item-state.js'
import { correctedDueAt } from './policy/backoff.js'
import type { RecoveredItem } from './policy/recovery-plan.js'
import { admittedState, applyChange } from './policy/transitions.js'

/** An item in memory: all that is unfinished, and what was settled since the last checkpoint. */
export interface Item {
  state: ItemState
  /** Canonical payload, until a record file holds it. */
  turn?: string
  /** Directories that hold a copy; the newest first. */
  places: IntakeState[]
  /** Has its ledger entry. */
  isCommitted: boolean
}

/** What a checkpoint writes of an item: its state when the checkpoint began. */
export interface DirtyItem {
  readonly item: Item
  readonly state: ItemState
}

/** Changes of one group: seen by those behind them at once, by everybody else when the group is durable. */
export class Draft {
  readonly #states = new Map<string, ItemState>()
  readonly #turns = new Map<string, string>()
  readonly #logged: string[] = []

  constructor(
    private readonly book: ItemBook,
    /** Epoch milliseconds: the instant of the whole group. */
    readonly now: number,
  ) {}

  /** Canonical JSON of what the group holds so far. */
  get logged(): readonly string[] {
    return this.#logged
  }

  stateOf(id: string): ItemState | undefined {
    return this.#states.get(id) ?? this.book.get(id)?.state
  }

  admit(item: Omit<AdmitItem, 'kind' | 'order' | 'admittedAt'>): void {
    const order = this.book.takeOrder()
    const admitted: AdmitItem = { kind: 'admit', ...item, order, admittedAt: new Date(this.now).toISOString() }
    this.#states.set(item.id, admittedState(admitted))
    this.#turns.set(item.id, item.turn)
    this.#logged.push(formatLogItem(admitted))
  }

  change(state: ItemState, change: ChangeItem): void {
    this.#states.set(state.id, applyChange(state, change))
    this.#logged.push(formatLogItem(change))
  }

  /** To be called once the group is durable. */
  commit(): void {
    for (const [id, state] of this.#states) this.book.set(state, this.#turns.get(id))
  }
}

export interface ItemCounts {
  readonly pending: number
  readonly dead: number
  /** Settled, and no checkpoint wrote the receipt yet. */
  readonly settled: number
}

/** Every item that is not at rest in a receipt, and when each is due. */
export class ItemBook {
  readonly #items = new Map<string, Item>()
  /** Pending items that wait after a failure: epoch milliseconds when they are due. */
  readonly #delayed = new Map<string, number>()
  readonly #dirty = new Set<string>()
  readonly #counts = { pending: 0, dead: 0, resolved: 0 }
  /** Admitted since the last checkpoint began. */
  #admitted = 0

  /** @param lastOrder  highest admission number given */
  constructor(private lastOrder: number) {}

  static recovered(items: ReadonlyMap<string, RecoveredItem>, lastOrder: number): ItemBook {
    const book = new ItemBook(lastOrder)
    const byOrder = [...items].sort(([, a], [, b]) => a.state.order - b.state.order)
    for (const [id, { state, turn, places, isCommitted, isChanged }] of byOrder) {
      book.lastOrder = Math.max(book.lastOrder, state.order)
      const [home] = places
      const isAtRest = isCommitted && !isChanged && places.length === 1 && home === state.state
      const payload = turn === undefined || isAtRest ? {} : { turn }
      book.#items.set(id, { state, places: [...places], isCommitted, ...payload })
      book.#track(state)
      if (!isAtRest) book.#dirty.add(id)
    }
    return book
  }

  get order(): number {
    return this.lastOrder
  }

  takeOrder(): number {
    return ++this.lastOrder
  }

  get(id: string): Item | undefined {
    return this.#items.get(id)
  }

  counts(): ItemCounts {
    const { pending, dead, resolved } = this.#counts
    return { pending, dead, settled: resolved }
  }

  unfinished(): Item[] {
    return [...this.#items.values()].filter(({ state }) => state.state !== 'resolved')
  }

  values(): IterableIterator<Item> {
    return this.#items.values()
  }

  /** A change is durable. @param turn  of a new item */
  set(state: ItemState, turn: string | undefined): void {
    const known = this.#items.get(state.id)
    if (known === undefined) {
      this.#items.set(state.id, { state, places: [], isCommitted: false, ...(turn === undefined ? {} : { turn }) })
      this.#admitted++
    } else {
      this.#counts[known.state.state]--
      known.state = state
    }
    this.#track(state)
    this.#dirty.add(state.id)
  }

  /** The record of an unfinished item is gone or spoilt: nothing can be done with it any more, and nothing is claimed. */
  forget(id: string): void {
    const item = this.#items.get(id)
    if (item === undefined) return
    this.#counts[item.state.state]--
    this.#items.delete(id)
    this.#delayed.delete(id)
    this.#dirty.delete(id)
  }

  #track(state: ItemState): void {
    this.#counts[state.state]++
    if (state.state === 'pending' && state.nextAttemptAt !== undefined) {
      this.#delayed.set(state.id, Date.parse(state.nextAttemptAt))
    } else this.#delayed.delete(state.id)
  }

  /** Epoch milliseconds from which a pending item is due; 0 if it waits for nothing. */
  #dueAt(state: ItemState, now: number): number {
    const dueAt = this.#delayed.get(state.id)
    if (dueAt === undefined) return 0
    // Kept, so that each look does not start the wait again (INT-13).
    const corrected = correctedDueAt(dueAt, state.attempts, now)
    this.#delayed.set(state.id, corrected)
    return corrected
  }

  isDue(state: ItemState, now: number): boolean {
    return state.state === 'pending' && this.#dueAt(state, now) <= now
  }

  /** Due items by admission order. */
  due(now: number, limit: number): Item[] {
    const due: Item[] = []
    for (const item of this.#items.values()) if (this.isDue(item.state, now)) due.push(item)
    return due.sort((a, b) => a.state.order - b.state.order).slice(0, limit)
  }

  /**
   * Pending items above an admission number, due or not, in order. No sort: items are entered in admission order, and
   * keep their place.
   */
  pendingAfter(order: number, limit: number): Item[] {
    const pending: Item[] = []
    for (const item of this.#items.values()) {
      if (pending.length >= limit) break
      if (item.state.order > order && item.state.state === 'pending') pending.push(item)
    }
    return pending
  }

  dueCount(now: number): number {
    let waiting = 0
    for (const id of this.#delayed.keys()) {
      const item = this.#items.get(id)
      if (item !== undefined && this.#dueAt(item.state, now) > now) waiting++
    }
    return this.#counts.pending - waiting
  }

  nextDueAt(now: number): number | undefined {
    if (this.#counts.pending === 0) return undefined
    if (this.#counts.pending > this.#delayed.size) return now
    let next = Infinity
    for (const id of this.#delayed.keys()) {
      const item = this.#items.get(id)
      if (item !== undefined) next = Math.min(next, this.#dueAt(item.state, now))
    }
    return Math.max(next, now)
  }

  get admittedSinceCheckpoint(): number {
    return this.#admitted
  }

  get isDirty(): boolean {
    return this.#dirty.size > 0
  }

  /** A checkpoint begins: what it has to write, by admission order. */
  takeDirty(): DirtyItem[] {
    const dirty: DirtyItem[] = []
    for (const id of this.#dirty) {
      const item = this.#items.get(id)
      if (item !== undefined) dirty.push({ item, state: item.state })
    }
    this.#dirty.clear()
    this.#admitted = 0
    return dirty.sort((a, b) => a.state.order - b.state.order)
  }

  /** That checkpoint failed: all of it again. */
  restoreDirty(dirty: readonly DirtyItem[]): void {
    for (const { state } of dirty) this.#dirty.add(state.id)
  }

  /** That checkpoint is committed: payloads that a record holds leave memory, and so do items at rest in a receipt. */
  checkpointed(dirty: readonly DirtyItem[]): void {
    for (const { item, state } of dirty) {
      item.isCommitted = true
      if (state.state !== 'resolved') delete item.turn
      else if (!this.#dirty.has(state.id)) {
        this.#items.delete(state.id)
        this.#counts.resolved--
      }
    }
  }
}
