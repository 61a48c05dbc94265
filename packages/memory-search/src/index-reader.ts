import {
  errnoOf,
  identityOf,
  layout,
  onDisk,
  sameIdentity,
  type FileIdentity,
  type FileSystem,
  listDayFiles,
} from '@mono-agent/memory-store'
import { join } from 'node:path'
import { authorityPlaceOf, isAuthorityStale, requireOwnTables } from './authority-drift.js'
import type { Calibration } from './calibration/calibration.js'
import { lookAt } from './canonical/day-sources.js'
import { differs, mustRead } from './canonical/drift.js'
import { SearchError, searchError } from './errors.js'
import { databaseIdentityOf, requireDatabaseIdentity } from './generation/database-identity.js'
import { hasDatabase, obstructionOf } from './generation/directories.js'
import { requireIdentity } from './generation/identity.js'
import { loadManifest } from './generation/manifest.js'
import { openRankings, type Rankings } from './aside/open-rankings.js'
import type { AsideRanking } from './aside/rank-aside.js'
import { IndexQueries } from './index-queries.js'
import { ANALYZER } from './query/analyzer.js'
import { connectReader, loadVectorFunctions, type Connection } from './sqlite/connection.js'
import { recordedFiles } from './sqlite/file-table.js'
import { SCHEMA_VERSION, schemaVersionOf } from './sqlite/schema.js'
import { onIndex } from './sqlite/sqlite-error.js'
import type { IndexReader, OpenIndexOptions, OpenReaderOptions, Ranking, SearchRequest } from './types.js'

interface Opened {
  readonly db: Connection
  readonly queries: IndexQueries
  readonly generation: string
  readonly manifest: FileIdentity
  readonly calibration: Calibration | undefined
  readonly rankings: Rankings
}

const lookAtManifest = (fs: FileSystem, root: string): FileIdentity | undefined => {
  const path = join(root, layout.manifest)
  const stat = onDisk('look at', path, () => {
    try {
      return fs.lstat(path)
    } catch (error) {
      if (errnoOf(error) === 'ENOTDIR') return undefined // opening says what is in the way
      throw error
    }
  })
  return stat === undefined ? undefined : identityOf(stat)
}

/**
 * Opens what the manifest names. A rebuild may replace the manifest and remove that generation in between: then what it
 * names now is opened. The look comes first: a manifest that is replaced while it is read is noticed by the next query.
 */
function open(options: OpenReaderOptions): Opened {
  for (;;) {
    const look = lookAtManifest(options.fs, options.root)
    try {
      return openAt(look, options)
    } catch (error) {
      if (sameIdentity(lookAtManifest(options.fs, options.root), look)) throw error
    }
  }
}

function openAt(look: FileIdentity | undefined, options: OpenReaderOptions): Opened {
  const { fs, root, identity } = options
  const manifest = loadManifest(fs, root)
  if (look === undefined || manifest === undefined) throw searchError('manifest_missing')
  requireIdentity(manifest.identity, identity)
  // Tokens made in another way than the query's would not be found, silently.
  if (manifest.analyzer !== ANALYZER) throw searchError('metadata_mismatch', 'analyzer')
  const path = join(root, layout.database(manifest.generation))
  if (!hasDatabase(fs, root, manifest.generation)) throw searchError('database_missing')
  const db = onIndex(() => connectReader(path))
  try {
    onIndex(() => requireDatabaseIdentity(db, databaseIdentityOf(manifest)))
    onIndex(() => {
      // A reader cannot migrate; opened for writing once, the index has all tables.
      if (schemaVersionOf(db) < SCHEMA_VERSION) throw searchError('index_older')
      requireOwnTables(db, identity)
    })
    if (manifest.identity.dimension !== undefined) loadVectorFunctions(db)
    const calibration = options.calibration ?? manifest.calibration
    const { generation } = manifest
    const rankings = openRankings(db, generation, options)
    const queries = new IndexQueries(db, identity.tier, () => calibration, { sidecar: rankings.sidecar })
    return { db, queries, generation, manifest: look, calibration, rankings }
  } catch (error) {
    db.close()
    throw error
  }
}

class ReadOnlyIndex implements IndexReader {
  private opened: Opened | undefined
  private isClosed = false
  /** Of generations that were replaced, as long as they have something to answer. */
  private readonly former = new Set<AsideRanking>()

  constructor(private readonly options: OpenReaderOptions) {
    this.opened = open(options)
  }

  search(request: SearchRequest) {
    return this.ask(({ queries }) => queries.search(request))
  }
  embeddable(query: string) {
    return this.ask(({ queries }) => queries.embeddable(query))
  }
  countMissingVectors() {
    return this.ask(({ queries }) => queries.countMissingVectors())
  }
  calibration() {
    return this.ask(({ calibration }) => calibration)
  }
  get(id: string) {
    return this.ask(({ queries }) => queries.get(id))
  }
  findByContentHash(hash: string) {
    return this.ask(({ queries }) => queries.findByContentHash(hash))
  }
  findByContentId(contentId: string) {
    return this.ask(({ queries }) => queries.findByContentId(contentId))
  }
  listFile(file: string) {
    return this.ask(({ queries }) => queries.listFile(file))
  }
  rank(...asked: Parameters<IndexReader['rank']>) {
    return this.ask(({ queries }) => queries.rank(...asked))
  }
  endedSince(...asked: Parameters<IndexReader['endedSince']>) {
    return this.ask(({ queries }) => queries.endedSince(...asked))
  }
  entitiesNamed(...asked: Parameters<IndexReader['entitiesNamed']>) {
    return this.ask(({ queries }) => queries.entitiesNamed(...asked))
  }
  entity(...asked: Parameters<IndexReader['entity']>) {
    return this.ask(({ queries }) => queries.entity(...asked))
  }
  entitiesOf(...asked: Parameters<IndexReader['entitiesOf']>) {
    return this.ask(({ queries }) => queries.entitiesOf(...asked))
  }
  factsAbout(...asked: Parameters<IndexReader['factsAbout']>) {
    return this.ask(({ queries }) => queries.factsAbout(...asked))
  }
  labelled(...asked: Parameters<IndexReader['labelled']>) {
    return this.ask(({ queries }) => queries.labelled(...asked))
  }
  related(...asked: Parameters<IndexReader['related']>) {
    return this.ask(({ queries }) => queries.related(...asked, this.options.now()))
  }
  memoriesOf(...asked: Parameters<IndexReader['memoriesOf']>) {
    return this.ask(({ queries }) => queries.memoriesOf(...asked))
  }
  chronology(...asked: Parameters<IndexReader['chronology']>) {
    return this.ask(({ queries }) => queries.chronology(...asked))
  }
  async rankAside(...[request, options]: Parameters<IndexReader['rankAside']>): Promise<Ranking> {
    const opened = this.current()
    const { rankings, generation, calibration } = opened
    const here = {
      rank: () => this.rank(request),
      rankIfFast: (below: number) => this.askOf(opened, ({ queries }) => queries.rankIfFast(request, below)),
    }
    try {
      return await rankings.aside.rank(request, calibration, here, options?.signal)
    } catch (error) {
      options?.signal?.throwIfAborted()
      if (error instanceof SearchError && error.code === 'index_closed') throw error
      // The thread opens the database when it is first asked; rebuilds may have removed that generation by then.
      if (this.ask((opened) => opened.rankings !== rankings)) return this.rankAside(request, options)
      throw this.explained(error, generation)
    }
  }
  async warmRankings() {
    const { rankings, memories } = this.ask(({ queries, ...opened }) => ({
      ...opened,
      memories: queries.recordCount(),
    }))
    await rankings.warm(memories)
  }
  async stopAside() {
    this.opened?.rankings.sidecar.stop()
    const all = [...this.former, ...(this.opened === undefined ? [] : [this.opened.rankings.aside])]
    await Promise.all(all.map((aside) => aside.stop()))
  }
  nearest(...asked: Parameters<IndexReader['nearest']>) {
    return this.ask(({ queries }) => queries.nearest(...asked))
  }
  aboutEntities(...asked: Parameters<IndexReader['aboutEntities']>) {
    return this.ask(({ queries }) => queries.aboutEntities(...asked))
  }
  supersessionOf(id: string) {
    return this.ask(({ queries }) => queries.supersessionOf(id))
  }
  predecessorsOf(id: string) {
    return this.ask(({ queries }) => queries.predecessorsOf(id))
  }
  top(limit: number) {
    return this.ask(({ queries }) => queries.top(limit))
  }
  stats() {
    return this.ask(({ queries, generation }) => queries.stats(generation))
  }
  isStale(): boolean {
    return this.ask(({ db }) => isStale(this.options, db))
  }

  close(): void {
    this.isClosed = true
    this.letGo()
  }

  /** The thread of a generation that is not asked any more answers what it was asked, and ends. */
  private letGo(): void {
    if (this.opened === undefined) return
    const { rankings, db } = this.opened
    const { aside, sidecar } = rankings
    sidecar.stop()
    this.former.add(aside)
    void aside.retire().then(() => this.former.delete(aside))
    db.close()
    this.opened = undefined
  }

  private ask<T>(question: (opened: Opened) => T): T {
    return this.askOf(this.current(), question)
  }

  /** One lstat before each question: a new generation is opened, the former one is let go. */
  private current(): Opened {
    if (this.isClosed) throw searchError('index_closed')
    const look = lookAtManifest(this.options.fs, this.options.root)
    if (this.opened === undefined || !sameIdentity(look, this.opened.manifest)) {
      this.letGo()
      this.opened = open(this.options)
    }
    return this.opened
  }

  private askOf<T>(opened: Opened, question: (opened: Opened) => T): T {
    try {
      return onIndex(() => question(opened))
    } catch (error) {
      throw this.explained(error, opened.generation)
    }
  }

  private explained(error: unknown, generation: string): unknown {
    if (!(error instanceof SearchError) || error.code !== 'index_failed') return error
    return obstructionOf(this.options.fs, this.options.root, generation) ?? error
  }
}

/** True when canonical files on disk differ from what the rows were made from. */
export function isStale(options: Pick<OpenIndexOptions, 'fs' | 'root' | 'identity'>, db: Connection): boolean {
  const { fs, root } = options
  const place = authorityPlaceOf(options)
  if (place !== undefined && isAuthorityStale(db, place)) return true
  const recorded = recordedFiles(db)
  const paths = listDayFiles(fs, root)
  if (paths.length !== recorded.size) return true
  return paths.some((path) => {
    const found = lookAt(fs, root, path)
    const record = recorded.get(path)
    return found === undefined || (mustRead(found, record) && differs(fs, root, path, record))
  })
}

/**
 * Opens the active index for reading, in any process, beside a writer or not; takes no lease and writes nothing. A new
 * generation is followed by itself. Close it when done.
 * @throws {SearchError} manifest_missing, manifest_invalid, configured_identity_mismatch, database_missing,
 *   metadata_mismatch, index_newer, index_older, sqlite_integrity_failed, index_busy, index_failed  @throws {StoreError}
 */
export const openIndexReader = (options: OpenReaderOptions): IndexReader => new ReadOnlyIndex(options)
