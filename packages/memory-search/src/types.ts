import type {
  Bullet,
  DayFileState,
  FileSystem,
  MemoryHit,
  MemoryStatus,
  MemoryType,
  WriterLease,
} from '@mono-agent/memory-store'

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
}

export interface OpenWritableIndexOptions extends OpenIndexOptions {
  readonly lease: WriterLease
}

/** A row as the index holds it; every field mirrors its bullet (SEA-7). */
export interface IndexedMemory {
  readonly id: string
  readonly file: string
  readonly position: number
  readonly text: string
  readonly type: MemoryType
  readonly status: MemoryStatus
  readonly salience: number
  readonly isInsight: boolean
  readonly createdAt: string
  readonly occurredAt?: string
  readonly dueAt?: string
  readonly speaker?: string
  readonly conversationId?: string
  readonly contentHash: string
}

export interface LexicalRequest {
  readonly query: string
  /** 1..50. */
  readonly limit: number
  readonly conversationId?: string
  readonly explain?: boolean
}

export interface IndexStats {
  readonly memories: number
  readonly byStatus: Readonly<Record<MemoryStatus, number>>
  readonly byType: Readonly<Record<MemoryType, number>>
  readonly conversations: number
  readonly dayFiles: number
  readonly bytes: number
  /** Generation name. */
  readonly generation: string
}

/** What a catch-up found and did. Locations are `file:line`, never text. */
export interface CatchUpReport {
  readonly filesRead: number
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly missingIdentity: readonly string[]
  readonly duplicateIds: readonly string[]
}

/** What any process may ask of an index; takes no lease and writes nothing. */
export interface IndexReader {
  /** Best first; deterministic (SEA-16). Never throws for what a person typed (SEA-8). */
  search(request: LexicalRequest): readonly MemoryHit[]
  get(id: string): IndexedMemory | undefined
  findByContentHash(hash: string): readonly IndexedMemory[]
  /** All of one UTC day file, in file order. */
  listFile(file: string): readonly IndexedMemory[]
  /** Most salient first, newest first among equals; live only. */
  top(limit: number): readonly IndexedMemory[]
  stats(): IndexStats
  /** True when day files on disk differ from what the index recorded. */
  isStale(): boolean
  close(): void
}

export interface SearchIndex extends IndexReader {
  /** Looks at all canonical files (lstat, in slices), re-reads what changed, one transaction. @param files only these, relative */
  catchUp(files?: readonly string[]): Promise<CatchUpReport>
  /**
   * To be called before day files are written. `daily/` is made for the first file only: one that is gone while the index
   * knows files of it, or that another directory replaced, was moved or unmounted, and is not to be begun anew.
   * @throws {SearchError} canonical_mismatch
   */
  assertDailyInPlace(): void
  /** Indexes day files that were just published, with their identities and digests, in one transaction. */
  record(states: readonly DayFileState[]): void
  close(): void
}

export interface RebuildReport {
  readonly generation: string
  readonly indexed: number
  readonly skipped: {
    readonly unstructured: number
    readonly missingIdentity: readonly string[]
    readonly duplicateIds: readonly string[]
  }
}

export type { Bullet }
