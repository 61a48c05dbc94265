import type { LabelScope } from './format/label-schema.js'

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
  /** The day it ended on as it was written, `YYYY-MM-DD`; present where `currentness` is `ended` and it is known. */
  readonly endedOn?: string
  readonly attribution?: Attribution
  readonly source?: MemorySource
  /** Only with `explain: true` (REC-10). */
  readonly explanation?: HitExplanation
  readonly provenance?: HitProvenance
}

/** Where a hit comes from and what became of it (REC-10); for operators, never shown to a model. */
export interface HitProvenance {
  /** First 32 hex digits of the turn's id (`Admission.id`) that made it; absent for what no turn made. */
  readonly turn?: string
  readonly conversationId?: string
  /** The day file, `daily/YYYY-MM-DD.md`. */
  readonly file?: string
  /** Memories whose place was taken one after the other, this one included, the oldest first; at most 32. */
  readonly chain?: readonly { readonly id: string; readonly supersededAt?: string }[]
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
  /** All that it has where it was not found itself: a share of the hit whose entities it is related to (REC-7). */
  readonly related?: number
}

export interface RecallOptions {
  /** 1..50, default 10 (REC-1). */
  readonly limit?: number
  /** Only memories of this conversation. */
  readonly conversationId?: string
  readonly explain?: boolean
  /** RFC 3339: what was recorded and valid at that instant (REC-9). */
  readonly asOf?: string
  /** Only memories that carry a label of this kind; bujo (REC-6). */
  readonly kind?: 'preference' | 'lesson'
  /** Only memories about this entity: its id, or its whole name; bujo. */
  readonly about?: string
  /** Whose preferences and lessons may be shown; default `['agent']` (REC-6). */
  readonly scopes?: readonly LabelScope[]
  readonly signal?: AbortSignal
}

export interface RecallOutcome {
  readonly hits: readonly MemoryHit[]
  readonly mode: 'hybrid' | 'lexical'
  /** Present when the answer is less than the tier promises; says why. */
  readonly degraded?: { readonly reason: string }
  readonly evidence?: 'conflicting' | 'insufficient'
  /** The evidence note in words, as an agent reads it (REC-5). */
  readonly note?: string
  readonly sections: readonly RecallSection[]
}

export interface RecallSection {
  readonly kind: 'fact_sheet' | 'guidance'
  readonly text: string
}

export interface LoadRequest {
  readonly text: string
  /** What is known to come from it is left out, all its days (REC-16). */
  readonly conversationId?: string
  readonly signal?: AbortSignal
}

/** Automatic context for one turn. `text` is empty where there is nothing to say (REC-15). */
export interface LoadedContext {
  readonly text: string
  readonly memoryIds: readonly string[]
  /** Why nothing was loaded, where that is not the query's doing: words in common are too little to interrupt a turn with. */
  readonly silence?: 'lexical_only'
}

/** One entry of an automatic block: a whole line as it is shown. */
export interface ContextLine {
  readonly text: string
  readonly memoryIds: readonly string[]
}

/** A part of automatic context: shown under its heading, or left out with it. */
export interface ContextBlock {
  readonly kind: 'profile' | 'person' | 'background' | 'relevant'
  readonly heading: string
  readonly lines: readonly ContextLine[]
}

/** What of automatic context a turn may get; the host decides, by who it is for (REC-15). */
export interface AutomaticRequest {
  /** The blocks that may be shown. */
  readonly blocks: readonly ContextBlock['kind'][]
  /** Of the turn; what is known to come from it is neither background nor a `relevant` line (REC-16). */
  readonly conversationId?: string
  /** Whose preferences and lessons may be shown; default `['agent']`. */
  readonly scopes?: readonly LabelScope[]
  /** What the owner wrote, in which persons are called by their names (REC-17); default: the text that was looked up. */
  readonly message?: string
}

/**
 * One look at the memory from which several answers are made (REC-12, 13): what is written later does not change its
 * direct hits. Recalled text is untrusted evidence.
 */
export interface MemoryLookup {
  readonly mode: 'hybrid' | 'lexical'
  readonly degraded?: { readonly reason: string }
  /** Deliberate recall. `uncut`: without the tail cut, as `useOriginalQuery` is answered. @throws as a recall does */
  recall(
    options?: Pick<RecallOptions, 'limit' | 'explain' | 'kind' | 'about' | 'scopes'> & { readonly uncut?: boolean },
  ): RecallOutcome
  /** Blocks in the order in which they are shown; none where there is nothing to say. */
  automatic(request: AutomaticRequest): readonly ContextBlock[]
}

/** What a store offers; a tool is advertised only for what stands here (REC-29). */
export interface StoreCapabilities {
  /** `recallTool.enabled`. */
  readonly recall: boolean
  /** Memories carry labels and are about entities: `kind` and `about` of a recall (REC-6). */
  readonly labels: boolean
  /** It has a chronology, and `recallTool.enabled`. */
  readonly chronology: boolean
  /** `detail`: also `about`, `supersedes` and `replaceable` (REC-27). */
  readonly remember: 'none' | 'text' | 'detail'
  /** Sources of turns that are not admitted (CAP-22); all of them where nothing is written. */
  readonly skippedSources: readonly TurnSource['kind'][]
  /** UTF-8 bytes that one load of context may have: `maxBytes`. */
  readonly maxContextBytes: number
}

/** Inclusive civil dates `YYYY-MM-DD` in an IANA zone, at most 31 days (REC-22). */
export interface ChronologyRequest {
  readonly fromDate: string
  readonly throughDate: string
  readonly timeZone: string
  readonly signal?: AbortSignal
}

/** One record, as it was when the snapshot was taken (REC-24). */
export interface ChronologyEntry {
  readonly id: string
  /** UTC; `occurred`, else `created`. */
  readonly at: string
  readonly createdAt: string
  readonly text: string
  readonly type: MemoryType
  readonly status: MemoryStatus
  readonly currentness: Currentness
  readonly attribution?: Attribution
  /** Canonical day reference, `YYYY-MM-DD`. */
  readonly day: string
}

/** A frozen range of the chronology, at most 1,000 entries and 2 MiB (REC-23). */
export interface ChronologySnapshot {
  /** Half-open, UTC. */
  readonly interval: { readonly from: string; readonly before: string }
  readonly entries: readonly ChronologyEntry[]
  /** Whether the scan reached the end of the range, and why not. */
  readonly coverage: { readonly complete: boolean; readonly stoppedBy?: 'entries' | 'bytes' }
}

export interface RememberRequest {
  /** One self-contained sentence; normalised to NFKC and one line, at most 2,048 bytes after that. */
  readonly text: string
  readonly conversationId?: string
  /** An existing person, by id or whole name, that it is about; bujo (REC-27). */
  readonly about?: string
  /** Id of a current ordinary note that it replaces; bujo. */
  readonly supersedes?: string
  /** A later Remember may replace it without a known person; bujo. */
  readonly replaceable?: boolean
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
  /** Absent: recall only, as far as a backend has it. */
  readonly capabilities?: StoreCapabilities
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
  /**
   * Selects by relevance alone: no owner gate, no rule for short texts, no cards (REC-15). Whoever calls it decides by
   * audience whether its answer may be shown; `memory-host` does that for a harness.
   */
  load(request: LoadRequest): Promise<LoadedContext>
  /** One look for a whole turn, from which `memory-host` makes context and tool results. */
  lookUp?(
    query: string,
    options?: Pick<RecallOptions, 'kind' | 'about' | 'asOf' | 'conversationId' | 'signal'> & {
      readonly apartFrom?: string
    },
  ): Promise<MemoryLookup>
  /** Curated records of some days, frozen (REC-22..24). No model, no service. @throws {MemoryError} range_invalid */
  chronology?(request: ChronologyRequest): Promise<ChronologySnapshot>
  /** Counts an access of each memory that was delivered (REC-13): for audits, never for ranking. */
  noteAccess?(ids: readonly string[]): void
  /** Waits until all that is due has been projected once. */
  flush?(): Promise<FlushReport>
  /** Refreshes projections for people; bujo only, other tiers reject with `unsupported_in_tier`. */
  consolidate?(): Promise<void>
  /** One promise for all callers; bounded to about ten seconds. */
  close(): Promise<void>
}
