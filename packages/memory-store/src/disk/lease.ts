/** The right to write to a root (FMT-12). Got from `acquireWriterLease`, held until `release`. */
export interface WriterLease {
  /** Counts openings by a writer, from 1. */
  readonly epoch: number
  /**
   * One lstat of `.writer-epoch`; called before every write and between a log's fsync and its acknowledgement.
   * @throws {StoreError} lease_lost if it is not what this writer published, now or at any time before; store_closed
   *   after `release`; storage_failed after `failClosed`, or if the look itself failed
   */
  assertHeld(): void
  /** Reserved temporary name beside `path`, never given twice: `.<name>.tmp-<epoch>-<n>`. */
  temporaryName(path: string): string
  /** What is on disk is in doubt and could not be published again: nothing more is written until the root is reopened. */
  failClosed(cause: unknown): void
  /** Gives the root free. A second call does nothing. */
  release(): void
}
