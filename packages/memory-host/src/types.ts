import type {
  Admission,
  ContextBlock,
  LabelScope,
  MemoryLookup,
  MemoryStore,
  RecallOptions,
  ToolOutcome,
  TurnSource,
} from '@mono-agent/memory-bujo'
import type { MemoryTool } from './tools/memory-tool.js'

/**
 * Everything a host knows of a turn before its model is asked. What is left out counts as unverified; nothing is guessed
 * from ids or text.
 */
export interface TurnContext {
  readonly conversationId: string
  /** The newest user message, whole, as it is dispatched to the model. */
  readonly message: string
  /** The owner's own words in it, without the host's envelope: they must be its tail, else the message is used (REC-33). */
  readonly ownerText?: string
  /** Text extracted from attachments: recall looks for it too, capture never sees it. */
  readonly attachmentText?: string
  /** What began the turn; default a conversation. */
  readonly source?: TurnSource
  /** `process_completion`: a process of the agent ended and woke it. `continuation`: the host goes on with a turn. */
  readonly wake?: 'message' | 'process_completion' | 'continuation'
  /** Who wrote, as the host verified it; default `unknown`. */
  readonly speaker?: TurnSpeaker
  /** Slug of the project the turn is about, for preferences and lessons of its scope. */
  readonly project?: string
  /** The provider's session that the turn goes to; absent: every request carries all its context itself. */
  readonly session?: TurnSession
  /** A turn beside the conversation, such as a sub-agent's: it is not admitted and leaves receipts alone. */
  readonly isIsolated?: boolean
  /** IANA zone of the speaker. */
  readonly timeZone?: string
  /** RFC 3339 with offset, when it is not "now". */
  readonly occurredAt?: string
  readonly tools?: ToolPolicy
  readonly handOff?: HandOff
  /** Ends what begin still waits for. */
  readonly signal?: AbortSignal
}

export interface TurnSpeaker {
  readonly kind: 'owner' | 'user' | 'unknown'
  /** Stable and opaque, of the sender; for preferences that are theirs alone. */
  readonly token?: string
  readonly name?: string
}

export interface TurnSession {
  readonly id: string
  /** `retained`: the provider has confirmed that it still holds what this session was sent. `cold`: it is seeded anew. */
  readonly state: 'cold' | 'retained'
}

/** The host's own list of tools: deny wins; without `allow` all are allowed. `MemoryRecall` is not governed by it (REC-29). */
export interface ToolPolicy {
  readonly allow?: readonly string[]
  readonly deny?: readonly string[]
}

/** What else the host offers, as the tools' descriptions name it (REC-11). */
export interface HandOff {
  /** Name of the tool or place where the runs of the host can be looked up. */
  readonly runHistory?: string
  /** The model sees the conversation it is in. */
  readonly activeChat?: boolean
}

/** How a turn ended. Only `succeeded` is admitted (REC-32). */
export interface TurnResult {
  /** The provider's stable id of the turn: the idempotence key (INT-2). */
  readonly runId: string
  readonly status: 'succeeded' | 'failed' | 'cancelled' | 'interrupted'
  /** Deterministic observation by the host. */
  readonly summary: string
  /** What the agent answered. Of a scheduled or webhook turn it is all that is kept: without it nothing is (CAP-10). */
  readonly finalAnswer?: string
  /** Full approved text of the turn; what memory delivered is marked in it before it is handed over (CAP-28). */
  readonly captureText?: string
  readonly toolOutcomes?: readonly ToolOutcome[]
}

/** `not_admitted`: the turn did not reach its successful commit, or is isolated. `degraded`: memory failed, the turn did not. */
export type TurnOutcome =
  | Admission
  | {
      readonly status: 'not_admitted'
      readonly reason: 'failed' | 'cancelled' | 'interrupted' | 'isolated' | 'read_only'
    }
  | { readonly status: 'degraded'; readonly code: string; readonly outcome?: 'not_written' | 'unknown' }

/** The context of one turn, to be appended to its newest user message only (REC-34). */
export interface TurnContextText {
  /** Empty where there is nothing to say. */
  readonly text: string
  readonly bytes: number
  readonly memoryIds: readonly string[]
  /** `message` and the context after it, set apart; `message` itself where the context is empty. */
  appendTo(message: string): string
}

export interface MemoryTurn {
  readonly context: TurnContextText
  readonly tools: readonly MemoryTool[]
  /** Binds a message that reached the running turn: its words are the owner's too (REC-33). Automatic context stays as it is. */
  followUp(message: string, ownerText?: string): void
  /** Ends the turn and hands it over; once. Never throws for a state of the store: a failed admission is `degraded` and an event. */
  complete(result: TurnResult): Promise<TurnOutcome>
  /** Ends the turn without handing it over; its tools and cursors are refused from then on. May be called twice. */
  end(): void
}

export interface TurnMemory {
  /** Never throws for a state of the store: what fails is an event, and the turn goes on with less. @throws {TypeError} a turn that is none */
  begin(turn: TurnContext): Promise<MemoryTurn>
  /** Forgets what a provider's session was sent. */
  resetSession(sessionId: string): void
  /** Forgets all sessions; turns under way are ended. The store stays open: it is its owner's. */
  dispose(): void
}

/** Content-free: codes, counts and sizes only. */
export type HostEvent =
  /** Automatic context was made: its sources and size, never its content (REC-34). */
  | {
      readonly kind: 'memory_recalled'
      readonly blocks: readonly { readonly kind: ContextBlock['kind']; readonly lines: number }[]
      readonly memories: number
      readonly bytes: number
    }
  /** The look at the memory failed; the turn goes without automatic context. */
  | { readonly kind: 'memory_recall_unavailable'; readonly code: string }
  /** By words alone: nothing automatic but what needs no lookup, the tools remain (REC-15). */
  | { readonly kind: 'memory_lexical_only'; readonly reason: string }
  /** An admission failed: memory is degraded, the agent's answer stands (INT-15). */
  | { readonly kind: 'memory_degraded'; readonly code: string; readonly outcome?: 'not_written' | 'unknown' }
  /** `ownerText` is not the tail of the message; the whole message is used (REC-33). */
  | { readonly kind: 'owner_text_ignored' }
  /** Receipts of a retained session are lost or full: nothing automatic until it is seeded anew (REC-19). */
  | { readonly kind: 'session_receipts_lost' }
  /** The endpoint for a request's tools could not be opened; the turn goes on without it (REC-31). */
  | { readonly kind: 'endpoint_unavailable'; readonly code: string }

export interface HostOptions {
  /** Guarded: what it throws or rejects with is dropped, and what it returns is not looked at. */
  readonly onEvent?: (event: HostEvent) => unknown
  /** Cryptographic randomness; default `node:crypto`. */
  readonly randomBytes?: (count: number) => Uint8Array
}

/** What the tools of one turn share: one store, one set of lookups, one account of what was delivered. */
export interface TurnPort {
  readonly store: MemoryStore
  readonly conversationId: string | undefined
  /** Whose preferences and lessons may be shown. */
  readonly scopes: readonly LabelScope[]
  readonly handOff: HandOff
  /** True from the end of the turn on: every tool refuses. */
  readonly isEnded: () => boolean
  /** Equal normalised queries with equal filters share one look (REC-13). */
  lookUp(query: string, options: Pick<RecallOptions, 'kind' | 'about' | 'signal'>): Promise<MemoryLookup>
  /** The look made for the turn's own question, or why there is none (REC-12). @param signal  ends the waiting */
  original(signal?: AbortSignal): Promise<MemoryLookup | OriginalUnavailable>
  /** Counts an access of each, once a turn, and marks the words as memory's own (REC-13, CAP-28). @param text  as it was shown, lines apart */
  delivered(memoryIds: readonly string[], text: string): void
  /** A write changed the store: lookups made before it are dropped, receipts stay (REC-12, REC-19). */
  changed(): void
  /** How often `changed` was called: what was frozen before a write is not continued after it (REC-23). */
  readonly changes: () => number
}

/** Why the original question cannot be used: `written` by this turn, nothing asked (`empty`), `ended`, or a server without a turn. */
export type OriginalUnavailable = 'written' | 'empty' | 'ended' | 'no_turn'
