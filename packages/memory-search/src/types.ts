import type { Calibration } from './calibration/calibration.js'
import type { IndexIdentity } from './open-options.js'
import type { MissingVector, NewVector } from './sqlite/vector-rows.js'
import type { ChronologyPlace, ChronologyRecord, IndexedEntity, RelatedEntity } from './recall-types.js'
import type {
  Attribution,
  Bullet,
  DayFileState,
  FileIdentity,
  GraphLine,
  HitExplanation,
  LabelScope,
  MemoryHit,
  MemoryLabel,
  MemoryStatus,
  MemoryType,
  ReplayEntry,
} from '@mono-agent/memory-store'

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
  readonly attribution?: Attribution
  /** Absent where it has none. */
  readonly labels?: readonly MemoryLabel[]
  /** Present where it is known whether a Remember may replace it (REC-27). */
  readonly replaceable?: boolean
  /** The memory that took its place (bujo); it stays as history. As of an instant: only if it had by then. */
  readonly supersededBy?: string
  /** When it did. */
  readonly supersededAt?: string
}

/** A canonical file beside the day files, as it was left: its identity, and the digest of all its bytes. */
export interface AuthorityFile {
  /** `layout.graph`, `layout.replaySnapshot` or `layout.replayDelta`. */
  readonly path: string
  readonly identity: FileIdentity
  readonly digest: string
  /**
   * The digest it had before, absent where there was no such file. Of one that is not what the index was made from, all
   * is read again.
   */
  readonly base?: string
}

/** What a capture wrote beside the day files (CAP-19): recorded in the transaction of its rows. */
export interface CapturedAuthority {
  readonly graph: readonly GraphLine[]
  readonly replay: readonly ReplayEntry[]
  /** Those that were written, as they are now. */
  readonly files: readonly AuthorityFile[]
}

/** A memory and how near it is: cosine, -1..1. */
export interface NearMemory {
  readonly memory: IndexedMemory
  readonly similarity: number
}

/** Another memory took the place of one, at an instant (FMT-8). */
export interface Supersession {
  /** Id of the successor. */
  readonly by: string
  readonly at: string
}

/** A memory whose place was taken, and when. */
export interface Predecessor {
  readonly id: string
  readonly at: string
}

export interface SearchRequest {
  readonly query: string
  /** 1..50. */
  readonly limit: number
  readonly conversationId?: string
  readonly explain?: boolean
  /** Of the query, from `embeddable(query)`: unit length, of the index's dimension. Absent: by words alone (SEA-14). */
  readonly vector?: Float32Array
}

/** Which memories may be found at all; acts before the best are chosen (SEA-7). */
export interface MemoryFilter {
  /** With a label of this kind. */
  readonly kind?: 'preference' | 'lesson'
  /** About at least one of these entities, by the graph; bujo. An empty list matches nothing. */
  readonly aboutEntities?: readonly string[]
}

export interface RankRequest extends SearchRequest {
  readonly filter?: MemoryFilter
  /**
   * Epoch milliseconds: only what was recorded by then, and as far as the lifecycle tells when, in the state of then
   * (REC-9): a later supersession or ending counts for nothing.
   */
  readonly asOf?: number
  /**
   * With `asOf`: vectors of memories that ended since, by content hash, of unit length (`endedSince` names them). The index
   * has none of them any more; those that are not here are judged by words alone.
   */
  readonly endedVectors?: ReadonlyMap<string, Float32Array>
  /** Id of a logical conversation: `Ranking.others` leaves out what is known to come from it, all its days (REC-16). */
  readonly apartFrom?: string
}

/** A memory, its score and what made it. */
export interface RankedMemory {
  readonly memory: IndexedMemory
  readonly score: number
  /** The parts add up to the score, but for rounding. `semantic` is absent where it was judged by words alone. */
  readonly parts: HitExplanation
  /** It holds every number, date and identifier of the query and is about every name in it; false if the query has none. */
  readonly holdsAllAnchors: boolean
}

export interface Ranking {
  /** Best first, at most `limit`; deterministic (SEA-16). */
  readonly ranked: readonly RankedMemory[]
  /** The best, at most `limit`, of those that are not known to come from `apartFrom`; absent without it. */
  readonly others?: readonly RankedMemory[]
  /** Median score of all candidates that were judged, beyond `limit` too; absent where there were none. */
  readonly median?: number
}

export type { IndexIdentity, OpenIndexOptions, OpenReaderOptions, OpenWritableIndexOptions } from './open-options.js'
export type { ChronologyPlace, ChronologyRecord, IndexedEntity, RelatedEntity } from './recall-types.js'

export interface IndexStats {
  readonly memories: number
  readonly byStatus: Readonly<Record<MemoryStatus, number>>
  readonly byType: Readonly<Record<MemoryType, number>>
  readonly conversations: number
  readonly dayFiles: number
  /** Memories that have a vector, and those that wait for theirs; 0 in lite. */
  readonly vectors: number
  readonly missingVectors: number
  /** Of the graph and the lifecycle (bujo); 0 in other tiers. */
  readonly entities: number
  readonly relations: number
  readonly associations: number
  readonly threads: number
  /** Memories that another one took the place of. */
  readonly superseded: number
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
  search(request: SearchRequest): readonly MemoryHit[]
  /** What of a query a vector is made of: beside a weak model, the query without the names of authors (SEA-10, 13). */
  embeddable(query: string): string
  /** Memories that wait for their vector; cheap. */
  countMissingVectors(): number
  /** What the scores of the model mean (SEA-15); undefined as long as it has not been measured. */
  calibration(): Calibration | undefined
  get(id: string): IndexedMemory | undefined
  findByContentHash(hash: string): readonly IndexedMemory[]
  /** First bullets of observations with this content identity (CAP-2). */
  findByContentId(contentId: string): readonly IndexedMemory[]
  /** All of one UTC day file, in file order. */
  listFile(file: string): readonly IndexedMemory[]
  /**
   * The live memories nearest to a vector that nothing superseded, nearest first, ties by id (CAP-14). Exact.
   * @param limit  1..50  @param floor  cosine, at least
   */
  nearest(vector: Float32Array, options: { readonly limit: number; readonly floor: number }): readonly NearMemory[]
  /**
   * Live memories about any of these entities that nothing superseded: those with a fact of one of the keys first, then
   * the newest, ties by id (CAP-14). Empty in lite and journal, which have no graph.
   * @param factKeys  `<entity id> <fact key>`  @param limit  1..50
   */
  aboutEntities(
    entityIds: readonly string[],
    options: { readonly factKeys: readonly string[]; readonly limit: number },
  ): readonly IndexedMemory[]
  /** What took the place of a memory; undefined where nothing did (bujo). */
  supersessionOf(id: string): Supersession | undefined
  /** Memories whose place this one took, the earliest first (bujo). */
  predecessorsOf(id: string): readonly Predecessor[]
  /**
   * The best memories with all that made them so, for recall (REC-1..10).
   * @throws {RangeError} as `search`
   */
  rank(request: RankRequest): Ranking
  /**
   * The same, without holding the event loop for long where the store is large. A ranking that nobody waits for any more
   * is dropped. @throws the signal's reason  @throws {SearchError}
   */
  rankAside(request: RankRequest, options?: { readonly signal?: AbortSignal }): Promise<Ranking>
  /**
   * Gets what rankings need into memory before the first one is asked, in slices or in their thread. Nobody needs to:
   * a ranking that finds it missing is made by the reference path, and has it made. Resolves when nothing is left to do.
   * @throws {SearchError}
   */
  warmRankings(): Promise<void>
  /**
   * Memories that were live at an instant and cannot be found now, in their state of then (REC-9): those that ended soonest
   * after it first, ties by id. @param asOf  epoch milliseconds  @param limit  1 or more  @throws {RangeError} neither
   */
  endedSince(asOf: number, limit: number): readonly IndexedMemory[]
  /**
   * Entities whose whole name, or id, stands in a text, in the order of their first mention, each once, at most `limit`
   * (REC-6, REC-17). Folded as words are: case and accents do not count. Several of one name are all found, by id. Names of
   * up to 32 words, or characters where words are not parted by spaces, in the first 4,096 UTF-16 units of the text; a name
   * that stands wholly within a longer one's place does not count there.
   */
  entitiesNamed(text: string, limit: number): readonly IndexedEntity[]
  entity(id: string): IndexedEntity | undefined
  /** Ids of the entities that each of these memories is about, sorted; memories without any are absent. */
  entitiesOf(memoryIds: readonly string[]): ReadonlyMap<string, readonly string[]>
  /**
   * Memories with a keyed fact about any of these entities, the newest recorded first, ties by id: current ones and
   * history, invalidated ones too, not dropped ones (REC-6, REC-17). What is not asked for takes no place of the limit.
   * @param options.isStanding  only what is neither superseded nor invalidated; the others as in `RankRequest`
   */
  factsAbout(
    entityIds: readonly string[],
    options: Pick<RankRequest, 'limit' | 'asOf' | 'conversationId'> & { readonly isStanding?: boolean },
  ): readonly IndexedMemory[]
  /**
   * Live memories that nothing superseded, with a label of this kind and one of these scopes (facts: no scope asked), or a
   * fact about this entity, keyed or coarse. The newest recorded first, ties by id.
   */
  labelled(
    asked: {
      readonly kind: 'fact' | 'preference' | 'lesson'
      readonly scopes?: readonly LabelScope[]
      readonly entityId?: string
    },
    limit: number,
  ): readonly IndexedMemory[]
  /**
   * Entities one relation away from these, in either direction, each once, themselves left out (REC-7): those of the relation
   * stated last first, then by id, relation and the entity they are related to. Followed is what rests on a live memory and
   * is valid at the asked instant; a day counts until it is over everywhere.
   * @param asOf  relations recorded by then and valid then; absent: now
   */
  related(
    entityIds: readonly string[],
    options: { readonly limit: number; readonly asOf?: number },
  ): readonly RelatedEntity[]
  /** Live memories about an entity, the newest recorded first, ties by id. @param asOf  as in `RankRequest` */
  memoriesOf(entityId: string, options: { readonly limit: number; readonly asOf?: number }): readonly IndexedMemory[]
  /**
   * Records of a half-open range of time in order of moment and id, at most `limit`, after a place: open, done, superseded
   * and invalidated ones, not dropped ones (REC-24). All tiers.
   */
  chronology(
    range: { readonly from: number; readonly before: number; readonly after?: ChronologyPlace },
    limit: number,
  ): readonly ChronologyRecord[]
  /** Most salient first, newest first among equals; live only. */
  top(limit: number): readonly IndexedMemory[]
  stats(): IndexStats
  /** True when day files on disk, in bujo graph and replay authority too, differ from what the index recorded. */
  isStale(): boolean
  /** Ends the thread of `rankAside`, if there is one; to be awaited before `close`. */
  stopAside(): Promise<void>
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
  /**
   * To be called before graph or replay authority is written, in bujo: a file that is gone while the index has rows of it is
   * not to be begun anew.
   * @throws {SearchError} canonical_mismatch
   */
  assertAuthorityInPlace(): void
  /** Finds the words of what these day files bring, in slices, so that the `record` that follows is short. */
  prepare(states: readonly DayFileState[]): Promise<void>
  /**
   * Indexes day files that were just published, with their identities and digests, in one transaction.
   * @param authority  what was written to graph and replay with them; bujo
   */
  record(states: readonly DayFileState[], authority?: CapturedAuthority): void
  /** Reads what `nearest` keeps in memory, in slices; without it the first question reads it at one go. */
  warmNearest(): Promise<void>
  /** The next memories that wait for a vector, in the order of their rows. @param after  row; 0 to begin */
  missingVectors(after: number, limit: number): readonly MissingVector[]
  /** Gives vectors to all memories of their words that still wait. @returns memories that got one */
  writeVectors(vectors: readonly NewVector[]): number
  /** Counts an access for each mention of a memory (REC-13): for audits, never for ranking. Lost with the index. */
  countAccess(ids: readonly string[]): void
  /** Keeps a calibration in the manifest. */
  setCalibration(calibration: Calibration): Promise<void>
  /**
   * To be awaited before canonical files are written: from then on the previous index is no longer offered to go back to
   * (OPS-3). One look in memory where none is; else the manifest is published, durably.
   * @param written  `authority`: only graph or replay, which retires an index of bujo alone; default `days`
   */
  retirePrevious(written?: 'days' | 'authority'): Promise<void>
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
  /** In tiers with embeddings: vectors taken from the former index or an interrupted build, and made now. */
  readonly vectors?: {
    readonly carriedOver: number
    readonly embedded: number
    /** Memories whose text the service does not take; they wait, and are found by words. */
    readonly refused?: number
  }
  /** The index before this one, if it could be read: it was kept (OPS-3). */
  readonly previous?: KeptIndex
}

/** An index that was kept when another one took its place. */
export interface KeptIndex {
  readonly identity: IndexIdentity
  /** Whether a rollback can go back to it; false if what it holds is not what the day files say. */
  readonly isOffered: boolean
}

/** What a rollback went back to. */
export interface RollbackReport {
  readonly generation: string
  readonly identity: IndexIdentity
  readonly memories: number
  /** The index that was in use until now, if it could be read. */
  readonly previous?: KeptIndex
}

export type { Bullet }
