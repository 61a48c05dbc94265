import type { DayChange, GraphLine, LogBase, ReplayEntry } from '@mono-agent/memory-store'
import type { DropCounts, ExtractedMemory, Extraction, MemorySourceKind, ReviewDecision } from '../types.js'

/** What may stand in `.capture-outbox/<id>.json`. */
export type OutboxPlan = RetainedPlan | WritingPlan

/** A plan of which all is decided: it is carried out by whoever finds it, and there is at most one. */
export type WritingPlan = CommitPlan | RememberPlan

/** A line without source comes from a release that did not ask for one: it has no floor (CAP-11). */
export type RetainedMemory = Omit<ExtractedMemory, 'source'> & { readonly source?: MemorySourceKind }

export interface RetainedExtraction extends Omit<Extraction, 'memories'> {
  readonly memories: readonly RetainedMemory[]
}

/**
 * What a model was asked for and said, kept because a later call failed: a retry neither extracts nor reviews again. Host
 * rules are applied when it is taken up, so that it replays with the mapping that is then in force (CAP-18, CAP-24).
 */
export interface RetainedPlan {
  readonly v: 1
  readonly stage: 'retained'
  /** Of the turn, 64 lower-case hex digits. */
  readonly id: string
  readonly extraction: RetainedExtraction
  /** Absent: no review has succeeded, or there was nothing to review. */
  readonly review?: readonly ReviewDecision[]
  /** RFC 3339, UTC, milliseconds. */
  readonly retainedAt: string
}

export interface PlannedDay {
  /** Relative to the root, e.g. `daily/2026-05-01.md`. */
  readonly file: string
  readonly changes: readonly DayChange[]
}

/** A memory of the store that an edge leads to. The edge is written only while the memory is what it was (durability §9). */
export interface EdgeTarget {
  readonly id: string
  /** Where it stood. */
  readonly file: string
  /** `bulletDigest` of it. */
  readonly digest: string
  /**
   * The plan's own change of it, if it makes one: by this `rev` a replay knows that it is the plan that changed it.
   */
  readonly rev?: string
}

type WithoutAuthority<Entry> = Entry extends ReplayEntry ? Omit<Entry, 'authority'> : never

/** A replay entry; what authorises it is the plan itself, whose digest cannot stand in it. */
export type PlannedEdge = WithoutAuthority<Exclude<ReplayEntry, { kind: 'terminal' }>>

/**
 * All that a plan writes, exactly: carried out as often as a crash asks for it, the files become the same. No clock, no
 * randomness, no model (durability 1.4).
 */
interface PlannedLines {
  readonly v: 1
  /** 64 lower-case hex digits. */
  readonly id: string
  /** The instant that all of it is recorded with. */
  readonly createdAt: string
  readonly days: readonly PlannedDay[]
  readonly graph: { readonly base: LogBase; readonly lines: readonly GraphLine[] }
  readonly replay: { readonly base: LogBase; readonly edges: readonly PlannedEdge[] }
  readonly targets: readonly EdgeTarget[]
  /** Ids of what is added or changed. */
  readonly memoryIds: readonly string[]
}

/** What a capture writes. `id` is that of the turn, `createdAt` its admission; with its receipt it is done. */
export interface CommitPlan extends PlannedLines {
  readonly stage: 'commit'
  readonly dropped: DropCounts
}

/**
 * What a Remember writes that says more than a text (REC-27). It belongs to no turn and gets no receipt: it is done when it
 * is durably gone, before anything else is written.
 */
export interface RememberPlan extends PlannedLines {
  readonly stage: 'remember'
}
