import type {
  Admission,
  CompletedTurn,
  FailureCategory,
  FileSystem,
  TurnStatus,
  WriterLease,
} from '@mono-agent/memory-store'

export interface IntakeLimits {
  /** Pending + dead turns; default 4,096 (INT-3). */
  readonly maxUnfinished: number
  /** Resolved receipts kept; default 4,096 (INT-3). */
  readonly maxReceipts: number
}

export interface OpenIntakeOptions {
  /** Resolved path of the root. */
  readonly root: string
  readonly fs: FileSystem
  /** Held by the caller for as long as the intake is open. */
  readonly lease: WriterLease
  /** Wall clock, epoch milliseconds: recorded instants and due times only, never order (INT-13). */
  readonly now: () => number
  /** 32 random bytes, hex: the store id of a new root. */
  readonly randomHex: (bytes: number) => string
  readonly limits?: Partial<IntakeLimits>
  /**
   * Called once while a new root is made: after the first log segment, before the catalog and the schema marker
   * (OPS-5). What it makes must be durable when it resolves.
   */
  readonly prepareNewRoot?: () => Promise<void>
  /** Called after every change, unlocked and guarded: a throw is counted, never passed on (INT-10). */
  readonly onChange?: (snapshot: IntakeSnapshot) => void
  /** Runs after a background failure (checkpoint, listener); default: counted only. */
  readonly onBackgroundError?: (error: unknown) => void
  /**
   * Runs a function once after so many milliseconds, unless what it returns is called before; for background checkpoints.
   * Default: a timer that does not keep the process alive.
   */
  readonly startTimer?: (ms: number, run: () => void) => () => void
}

export interface ReadIntakeOptions {
  /** Resolved path of the root. */
  readonly root: string
  readonly fs: FileSystem
  /** Epoch milliseconds, tells what is due; default the wall clock. */
  readonly now?: () => number
}

/** An admitted turn that is not settled yet. */
export interface PendingTurn {
  /** sha256(runId), 64 hex. */
  readonly id: string
  /** Admission number: the order of acknowledged work. */
  readonly order: number
  /** RFC 3339, UTC, milliseconds; recorded once. */
  readonly admittedAt: string
  readonly attempts: number
  readonly turn: CompletedTurn
}

export interface Settlement {
  readonly id: string
  /** Run-derived ids of what the turn became; empty if nothing (INT-9). */
  readonly memoryIds: readonly string[]
  /** What became of the turn; default `indexed`. */
  readonly outcome?: 'indexed' | 'curated'
}

/** Counts only; safe to publish (INT-10). */
export interface IntakeSnapshot {
  readonly pending: number
  readonly dead: number
  readonly resolved: number
  readonly due: number
  readonly inTransition: number
  readonly pruned: number
  /** (pending + dead) / maxUnfinished, 0..1; warn from 0.75 on (INT-3). */
  readonly fill: number
  /** Ledger entries that no record or receipt accounts for: something was removed by hand (INT-7). */
  readonly unaccounted: number
  readonly listenerFailures: number
  readonly checkpointFailures: number
}

/** Content-free view of one item (INT-11). */
export interface IntakeItem {
  readonly id: string
  readonly state: 'pending' | 'dead' | 'resolved'
  readonly admittedAt: string
  readonly changedAt: string
  readonly nextAttemptAt?: string
  readonly attempts: number
  readonly revision: number
  readonly due: boolean
  readonly failure?: FailureCategory
  /** Only of an item that an operator resolved. */
  readonly reason?: string
}

export interface IntakeInspection {
  readonly counts: { readonly pending: number; readonly dead: number; readonly resolved: number; readonly due: number }
  readonly items: readonly IntakeItem[]
}

export interface Intake {
  /** Resolves when the turn is durable (INT-1). @throws {IntakeError | StoreError} */
  admit(turn: CompletedTurn): Promise<Extract<Admission, { id: string }>>
  /** Pending turns that are due now, by admission order; payloads are read when they are not in memory. At most `limit`. */
  due(limit: number): Promise<readonly PendingTurn[]>
  /**
   * Pending turns with an admission number above `order`, due or not, in order, at most `limit`: for work that takes each
   * turn once, such as the audit line (CAP-3). Empty only if there is none.
   */
  pendingAfter(order: number, limit: number): Promise<readonly PendingTurn[]>
  /** The highest admission number given so far; 0 before the first. What is admitted later has a higher one. */
  lastOrder(): number
  /** Epoch milliseconds when the next delayed turn is due; undefined if none is pending. */
  nextDueAt(): number | undefined
  /** Tells `turnStatus` that the turn is in Markdown but not in the index yet; in memory only. */
  markProjected(ids: readonly string[]): void
  /** pending → resolved, durable when it resolves. Ids already settled are left as they are. */
  settle(settlements: readonly Settlement[]): Promise<void>
  /** Counts one failed attempt: the turn is delayed (INT-8) or, after the 16th, dead. Durable when it resolves. */
  fail(id: string, category: FailureCategory): Promise<'pending' | 'dead'>
  turnStatus(runId: string): Promise<TurnStatus>
  whenSettled(runId: string, options?: { readonly signal?: AbortSignal }): Promise<TurnStatus>
  snapshot(): IntakeSnapshot
  inspect(id?: string): Promise<IntakeInspection>
  /** Makes dead or delayed turns due at once. `changed: false` if there was nothing to do. */
  retry(id?: string): Promise<{ readonly changed: boolean; readonly ids: readonly string[] }>
  /** Writes an `operator_resolved` receipt without claiming success; keeps duplicate protection (INT-12). */
  resolve(id: string, reason: string): Promise<{ readonly changed: boolean }>
  checkpoint(): Promise<void>
  /** True when much more is logged than one checkpoint folds in: a caller that sends in bulk should wait for one. */
  isCheckpointOverdue(): boolean
  /** Admissions begun before it finish; a last checkpoint; later calls reject with `store_closed`. */
  close(): Promise<void>
}
