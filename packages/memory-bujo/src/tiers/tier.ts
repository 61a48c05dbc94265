import type { FileSystem, WriterLease } from '@mono-agent/memory-store'
import type { Intake } from '@mono-agent/memory-intake'
import type { AuthorityCover, EmbeddingProvider, IndexIdentity, SearchIndex } from '@mono-agent/memory-search'
import type { CanonicalWriter } from '../canonical-writer.js'
import type { PlannedWrites } from '../capture/commit/index.js'
import type { CaptureCounts } from '../capture/metrics.js'
import type { Events } from '../events.js'
import type { QueryVectors } from '../recall/query-vector.js'
import type { TurnWorker } from '../projection/turn-worker.js'

/** What of an open store admitted turns are carried to their end with. */
export interface WorkParts {
  /** Resolved path. */
  readonly root: string
  readonly fs: FileSystem
  readonly lease: WriterLease
  readonly intake: Intake
  readonly index: SearchIndex
  readonly writer: CanonicalWriter
  readonly events: Events
  /** Measures the embedding model where that was not done yet (SEA-15); nothing in lite. */
  readonly ensureCalibrated: (signal: AbortSignal) => Promise<void>
}

export interface TurnWork extends TurnWorker {
  /** Of a tier that curates. */
  readonly captureCounts?: () => CaptureCounts
  /** Of a tier with a graph and a lifecycle: how Remember writes to them (REC-27). */
  readonly plannedWrites?: PlannedWrites
}

/** How a store of a tier is read. */
export interface ReadingTier {
  readonly identity: IndexIdentity
  /** Where vectors come from; lite has none. */
  readonly embed?: EmbeddingProvider
  /** Vectors of queries, with little patience; lite has none. */
  readonly vectorOf?: QueryVectors
  /** Cancels requests that recalls have given up waiting for. */
  stop?(): void
}

/** What differs between the tiers; everything else of a store is the same for all. */
export interface Tier extends ReadingTier {
  /** How much of graph and replay authority counts before the work that a crash cut is finished; of bujo alone. */
  readonly authorityCover?: (parts: Pick<WorkParts, 'root' | 'fs' | 'lease' | 'intake'>) => Promise<AuthorityCover>
  /** Finishes what a crash cut, if something was, and begins to carry admitted turns to their end. */
  openWork(parts: WorkParts): Promise<TurnWork>
}
