import type { RecallOptions, RecallOutcome } from '@mono-agent/memory-store'
import type { PendingTurn } from '@mono-agent/memory-intake'
import type { IndexIdentity, IndexReader } from '@mono-agent/memory-search'
import type { DraftedObservation } from '../projection/draft-observation.js'

/** What differs between the tiers; everything else of a store is the same for all. */
export interface Tier {
  readonly identity: IndexIdentity
  /** What an admitted turn becomes in Markdown. The same turn always gives the same draft: a replay finds its own work. */
  draft(turn: PendingTurn): Promise<DraftedObservation>
  recall(index: IndexReader, query: string, options: RecallOptions): Promise<RecallOutcome>
}
