import type {
  Admission,
  ChronologyRequest,
  ChronologySnapshot,
  CompletedTurn,
  FileSystem,
  FlushReport,
  LoadedContext,
  LoadRequest,
  MemoryHit,
  MemoryLookup,
  MemoryStore,
  RecallOptions,
  RecallOutcome,
  Remembered,
  RememberRequest,
  StoreCapabilities,
  TurnStatus,
} from '@mono-agent/memory-store'
import type { IntakeInspection, IntakeLimits } from '@mono-agent/memory-intake'
import type {
  Calibration,
  CatchUpReport,
  EmbeddingProvider,
  IndexedMemory,
  IndexStats,
} from '@mono-agent/memory-search'
import type { ContractReason } from './capture/contract/contract-error.js'
import type { CaptureStage } from './chat/chat-model.js'
import type { MemoryConfigInput } from './config.js'
import type { LookUpOptions } from './recall/recall-request.js'
import type { RuntimeSnapshot } from './runtime-snapshot.js'

/** What a host may inject; every part has a real default. Only `env` looks at the environment. */
export interface HostParts {
  /** Epoch milliseconds, of which fractions are left out; default `Date.now`. */
  readonly now?: () => number
  /** Monotonic milliseconds, for waiting; default `performance.now`. */
  readonly monotonicNow?: () => number
  /** Waits; resolves early when the signal aborts. */
  readonly sleep?: (ms: number, options: SleepOptions) => Promise<void>
  /** Cryptographic randomness; default `node:crypto`. */
  readonly randomBytes?: (count: number) => Uint8Array
  readonly fs?: FileSystem
  /** IANA zone of the host's civil day, in which ends that are days close (REC-4); default: that of the process. */
  readonly timeZone?: string
  /** Instead of the service that `embeddings` names; its dimension must be `embeddings.dim`. */
  readonly embed?: EmbeddingProvider
  /** The chat model of an `llm` or `capture.reconcileModel` that is `agent-host` (CFG-3). */
  readonly chat?: AgentHostChat
  /** For embedding services and chat models; default: the `fetch` of the process. */
  readonly fetch?: typeof globalThis.fetch
  /** Value of the environment variable that `apiKeyEnv` names, asked at each request; default: `process.env`. */
  readonly env?: (name: string) => string | undefined
  /** Bounds of unfinished turns and kept receipts; a host may raise them (INT-3). */
  readonly intakeLimits?: Partial<IntakeLimits>
  /** Gets one content-free line an event. Guarded like `onEvent`. */
  readonly logger?: Logger
  /** Told of every event, unlocked and guarded: a throw or rejection is counted, never passed on. */
  readonly onEvent?: (event: MemoryEvent) => unknown
}

/** What a host is asked for: one answer to one prompt, without tools. */
export interface AgentHostChatRequest {
  /** As `llm.model` or `capture.reconcileModel` names it. */
  readonly model: string
  readonly stage: CaptureStage
  readonly system: string
  readonly user: string
  /** JSON Schema for models that can be held to one; the prompt says the same in words. */
  readonly schema: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> }
  /** After so many milliseconds the answer is no longer waited for. */
  readonly timeoutMs: number
}

/**
 * A chat model of the host's own.
 * @returns what the model said, as it said it
 * @throws anything: the turn stays pending and is tried again
 */
export type AgentHostChat = (
  request: AgentHostChatRequest,
  /** Aborted when time is up or the store stops. */
  options: { readonly signal: AbortSignal },
) => Promise<string>

export interface SleepOptions {
  readonly signal?: AbortSignal
  /** True inside work that somebody waits for; false for a store that merely waits for its next alarm. */
  readonly keepsProcessAlive: boolean
}

/** What most loggers look like; `console` fits. */
export interface Logger {
  info(message: string): void
  warn(message: string): void
}

/** Content-free: codes, counts and locations only, never text, run ids or paths beyond `daily/…`. */
export type MemoryEvent =
  | { readonly kind: 'config_warning'; readonly message: string }
  | {
      readonly kind: 'projection_failed'
      readonly code: string
      readonly attemptCounted: boolean
      readonly turns: number
      /** Of an answer that its contract refused: why, and where in it (`extract: memories[0].type`). */
      readonly reason?: ContractReason
      readonly place?: string
    }
  | { readonly kind: 'turn_dead'; readonly id: string }
  | { readonly kind: 'day_file_drifted'; readonly file: string }
  | { readonly kind: 'credential_redacted'; readonly count: number }
  | { readonly kind: 'intake_filling'; readonly fill: number }
  | { readonly kind: 'intake_unaccounted'; readonly entries: number }
  | { readonly kind: 'index_built'; readonly generation: string; readonly indexed: number }
  | { readonly kind: 'index_caught_up'; readonly report: CatchUpReport }
  /** Vectors are delayed: `waiting` memories are found by words alone until the service answers again. */
  | { readonly kind: 'embedding_failed'; readonly code: string; readonly waiting: number }
  /** Work that nobody waits for failed, or goes on in another way, as `ranking_thread_failed`; `code` is one of docs/errors.md. */
  | { readonly kind: 'background_error'; readonly code: string }

/** The built-in store, open for writing. */
export interface BuiltInMemoryStore extends MemoryStore {
  persistCompletedTurn(turn: CompletedTurn): Promise<Admission>
  turnStatus(runId: string): Promise<TurnStatus>
  whenSettled(runId: string, options?: { readonly signal?: AbortSignal }): Promise<TurnStatus>
  remember(request: RememberRequest): Promise<Remembered>
  readonly capabilities: StoreCapabilities
  recallWithOutcome(query: string, options?: RecallOptions): Promise<RecallOutcome>
  load(request: LoadRequest): Promise<LoadedContext>
  lookUp(query: string, options?: LookUpOptions): Promise<MemoryLookup>
  chronology(request: ChronologyRequest): Promise<ChronologySnapshot>
  noteAccess(ids: readonly string[]): void
  flush(): Promise<FlushReport>
  consolidate(): Promise<void>
  /** Exact, in memory, without content (OPS-6). */
  snapshot(): RuntimeSnapshot
  close(): Promise<void>
}

export interface ReaderOptions extends Pick<HostParts, 'embed' | 'fetch' | 'env' | 'timeZone'> {
  /** The root of the store, as the user gave it. */
  readonly path: string
  /** Default `lite`. */
  readonly mode?: 'lite' | 'journal' | 'bujo'
  /** As in the configuration; journal and bujo. */
  readonly embeddings?: MemoryConfigInput['embeddings']
  /** As in the configuration; bujo. */
  readonly recall?: MemoryConfigInput['recall']
  readonly profile?: MemoryConfigInput['profile']
  readonly recallTool?: MemoryConfigInput['recallTool']
  readonly maxBytes?: number
  readonly fs?: FileSystem
  readonly now?: () => number
}

/** Read-only access for any process, beside a running agent or not: takes no lease and writes nothing. */
export interface MemoryReader {
  readonly capabilities: StoreCapabilities
  recallWithOutcome(query: string, options?: RecallOptions): Promise<RecallOutcome & { readonly stale: boolean }>
  load(request: LoadRequest): Promise<LoadedContext>
  lookUp(query: string, options?: LookUpOptions): Promise<MemoryLookup>
  chronology(request: ChronologyRequest): Promise<ChronologySnapshot>
  stats(): Promise<StoreStats>
  /** Memories of one UTC day file, in file order. @param day `YYYY-MM-DD` */
  show(
    day: string,
  ): Promise<{ readonly day: string; readonly memories: readonly ListedMemory[]; readonly stale: boolean }>
  /**
   * The most salient memories, the newest first among equals. Default: without what was superseded or has ended.
   * @param limit  1 or more  @throws {RangeError} `limit`
   */
  top(limit: number, options?: { readonly withHistory?: boolean }): Promise<readonly ListedMemory[]>
  /** The owner profile as automatic context would show it, also where it is switched off (REC-19). Asks no service. */
  profile(): Promise<OwnerProfile>
  /** What `recall.intentExpiry` takes out of automatic reads, to be looked at before it is switched on (REC-20). */
  intentReview(): Promise<IntentReview>
  /** The life of one memory, or undefined if there is none of that id. */
  log(id: string): Promise<MemoryLife | undefined>
  /** Turns in flight and receipts, content-free (INT-11). */
  inspect(id?: string): Promise<IntakeInspection>
  close(): Promise<void>
}

export interface StoreStats extends IndexStats {
  readonly mode: string
  readonly stale: boolean
  readonly intake: IntakeInspection['counts']
  /** What scores mean (SEA-15); absent in lite, and as long as the model has not been measured. */
  readonly calibration?: Calibration
  /** The runtime snapshot of a live writer; absent if none runs or it is stale. */
  readonly runtime?: RuntimeSnapshot
}

/** A memory as the index has it and as it stands now, with what a hit says of it too; `attribution` as of a hit (REC-1). */
export interface ListedMemory
  extends IndexedMemory, Pick<MemoryHit, 'validFrom' | 'validTo' | 'currentness' | 'endedOn'> {}

export interface OwnerProfile {
  /** `profile.enabled`: whether agents are shown it. */
  readonly enabled: boolean
  /** The whole block as it is shown when nothing else is; empty where there is none. */
  readonly text: string
  readonly memoryIds: readonly string[]
  /**
   * Why there is none: the tier keeps no labels; no memory has one of the owner, or of what the agent prefers; none of those
   * may stand in a profile; none of its lines has room within `maxBytes`.
   */
  readonly absent?: 'not_bujo' | 'no_labels' | 'none_eligible' | 'no_room'
  readonly stale: boolean
}

export interface IntentReview {
  /** `recall.intentExpiry`: whether they are left out already. */
  readonly enabled: boolean
  /** Dated notes, the earliest first, then those that were done; marked as recall marks them with `intentExpiry`. */
  readonly notes: readonly ReviewedNote[]
  /** The switch belongs to bujo. */
  readonly absent?: 'not_bujo'
  readonly stale: boolean
}

export interface ReviewedNote extends ListedMemory {
  /** `dated`: it has a `due`, whatever its status. */
  readonly why: 'dated' | 'done'
}

export interface MemoryLife {
  readonly memory: ListedMemory
  /** Lines of the day file that hold it, 1-based, when the file is as the index saw it. */
  readonly line?: number
  readonly history: readonly LifeEvent[]
}

export interface LifeEvent {
  readonly at: string
  /** `took_place`: the place of an older memory, which stays as history. */
  readonly event: 'occurred' | 'recorded' | 'took_place' | 'superseded' | 'ended'
  /** Of `superseded` the successor, of `took_place` the older one. */
  readonly id?: string
}

export interface OperatorOptions extends ReaderOptions {
  readonly onProgress?: (done: number, total: number) => void
  /** Of a rebuild with embeddings: memories that have their vector, and all. */
  readonly onVectorProgress?: (done: number, total: number) => void
  /** Stops the job where it can be taken up again. */
  readonly signal?: AbortSignal
}

export type { MemoryHit }
