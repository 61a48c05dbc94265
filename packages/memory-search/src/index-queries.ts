import type { Transaction } from 'better-sqlite3'
import type { MemoryHit, MemoryStatus, MemoryType } from '@mono-agent/memory-store'
import type { Calibration } from './calibration/calibration.js'
import { UNCALIBRATED } from './calibration/uncalibrated.js'
import type { CandidateSource } from './candidates/candidate-source.js'
import { exactSource } from './candidates/exact-source.js'
import type { NearVectors } from './near/near-vectors.js'
import { withoutNames } from './query/without-names.js'
import type { Sidecar } from './sidecar/index.js'
import { namedAuthors } from './search/question.js'
import { rankMemories } from './search/rank-memories.js'
import { toHit } from './search/to-hit.js'
import { memoriesAbout } from './sqlite/about-entities.js'
import { countAccesses } from './sqlite/access-counts.js'
import { chronologyOf } from './sqlite/chronology.js'
import { spelledInstant, toMemoryAsOf } from './sqlite/as-of.js'
import type { Connection } from './sqlite/connection.js'
import { endedRows } from './sqlite/ended-rows.js'
import { entitiesOf, memoriesOf } from './sqlite/entity-memories.js'
import { entitiesNamedIn, entityOf } from './sqlite/entity-names.js'
import { factsAbout, labelled } from './sqlite/label-rows.js'
import { indexedRecords } from './sqlite/lexical-candidates.js'
import { ROW_COLUMNS, toIndexedMemory, type MemoryRow } from './sqlite/memory-rows.js'
import { nearMemories } from './sqlite/near-memories.js'
import { relatedEntities } from './sqlite/related-entities.js'
import { prepared } from './sqlite/statements.js'
import { countMissingVectors, countVectors, dimensionOf, requireSoundVectors } from './sqlite/vector-rows.js'
import type {
  ChronologyRecord,
  IndexedEntity,
  IndexReader,
  Ranking,
  RankRequest,
  RelatedEntity,
  IndexedMemory,
  IndexIdentity,
  IndexStats,
  NearMemory,
  Predecessor,
  SearchRequest,
  Supersession,
} from './types.js'

const MAX_LIMIT = 50
const COUNTED = 'is_duplicate = 0'

function requireLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw new RangeError(`The limit is 1..${MAX_LIMIT}.`)
}

function requireCount(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError('The limit is a whole number from 1.')
}

/** What of a database is kept in memory, so that questions need not look through all of it. */
export interface InMemory {
  /** Of the vectors; of a connection that writes and asks `nearest` again and again. */
  readonly codes?: NearVectors
  /** Of all that a ranking needs to find candidates. */
  readonly sidecar?: Sidecar | undefined
}

/** What is asked of one open database; every method runs within one snapshot of it. */
export class IndexQueries {
  private readonly snapshot: Transaction<(read: () => unknown) => unknown>

  /** @param calibration  of the embedding model, as far as it is known now */
  constructor(
    private readonly db: Connection,
    private readonly tier: IndexIdentity['tier'],
    private readonly calibration: () => Calibration | undefined,
    private readonly inMemory: InMemory = {},
  ) {
    // Made once: to make one takes longer than many a question.
    this.snapshot = db.transaction((read: () => unknown) => read())
  }

  /** @throws {RangeError} as `rank` */
  search(request: SearchRequest): MemoryHit[] {
    return this.rank(request).ranked.map((ranked) => toHit(ranked, this.tier, request.explain === true))
  }

  /** @throws {RangeError} `limit` outside 1..50, or a vector that is none of this index */
  rank(request: RankRequest): Ranking {
    return this.withCandidates(this.rankingOf(request))
  }

  /**
   * As `rank`, where that would not hold the event loop for long: where there are fewer memories than `below`, or candidates
   * would be found in memory. All of it is seen in one snapshot.
   * @returns undefined where it would; the sidecar, if there is to be one, gets ready meanwhile
   * @throws as `rank`
   */
  rankIfFast(request: RankRequest, below: number): Ranking | undefined {
    return this.withCandidates(
      (source) => this.rankingOf(request)(source),
      (records) => records < below || this.isFast(records),
    )
  }

  /** Whether candidates would be found in memory now. @param records  that can be found */
  isFast(records = this.recordCount()): boolean {
    return this.inMemory.sidecar?.isReady(records) === true
  }

  /** @throws as `rank` */
  private rankingOf(request: RankRequest): (source: CandidateSource) => Ranking {
    if (typeof request.query !== 'string') throw new TypeError('The query must be a string.')
    requireLimit(request.limit)
    const vectors = [
      ...(request.vector === undefined ? [] : [request.vector]),
      ...(request.endedVectors?.values() ?? []),
    ]
    if (vectors.length > 0) requireSoundVectors(vectors, dimensionOf(this.db))
    return (source) => rankMemories(this.db, source, request, this.calibration() ?? UNCALIBRATED)
  }

  /** Gets what is kept in memory ready before it is asked. */
  async warm(): Promise<void> {
    await this.inMemory.sidecar?.warm(this.recordCount())
  }

  /** @throws {RangeError} as `top`; an instant that is no number */
  endedSince(asOf: number, limit: number): IndexedMemory[] {
    requireCount(limit)
    return endedRows(this.db, { asOf: spelledInstant(asOf), limit }).map(toMemoryAsOf)
  }

  /** @throws {RangeError} as `top` */
  entitiesNamed(text: string, limit: number): readonly IndexedEntity[] {
    requireCount(limit)
    return this.inSnapshot(() => entitiesNamedIn(this.db, text, limit))
  }

  entity(id: string): IndexedEntity | undefined {
    return entityOf(this.db, id)
  }

  entitiesOf(memoryIds: readonly string[]): ReadonlyMap<string, readonly string[]> {
    return this.inSnapshot(() => entitiesOf(this.db, memoryIds))
  }

  /** @throws {RangeError} as `top`; an `asOf` that is no number */
  factsAbout(...[entityIds, options]: Parameters<IndexReader['factsAbout']>): readonly IndexedMemory[] {
    requireCount(options.limit)
    return this.inSnapshot(() => factsAbout(this.db, entityIds, options))
  }

  /** @throws {RangeError} as `top` */
  labelled(...[asked, limit]: Parameters<IndexReader['labelled']>): readonly IndexedMemory[] {
    requireCount(limit)
    return this.inSnapshot(() => labelled(this.db, asked, limit))
  }

  /**
   * @param now  epoch milliseconds: relations are followed that are valid then, where no `asOf` is asked
   * @throws {RangeError} as `factsAbout`
   */
  related(...[entityIds, options, now]: [...Parameters<IndexReader['related']>, now: number]): RelatedEntity[] {
    requireCount(options.limit)
    return this.inSnapshot(() => relatedEntities(this.db, entityIds, { ...options, now }))
  }

  /** @throws {RangeError} as `factsAbout` */
  memoriesOf(...[entityId, options]: Parameters<IndexReader['memoriesOf']>): readonly IndexedMemory[] {
    requireCount(options.limit)
    return this.inSnapshot(() => memoriesOf(this.db, entityId, options))
  }

  /** @throws {RangeError} as `top`; an end of the range that is no number */
  chronology(...[range, limit]: Parameters<IndexReader['chronology']>): readonly ChronologyRecord[] {
    requireCount(limit)
    return chronologyOf(this.db, range, limit)
  }

  /** @param at  epoch milliseconds */
  countAccess(ids: readonly string[], at: number): void {
    countAccesses(this.db, ids, at)
  }

  embeddable(query: string): string {
    const { lexicalWeight } = this.calibration() ?? UNCALIBRATED
    return lexicalWeight === 0
      ? query
      : withoutNames(
          query,
          this.withCandidates((source) => namedAuthors(source, query)),
        )
  }

  countMissingVectors(): number {
    return countMissingVectors(this.db)
  }

  get(id: string): IndexedMemory | undefined {
    return this.select(`where id = ? and ${COUNTED}`, id)[0]
  }

  findByContentHash(hash: string): IndexedMemory[] {
    return this.select(`where content_hash = ? and ${COUNTED} order by created_at, id`, hash)
  }

  findByContentId(contentId: string): IndexedMemory[] {
    return this.select(`where content_id = ? and ${COUNTED} order by created_at, id`, contentId)
  }

  listFile(file: string): IndexedMemory[] {
    return this.select(`where file = ? and ${COUNTED} order by position`, file)
  }

  /** What took the place of a memory, and when (FMT-8). */
  supersessionOf(id: string): Supersession | undefined {
    return prepared<[string], Supersession>(this.db, 'select by_id as "by", at from supersessions where id = ?').get(id)
  }

  /** Memories whose place this one took, the earliest first. */
  predecessorsOf(id: string): Predecessor[] {
    return prepared<[string], Predecessor>(
      this.db,
      'select id, at from supersessions where by_id = ? order by at, id',
    ).all(id)
  }

  /** @throws {RangeError} `limit` outside 1..50, a floor that is no cosine, or a vector that is none of this index */
  nearest(vector: Float32Array, options: { readonly limit: number; readonly floor: number }): NearMemory[] {
    requireLimit(options.limit)
    if (!(Math.abs(options.floor) <= 1)) throw new RangeError('The floor is a cosine, -1..1.')
    requireSoundVectors([vector], dimensionOf(this.db))
    // Not within the snapshot: what an error there would undo is the log of changes that the codes follow.
    const possible = this.inMemory.codes?.above(vector, options.floor)
    return this.inSnapshot(() => nearMemories(this.db, vector, options, possible))
  }

  /** @throws {RangeError} `limit` outside 1..50 */
  aboutEntities(
    entityIds: readonly string[],
    options: { readonly factKeys: readonly string[]; readonly limit: number },
  ): IndexedMemory[] {
    requireLimit(options.limit)
    return memoriesAbout(this.db, entityIds, options)
  }

  /** @throws {RangeError} `limit` is no whole number from 1 */
  top(limit: number): IndexedMemory[] {
    requireCount(limit)
    return this.select('where is_searchable = 1 order by salience desc, created_at desc, id limit ?', limit)
  }

  stats(generation: string): IndexStats {
    return this.inSnapshot(() => {
      const byStatus: Record<MemoryStatus, number> = {
        open: 0,
        done: 0,
        migrated: 0,
        scheduled: 0,
        dropped: 0,
        invalidated: 0,
      }
      const byType: Record<MemoryType, number> = { note: 0, event: 0, task: 0 }
      let memories = 0
      const groups = prepared<[], { status: MemoryStatus; type: MemoryType; count: number }>(
        this.db,
        `select status, type, count(*) as count from memories where ${COUNTED} group by status, type`,
      )
      for (const { status, type, count } of groups.all()) {
        byStatus[status] += count
        byType[type] += count
        memories += count
      }
      return {
        memories,
        byStatus,
        byType,
        conversations: this.count(`select count(distinct conversation_id) from memories where ${COUNTED}`),
        dayFiles: this.count('select count(*) from files'),
        vectors: countVectors(this.db),
        missingVectors: countMissingVectors(this.db),
        entities: this.count('select count(*) from entities'),
        relations: this.count('select count(*) from relations'),
        associations: this.count('select count(*) from associations'),
        threads: this.count('select count(*) from thread_edges'),
        superseded: this.count(`select count(*) from memories join supersessions using (id) where ${COUNTED}`),
        bytes: this.count('pragma page_count') * this.count('pragma page_size'),
        generation,
      }
    })
  }

  /** A transaction, so that all of an answer comes from one state; no `await` can be inside. */
  private inSnapshot<T>(read: () => T): T {
    return this.db.inTransaction ? read() : (this.snapshot.deferred(read) as T)
  }

  /** Asks candidates within one snapshot. What is not yet committed may still be undone: no sidecar follows it. */
  private withCandidates<T>(ask: (source: CandidateSource) => T): T
  /** @param isWanted  of so many memories; where it is not, nothing is asked */
  private withCandidates<T>(ask: (source: CandidateSource) => T, isWanted: (records: number) => boolean): T | undefined
  private withCandidates<T>(
    ask: (source: CandidateSource) => T,
    isWanted: (records: number) => boolean = () => true,
  ): T | undefined {
    const isCommitted = !this.db.inTransaction
    return this.inSnapshot(() => {
      const records = this.recordCount()
      if (!isWanted(records)) return undefined
      const exact = exactSource(this.db, records)
      const sidecar = isCommitted ? this.inMemory.sidecar : undefined
      return sidecar === undefined ? ask(exact) : sidecar.ask(records, exact, ask)
    })
  }

  private select(rest: string, value: string | number): IndexedMemory[] {
    return prepared<[string | number], MemoryRow>(this.db, `select ${ROW_COLUMNS} from memories ${rest}`)
      .all(value)
      .map(toIndexedMemory)
  }

  private count(sql: string): number {
    return prepared<[], number>(this.db, sql).pluck().get() ?? 0
  }

  /** Memories that can be found. */
  recordCount(): number {
    return indexedRecords(this.db)
  }
}
