import type { Remembered, WriterLease } from '@mono-agent/memory-store'
import type { IndexIdentity, SearchIndex } from '@mono-agent/memory-search'
import type { CanonicalWriter } from '../canonical-writer.js'
import type { PlannedWrites } from '../capture/commit/index.js'
import type { Vantage } from '../recall/types.js'
import type { Stage } from './stages.js'

export interface RememberParts {
  readonly tier: IndexIdentity['tier']
  readonly writer: CanonicalWriter
  readonly index: SearchIndex
  readonly lease: Pick<WriterLease, 'assertHeld'>
  readonly now: () => number
  /** A fresh, time-ordered id without prefix. */
  readonly newId: (now: number) => string
  /** Of bujo: what reaches beyond a day file is written by plan. */
  readonly plannedWrites?: PlannedWrites
  /** Where from it is judged whether a memory has ended. */
  readonly vantage: Omit<Vantage, 'at'>
}

/** What is to be remembered, in words. */
export interface Note {
  /** As it is stored. */
  readonly text: string
  /** Its content hash, by which a repeat is known (REC-26). */
  readonly hash: string
  readonly conversationId?: string
}

/** Tells how far a write came. */
export type Reach = (stage: Stage) => void

export const stored = (id: string, { text }: Note): Remembered => ({ status: 'stored', id, text })
