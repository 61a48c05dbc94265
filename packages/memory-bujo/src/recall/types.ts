import type { Attribution, Currentness, FactKey, FactValue } from '@mono-agent/memory-store'
import type { IndexedMemory } from '@mono-agent/memory-search'

/** When and where a memory is looked at: what is over by then has ended (REC-4). */
export interface Vantage {
  /** Epoch milliseconds: now, or the instant that was asked for (REC-9). */
  readonly at: number
  /** IANA zone of the host's civil day. */
  readonly timeZone: string
  /** `recall.intentExpiry`: the `due` of a reviewed note is an inclusive end as well (REC-20). */
  readonly intentExpiry: boolean
}

/** How a memory stands. `endedOn`, the day it ended on as it was written, `YYYY-MM-DD`; present where it ended. */
export interface Standing {
  readonly state: Currentness
  readonly endedOn?: string
}

/** A labelled fact and the memory that states it (REC-6). */
export interface StatedFact {
  readonly memory: IndexedMemory
  readonly entityId: string
  readonly key: FactKey
  readonly value: FactValue
  readonly attribution: Attribution
  readonly validFrom?: string
  readonly validTo?: string
  /** Both the validity of the label and its memory are current. */
  readonly isCurrent: boolean
  /** The day it ended, where that is known. */
  readonly endedOn?: string
}

/** Names of entities by id, for values that are entities; ids that have none are shown by their slug. */
export type EntityNames = ReadonlyMap<string, string>
