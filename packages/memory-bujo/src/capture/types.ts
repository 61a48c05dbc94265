import type { Attribution, MemoryLabel, MemoryStatus, ToolOutcome } from '@mono-agent/memory-store'
import type { IndexedMemory } from '@mono-agent/memory-search'

/** Where a memory comes from, as the model says it; the host bounds it (CAP-9, CAP-11). */
export type MemorySourceKind = 'user' | 'assistant' | 'tool' | 'document'

/** What a turn offers capture; every text already without delivered memory (CAP-28), credentials redacted (CAP-25). */
export interface CaptureTurn {
  /** 64 lower-case hex digits: everything that is written derives its ids from it. */
  readonly id: string
  /** RFC 3339, UTC. */
  readonly admittedAt: string
  /** The instant that relative dates count from: the turn's own, else that of its admission (CAP-17). */
  readonly anchor: string
  /** IANA zone of the anchor; `UTC` if nobody named one. */
  readonly timeZone: string
  /** Everything that was said; of a scheduled or webhook turn the assistant's answer alone (CAP-10). */
  readonly text: string
  /** What the human said, verified by the host; absent on turns without a human. */
  readonly userText?: string
  readonly speakerKind: 'human-turn' | 'trigger' | 'unknown'
  /** True only on a human turn. */
  readonly isOwnerTurn: boolean
  readonly senderToken?: string
  readonly toolOutcomes: readonly ToolOutcome[]
  readonly sourceKind: 'conversation' | 'cron' | 'webhook' | 'peer'
  readonly sourceLabel?: string
  readonly conversationId?: string
  readonly speaker?: string
  readonly occurredAt?: string
}

// --- the first contract: extraction (CAP-7)

export type ExtractedScope = 'agent' | 'sender' | 'conversation' | `project:${string}`

export type ExtractedFactValue =
  | { readonly type: 'date'; readonly date: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'entity'; readonly entityId: string }
  | { readonly type: 'relationship'; readonly role: string; readonly target: string }

/** Each carries its own verbatim quote (CAP-8). */
export type ExtractedLabel =
  | {
      readonly kind: 'fact'
      readonly entity: string
      readonly key: string
      readonly value: ExtractedFactValue
      readonly quote: string
      readonly validFrom?: string
      readonly validTo?: string
    }
  | { readonly kind: 'preference'; readonly scope: ExtractedScope; readonly quote: string }
  | { readonly kind: 'lesson'; readonly scope: ExtractedScope; readonly tool: string; readonly quote: string }

export type IntentState = 'planned' | 'pending' | 'done' | 'abandoned'

export interface ExtractedMemory {
  readonly type: 'note' | 'event' | 'task'
  readonly text: string
  /** 0..1. */
  readonly salience: number
  readonly source: MemorySourceKind
  /** Verbatim words of the turn that say it. */
  readonly quote: string
  /** Ids of entities of the same answer, or `person:owner`. */
  readonly entities: readonly string[]
  readonly labels: readonly ExtractedLabel[]
  /** A day, or an RFC 3339 instant. */
  readonly due?: string
  readonly validFrom?: string
  readonly validTo?: string
  /** Only where the intention lifecycle is on (CAP-24). */
  readonly intentState?: IntentState
}

export interface ExtractedEntity {
  /** `type:slug`. */
  readonly id: string
  readonly name: string
  readonly type: string
  readonly summary?: string
}

export interface ExtractedRelation {
  readonly src: string
  readonly relation: string
  readonly dst: string
  /** Places in `memories`, from 0, of those that say so; at least one. */
  readonly memories: readonly number[]
}

export interface Extraction {
  readonly memories: readonly ExtractedMemory[]
  readonly entities: readonly ExtractedEntity[]
  readonly relations: readonly ExtractedRelation[]
}

// --- the second contract: review (CAP-12)

export interface ReviewDecision {
  /** That of the memory, its place in the extraction. */
  readonly index: number
  readonly action: 'keep' | 'drop' | 'preference'
}

// --- the third contract: reconcile (CAP-15)

/** `index` is the place of its entry in the call, from 0; `target` an alias that was offered for this very memory. */
export type ReconcileDecision =
  | { readonly index: number; readonly action: 'ADD' }
  | { readonly index: number; readonly action: 'NOOP'; readonly target: string }
  | { readonly index: number; readonly action: 'UPDATE' | 'SUPERSEDE'; readonly target: string; readonly text: string }

// --- what the host made of an extraction

/** Why something of an answer was left out; counted, never said with content (CAP-27). */
export type DropReason =
  | 'assistant_floor'
  | 'credential'
  | 'echo'
  | 'review'
  | 'only_filter'
  | 'label_unsupported'
  | 'label_not_allowed'
  | 'intention_not_allowed'
  | 'sentence_invalid'
  | 'edge_target_gone'
  | 'edge_limit'
  | 'replay_full'

export type DropCounts = Readonly<Partial<Record<DropReason, number>>>

/** A memory as the host admits it: bounded source, checked labels, no task (CAP-9, 11, 18). */
export interface AdmittedMemory {
  /** Its place in the extraction. */
  readonly index: number
  readonly type: 'note' | 'event'
  readonly status: MemoryStatus
  readonly text: string
  readonly salience: number
  /** Never more than the host can vouch for. */
  readonly source: MemorySourceKind
  readonly quote: string
  readonly attribution: Attribution
  readonly entities: readonly string[]
  /** The coarse owner fact of CAP-9 included. */
  readonly labels: readonly MemoryLabel[]
  readonly dueAt?: string
  /** An accepted proposal of CAP-24. */
  readonly intentState?: IntentState
}

export interface AdmittedRelation extends Omit<ExtractedRelation, 'memories'> {
  /** `index` of the admitted memories that say so; at least one. */
  readonly memories: readonly number[]
}

export interface AdmittedCapture {
  readonly memories: readonly AdmittedMemory[]
  /** Only those that an admitted memory names. */
  readonly entities: readonly ExtractedEntity[]
  readonly relations: readonly AdmittedRelation[]
  readonly dropped: DropCounts
}

// --- what reconcile made of it

/** A memory of the store that a new one may be about. */
export interface Candidate {
  /** `m1`, `m2`…: what the model calls it, within one call. */
  readonly alias: string
  readonly memory: IndexedMemory
  /** Cosine; absent for one that was found by its entities. */
  readonly similarity?: number
}

/** One new memory and what is offered for it. */
export interface ReconcileEntry {
  readonly memory: AdmittedMemory
  readonly candidates: readonly Candidate[]
}

/** What will be done for a memory. `target` is the memory of the store it is done to. */
export type CaptureAction =
  /** `threadTo`: memories that this one carries on without replacing them (CAP-16, CAP-18). */
  | { readonly kind: 'add'; readonly memory: AdmittedMemory; readonly threadTo: readonly IndexedMemory[] }
  | { readonly kind: 'noop'; readonly memory: AdmittedMemory; readonly target: IndexedMemory | undefined }
  /** The line itself gets these words. */
  | { readonly kind: 'update'; readonly memory: AdmittedMemory; readonly target: IndexedMemory; readonly text: string }
  /** A new line with these words takes the place of the old one, which stays as history; a task is invalidated. */
  | {
      readonly kind: 'supersede'
      readonly memory: AdmittedMemory
      readonly target: IndexedMemory
      readonly text: string
    }

/** Settings of `capture` as the pipeline needs them. */
export interface CapturePolicy {
  readonly focus?: string
  /** Undefined keeps all; an empty list stores nothing (CAP-21). */
  readonly only?: readonly ('fact' | 'preference' | 'lesson')[]
  readonly intentLifecycle: boolean
  /** `speaker`, or a fixed language. */
  readonly language: string
}
