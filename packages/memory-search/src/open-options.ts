import type { FileSystem, WriterLease } from '@mono-agent/memory-store'
import type { Calibration } from './calibration/calibration.js'
import type { AuthorityCover } from './canonical/authority-files.js'

/** What an index was built for; a mismatch is refused with the mend (OPS-4). Lite has only its tier. */
export interface IndexIdentity {
  readonly tier: 'lite' | 'journal' | 'bujo'
  readonly provider?: string
  readonly model?: string
  readonly dimension?: number
  readonly fingerprint?: string
}

export interface OpenIndexOptions {
  /** Resolved path of the root. */
  readonly root: string
  readonly fs: FileSystem
  readonly identity: IndexIdentity
  readonly now: () => number
  /** Called between slices so that nothing holds the event loop for long. */
  readonly yieldTurn?: () => Promise<void>
  /** Memories from which on `rankAside` ranks in a thread of its own; default 4,000. */
  readonly asideFrom?: number
  /**
   * Where the store is so large that the sidecar is in that thread, whether it starts while the store opens; default: with
   * the first ranking, or `warmRankings`.
   */
  readonly startsAside?: boolean
  /** That thread cannot be had, a `SearchError` `ranking_thread_failed`; rankings stay on the event loop. Told once. */
  readonly onThreadFailed?: (error: unknown) => void
  /** Memories from which on candidates come from a sidecar (SEA-19); default 256, `Infinity`: never. */
  readonly sidecarFrom?: number
  /** Memories from which on the sidecar is in the thread of rankings; default 20,000. */
  readonly sidecarAsideFrom?: number
  /** A `SearchError` `sidecar_invalid`, `sidecar_unwritten` or `sidecar_failed`: recall is the same, or only slower. */
  readonly onSidecarFault?: (error: unknown) => void
}

export interface OpenReaderOptions extends OpenIndexOptions {
  /** Ranks by it instead of by that of the manifest: for whoever measures one (OPS-18). */
  readonly calibration?: Calibration
}

export interface OpenWritableIndexOptions extends OpenIndexOptions {
  readonly lease: WriterLease
  /**
   * Bytes of graph and delta that count, where a retained commit plan covers what follows them (bujo). Only for files that
   * begin as the plan says.
   */
  readonly authorityCover?: AuthorityCover
}
