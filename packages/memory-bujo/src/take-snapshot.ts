import type { Intake } from '@mono-agent/memory-intake'
import type { CanonicalWriter } from './canonical-writer.js'
import type { MemoryConfig } from './config.js'
import type { Events } from './events.js'
import type { RuntimeSnapshot } from './runtime-snapshot.js'
import type { Tier, TurnWork } from './tiers/tier.js'
import type { VectorQueue } from './vectors/vector-queue.js'

/** From here on a filling intake is said (INT-3). */
export const FILL_WARNING = 0.75

/** What a snapshot is read from. */
export interface SnapshotSources {
  readonly config: Pick<MemoryConfig, 'mode'>
  readonly tier: Pick<Tier, 'embed'>
  readonly events: Pick<Events, 'failures'>
  readonly opened: {
    readonly intake: Pick<Intake, 'snapshot'>
    readonly lease: { readonly epoch: RuntimeSnapshot['epoch'] }
  }
  readonly work: Pick<TurnWork, 'counts' | 'captureCounts'>
  readonly vectors: Pick<VectorQueue, 'counts'> | undefined
  readonly writer: Pick<CanonicalWriter, 'vectorsWritten'>
}

/** What only the store itself knows. */
export interface StoreMoment {
  readonly state: RuntimeSnapshot['state']
  /** RFC 3339, UTC. */
  readonly openedAt: string
  readonly publishedAt: string
  readonly snapshotFailures: number
  readonly waitingVectors: number
}

/** The state of an open store in counts, without content (OPS-6). */
export function takeSnapshot(sources: SnapshotSources, moment: StoreMoment): RuntimeSnapshot {
  const { config, tier, events, opened, work, vectors, writer } = sources
  const { state, openedAt, publishedAt, snapshotFailures, waitingVectors } = moment
  const intake = opened.intake.snapshot()
  const { batches, turns, highWater, failures, credentials } = work.counts()
  const capture = work.captureCounts?.()
  const queued = vectors?.counts() ?? { written: 0, failures: 0, refused: 0 }
  return {
    schemaVersion: 1,
    mode: config.mode,
    state,
    pid: process.pid,
    epoch: opened.lease.epoch,
    openedAt,
    publishedAt,
    intake: {
      pending: intake.pending,
      dead: intake.dead,
      resolved: intake.resolved,
      due: intake.due,
      inTransition: intake.inTransition,
      pruned: intake.pruned,
      unaccounted: intake.unaccounted,
      fill: intake.fill,
      isFilling: intake.fill >= FILL_WARNING,
    },
    projection: { batches, turns, highWater, failures, draining: state === 'closing' },
    discards: { credentials },
    failures: {
      listeners: events.failures() + intake.listenerFailures,
      checkpoints: intake.checkpointFailures,
      snapshots: snapshotFailures,
    },
    vectors: { ...queued, waiting: waitingVectors, written: queued.written + writer.vectorsWritten() },
    calls: {
      embedding: tier.embed?.counts?.().requests ?? 0,
      chat: capture === undefined ? 0 : Object.values(capture.calls).reduce((sum, calls) => sum + calls, 0),
    },
    ...(capture === undefined ? {} : { capture }),
  }
}
