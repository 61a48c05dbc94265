/** One finished turn of an agent, as its harness hands it over. Limits: see `validateTurn` of memory-intake. */
export interface CompletedTurn {
  /** The provider's stable id of this turn, 1..512 UTF-8 bytes: the idempotence key (INT-2). */
  readonly runId: string
  readonly conversationId: string
  /** Deterministic observation by the host, bounded by the record (INT-3). */
  readonly summary: string
  /** Full approved text; only used by writeMode `capture`. */
  readonly captureText?: string
  /** Who spoke, verified by the host; default `unknown`. */
  readonly captureSpeakerKind?: 'human-turn' | 'trigger' | 'unknown'
  readonly captureEvidence?: CaptureEvidence
  readonly source?: TurnSource
  /** Instant of the turn when it is not "now" (imports, late delivery): RFC 3339 with offset. */
  readonly occurredAt?: string
  /** IANA zone of the speaker; UTC when absent. */
  readonly timeZone?: string
  /** Name of who said it, given by the host, for ranking (SEA-10); never evidence for attribution. */
  readonly speaker?: string
  /** Only looked at for the low-signal rule (INT-14): neither stored nor part of the payload. */
  readonly finalAnswer?: string
}

export interface CaptureEvidence {
  readonly userText?: string
  readonly ownerTurn?: boolean
  readonly senderToken?: string
  readonly toolOutcomes?: readonly ToolOutcome[]
}

export interface ToolOutcome {
  readonly category: string
  readonly outcome: 'succeeded' | 'failed'
}

export interface TurnSource {
  readonly kind: 'conversation' | 'cron' | 'webhook' | 'peer'
  readonly label?: string
}

export type SkipReason = 'write_disabled' | 'low_signal' | 'source_off' | 'empty'

/** `id` is the lower-case hex SHA-256 of the run id, 64 characters. */
export type Admission =
  | { readonly status: 'admitted' | 'duplicate'; readonly id: string }
  | { readonly status: 'skipped'; readonly reason: SkipReason }

export type FailureCategory = 'model_output' | 'provider' | 'processing'

/** Where an admitted turn stands (INT-18). `settled`: done, but its receipt was pruned, so nothing more is known. */
export type TurnStatus =
  | { readonly state: 'unknown' }
  | { readonly state: 'admitted' | 'projected' }
  | { readonly state: 'indexed' | 'curated'; readonly memoryIds: readonly string[] }
  | { readonly state: 'dead'; readonly failure: FailureCategory }
  | { readonly state: 'resolved'; readonly reason: string }
  | { readonly state: 'settled' }

export type MemoryType = 'note' | 'event' | 'task'
export type MemoryStatus = 'open' | 'done' | 'migrated' | 'scheduled' | 'dropped' | 'invalidated'
export type Attribution = 'user-stated' | 'document' | 'assistant-inferred' | 'unknown'
export type Currentness = 'current' | 'superseded' | 'ended'

/** One recalled memory. Only `id`, `score` and `text` are certain: an external backend leaves out what it does not know (REC-1). */
export interface MemoryHit {
  readonly id: string
  /** Ranking evidence, not a probability; comparable within one result only. */
  readonly score: number
  readonly text: string
  readonly type?: MemoryType
  readonly status?: MemoryStatus
  /** Recording instant, not the event's. */
  readonly createdAt?: string
  readonly occurredAt?: string
  readonly validFrom?: string
  readonly validTo?: string
  readonly dueAt?: string
  readonly currentness?: Currentness
  readonly attribution?: Attribution
  readonly source?: MemorySource
  /** Only with `explain: true`. */
  readonly explanation?: HitExplanation
}

/** Where a memory came from; absent parts are unknown. */
export interface MemorySource {
  /** The conversation that last contributed; never shown to a model (REC-16). */
  readonly conversationId?: string
  readonly speaker?: string
  /** The day file, `daily/YYYY-MM-DD.md`. */
  readonly file?: string
}

/** The parts of a score; they add up to it, but for rounding. */
export interface HitExplanation {
  /** Cosine with the query, of a hit that has a vector and is judged by it. */
  readonly semantic?: number
  /** What the record before it in its conversation adds. */
  readonly context?: number
  readonly lexical: number
  /** Whole numbers, dates and identifiers of the query that it holds. */
  readonly anchors?: number
  readonly actor: number
  readonly time: number
  /** What it loses for ending with a question; 0 or less. */
  readonly question: number
  /** Tie-breakers: places in the lists, salience, insight. */
  readonly order?: number
}

export interface RecallOptions {
  /** 1..50, default 10 (REC-1). */
  readonly limit?: number
  /** Only memories of this conversation. */
  readonly conversationId?: string
  readonly explain?: boolean
  readonly signal?: AbortSignal
}

export interface RecallOutcome {
  readonly hits: readonly MemoryHit[]
  readonly mode: 'hybrid' | 'lexical'
  /** Present when the answer is less than the tier promises; says why. */
  readonly degraded?: { readonly reason: string }
  readonly evidence?: 'conflicting' | 'insufficient'
  readonly sections: readonly RecallSection[]
}

export interface RecallSection {
  readonly kind: 'fact_sheet' | 'guidance'
  readonly text: string
}

export interface LoadRequest {
  readonly text: string
  readonly conversationId?: string
}

/** Automatic context for one turn. `text` is empty where there is nothing to say (REC-15). */
export interface LoadedContext {
  readonly text: string
  readonly memoryIds: readonly string[]
  /**
   * Why nothing was loaded, where that is not the query's doing: words in common are too little (lite), or this version
   * offers what the tier recalls by the tools only (journal).
   */
  readonly silence?: 'lexical_only' | 'tools_only'
}

export interface RememberRequest {
  /** One self-contained sentence; normalised to NFKC and one line, at most 2,048 bytes after that. */
  readonly text: string
  readonly conversationId?: string
}

export interface Remembered {
  readonly status: 'stored' | 'duplicate'
  readonly id: string
  /** Exactly what is stored. */
  readonly text: string
}

export interface FlushReport {
  /** Turns still not settled after the flush: delayed by a failure, or dead. */
  readonly pending: number
  readonly dead: number
  /** In tiers with embeddings: memories that still wait for their vector, because the service failed or refused them. */
  readonly missingVectors?: number
}

/**
 * The contract of every backend (INT-17). A read-only backend leaves out what writes. Every method may be called
 * concurrently; after `close()` all reject with `store_closed`.
 */
export interface MemoryStore {
  /**
   * Makes a finished turn durable; resolves only then, and does local file work only (INT-1).
   * It takes no signal: a commit cannot be recalled.
   */
  persistCompletedTurn?(turn: CompletedTurn): Promise<Admission>
  turnStatus?(runId: string): Promise<TurnStatus>
  /** Resolves when the turn has reached an end: indexed (lite), curated, dead, resolved or settled. */
  whenSettled?(runId: string, options?: { readonly signal?: AbortSignal }): Promise<TurnStatus>
  remember?(request: RememberRequest): Promise<Remembered>
  recallWithOutcome(query: string, options?: RecallOptions): Promise<RecallOutcome>
  load(request: LoadRequest): Promise<LoadedContext>
  /** Waits until all that is due has been projected once. */
  flush?(): Promise<FlushReport>
  /** Refreshes projections for people; bujo only, other tiers reject with `unsupported_in_tier`. */
  consolidate?(): Promise<void>
  /** One promise for all callers; bounded to about ten seconds. */
  close(): Promise<void>
}
