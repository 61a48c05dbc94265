import type { RecallOptions, RecallOutcome } from '@mono-agent/memory-store'
import type { PendingTurn } from '@mono-agent/memory-intake'
import type { EmbeddingProvider, IndexIdentity, IndexReader, SearchIndex } from '@mono-agent/memory-search'
import type { CanonicalWriter } from '../canonical-writer.js'
import type { DraftedObservation } from '../projection/draft-observation.js'
import type { SortDrafts } from '../projection/known-content.js'

/** What differs between the tiers; everything else of a store is the same for all. */
export interface Tier {
  readonly identity: IndexIdentity
  /** Where vectors come from; lite has none. */
  readonly embed?: EmbeddingProvider
  /** What an admitted turn becomes in Markdown. The same turn always gives the same draft: a replay finds its own work. */
  draft(turn: PendingTurn): Promise<DraftedObservation>
  /** Which drafts say what is already there. */
  sorting(index: SearchIndex, writer: CanonicalWriter): SortDrafts
  recall(index: IndexReader, query: string, options: RecallOptions): Promise<RecallOutcome>
  /** Cancels requests that recalls have given up waiting for. */
  stop?(): void
}
