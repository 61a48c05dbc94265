import type { IndexedMemory } from './types.js'

/** An entity of the graph, folded (FMT-7). */
export interface IndexedEntity {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly summary?: string
  readonly createdAt: string
}

/** An entity that is one relation away from another one; `support` of the relation are memories. */
export interface RelatedEntity {
  readonly id: string
  /** The one it is related to. */
  readonly from: string
  readonly relation: string
}

/** A place in the chronology: the time of a record, then its id. */
export interface ChronologyPlace {
  /** Epoch milliseconds. */
  readonly moment: number
  readonly id: string
}

/** One record of the chronology. `moment` is `occurred`, else `created`, in epoch milliseconds (REC-22). */
export interface ChronologyRecord {
  readonly moment: number
  readonly memory: IndexedMemory
}
