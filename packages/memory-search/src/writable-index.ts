import type { Calibration } from './calibration/calibration.js'
import { missingVectors, requireSoundVectors, writeVectors, type NewVector } from './sqlite/vector-rows.js'
import { errnoOf, layout, onDisk, storageError, type DayFileState, type FileStat } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { requireDaily } from './canonical/daily-directory.js'
import { authorityPlaceOf, recordAuthority, requireAuthorityInPlace, requireOwnTables } from './authority-drift.js'
import type { AuthorityGroup, AuthorityPlace } from './canonical/authority-files.js'
import { openRankings, type Rankings } from './aside/open-rankings.js'
import { analyzeChanges, catchUp } from './catch-up.js'
import { SearchError, searchError } from './errors.js'
import { buildIndex, yieldOf } from './generation/build.js'
import { databaseIdentityOf, requireDatabaseIdentity } from './generation/database-identity.js'
import { hasDatabase, obstructionOf, removeOtherGenerations } from './generation/directories.js'
import { loadUsableManifest, requireIdentity } from './generation/identity.js'
import { publishManifest, type Manifest } from './generation/manifest.js'
import { withoutOffer } from './generation/previous.js'
import { IndexQueries } from './index-queries.js'
import { isStale } from './index-reader.js'
import { NearVectors } from './near/near-vectors.js'
import { ANALYZER } from './query/analyzer.js'
import { removeSidecarTemporaries } from './sidecar/index.js'
import { applyChanges } from './sqlite/apply-changes.js'
import { beginEpoch } from './sqlite/change-log.js'
import { beginWriting, closeWriter, connectWriter, loadVectorFunctions, type Connection } from './sqlite/connection.js'
import { BodyTexts } from './sqlite/body-texts.js'
import { changesOfState } from './sqlite/file-changes.js'
import { writeDaily, writeFileRow } from './sqlite/file-table.js'
import { migrate } from './sqlite/schema.js'
import { onIndex, onIndexAsync } from './sqlite/sqlite-error.js'
import type { CapturedAuthority, CatchUpReport, SearchRequest, OpenWritableIndexOptions, SearchIndex } from './types.js'

class WritableIndex implements SearchIndex {
  private readonly queries: IndexQueries
  private readonly codes: NearVectors
  private readonly rankings: Rankings
  private isClosed = false
  private isDamaged = false
  /** Words that `prepare` found, for the next `record`. */
  private analyzed: BodyTexts | undefined
  /** Where graph and replay authority are; bujo. */
  private place: AuthorityPlace | undefined
  /** The lifecycle is compared with its files once an opening; after that what was written here is believed. */
  private unverified: ReadonlySet<AuthorityGroup> = new Set(['replay'])
  private manifestChanges: Promise<void> = Promise.resolve()
  private readonly file: FileStat | undefined

  constructor(
    private readonly db: Connection,
    private manifest: Manifest,
    private readonly options: OpenWritableIndexOptions,
  ) {
    this.codes = new NearVectors(db)
    this.rankings = openRankings(db, manifest.generation, options, options.lease)
    this.queries = new IndexQueries(db, manifest.identity.tier, () => this.manifest.calibration, {
      codes: this.codes,
      sidecar: this.rankings.sidecar,
    })
    this.file = this.lookAtFile()
    this.place = authorityPlaceOf(options)
  }

  search(request: SearchRequest) {
    return this.ask(() => this.queries.search(request))
  }
  embeddable(query: string) {
    return this.ask(() => this.queries.embeddable(query))
  }
  calibration() {
    return this.manifest.calibration
  }
  countMissingVectors() {
    return this.ask(() => this.queries.countMissingVectors())
  }
  get(id: string) {
    return this.ask(() => this.queries.get(id))
  }
  findByContentHash(hash: string) {
    return this.ask(() => this.queries.findByContentHash(hash))
  }
  findByContentId(contentId: string) {
    return this.ask(() => this.queries.findByContentId(contentId))
  }
  listFile(file: string) {
    return this.ask(() => this.queries.listFile(file))
  }
  rank(...asked: Parameters<SearchIndex['rank']>) {
    return this.ask(() => this.queries.rank(...asked))
  }
  endedSince(...asked: Parameters<SearchIndex['endedSince']>) {
    return this.ask(() => this.queries.endedSince(...asked))
  }
  entitiesNamed(...asked: Parameters<SearchIndex['entitiesNamed']>) {
    return this.ask(() => this.queries.entitiesNamed(...asked))
  }
  entity(...asked: Parameters<SearchIndex['entity']>) {
    return this.ask(() => this.queries.entity(...asked))
  }
  entitiesOf(...asked: Parameters<SearchIndex['entitiesOf']>) {
    return this.ask(() => this.queries.entitiesOf(...asked))
  }
  factsAbout(...asked: Parameters<SearchIndex['factsAbout']>) {
    return this.ask(() => this.queries.factsAbout(...asked))
  }
  labelled(...asked: Parameters<SearchIndex['labelled']>) {
    return this.ask(() => this.queries.labelled(...asked))
  }
  related(...asked: Parameters<SearchIndex['related']>) {
    return this.ask(() => this.queries.related(...asked, this.options.now()))
  }
  memoriesOf(...asked: Parameters<SearchIndex['memoriesOf']>) {
    return this.ask(() => this.queries.memoriesOf(...asked))
  }
  chronology(...asked: Parameters<SearchIndex['chronology']>) {
    return this.ask(() => this.queries.chronology(...asked))
  }
  async rankAside(...[request, options]: Parameters<SearchIndex['rankAside']>) {
    const rankIfFast = (below: number) => this.ask(() => this.queries.rankIfFast(request, below))
    try {
      const here = { rank: () => this.rank(request), rankIfFast }
      return await this.rankings.aside.rank(request, this.calibration(), here, options?.signal)
    } catch (error) {
      throw this.explained(error)
    }
  }
  warmRankings() {
    return this.rankings.warm(this.ask(() => this.queries.recordCount()))
  }
  async stopAside() {
    const { aside, sidecar } = this.rankings
    sidecar.stop()
    await Promise.all([aside.stop(), sidecar.settled()])
  }
  countAccess(ids: readonly string[]) {
    this.ask(() => this.queries.countAccess(ids, this.options.now()))
  }
  nearest(...asked: Parameters<SearchIndex['nearest']>) {
    return this.ask(() => this.queries.nearest(...asked))
  }
  aboutEntities(...asked: Parameters<SearchIndex['aboutEntities']>) {
    return this.ask(() => this.queries.aboutEntities(...asked))
  }
  supersessionOf(id: string) {
    return this.ask(() => this.queries.supersessionOf(id))
  }
  predecessorsOf(id: string) {
    return this.ask(() => this.queries.predecessorsOf(id))
  }
  top(limit: number) {
    return this.ask(() => this.queries.top(limit))
  }
  stats() {
    return this.ask(() => this.queries.stats(this.manifest.generation))
  }
  isStale(): boolean {
    return this.ask(() => isStale(this.options, this.db))
  }

  async catchUp(files?: readonly string[]): Promise<CatchUpReport> {
    this.requireOpen()
    const { root, fs, now } = this.options
    const beforeChange = async (changed: 'days' | 'authority'): Promise<void> => {
      await this.retirePrevious(changed)
      this.requireOpen()
    }
    const authority =
      files === undefined && this.place !== undefined ? { place: this.place, verified: this.unverified } : {}
    // Closed while files were read: better-sqlite3 says so, and nothing was written.
    try {
      const report = await onIndexAsync(() =>
        catchUp(this.db, { root, fs, now, yieldTurn: this.checkedYield(), files, beforeChange, ...authority }),
      )
      if (files === undefined) this.unverified = new Set()
      return report
    } catch (error) {
      throw this.explained(error)
    }
  }

  assertDailyInPlace(): void {
    this.ask(() => requireDaily(this.db, this.options.fs, this.options.root))
  }

  assertAuthorityInPlace(): void {
    const { place } = this
    if (place !== undefined) this.ask(() => requireAuthorityInPlace(this.db, place))
  }

  async prepare(states: readonly DayFileState[]): Promise<void> {
    this.requireOpen()
    const changes = this.ask(() => states.map((state) => changesOfState(this.db, state)))
    const texts = new BodyTexts()
    await analyzeChanges(this.db, changes, texts, this.checkedYield())
    this.analyzed = texts
  }

  record(states: readonly DayFileState[], authority?: CapturedAuthority): void {
    if (authority !== undefined && this.place === undefined) throw new TypeError('Only bujo records graph and replay.')
    const texts = this.analyzed
    this.analyzed = undefined
    this.ask(() => {
      const { fs, root, now } = this.options
      const recordedAt = now()
      const daily = requireDaily(this.db, fs, root)
      this.db
        .transaction(() => {
          writeDaily(this.db, daily)
          applyChanges(
            this.db,
            states.map((state) => changesOfState(this.db, state)),
            texts,
          )
          for (const { file, identity, digest } of states) {
            writeFileRow(this.db, { path: file, identity, digest, recordedAt })
          }
          if (authority !== undefined) recordAuthority(this.db, { root, fs }, authority, recordedAt)
        })
        .immediate()
      // The plan that covered an end of a file was carried out: whatever anybody adds from now on counts.
      if (authority !== undefined && this.place !== undefined) this.place = { root, fs }
    })
  }

  async warmNearest(): Promise<void> {
    this.requireOpen()
    try {
      await onIndexAsync(() => this.codes.load(this.checkedYield()))
    } catch (error) {
      throw this.explained(error)
    }
  }

  missingVectors(after: number, limit: number) {
    return this.ask(() => missingVectors(this.db, after, limit))
  }

  writeVectors(vectors: readonly NewVector[]): number {
    return this.ask(() => {
      const made = vectors.map(({ vector }) => vector)
      requireSoundVectors(made, this.manifest.identity.dimension)
      return this.db.transaction(() => writeVectors(this.db, vectors)).immediate()
    })
  }

  setCalibration(calibration: Calibration): Promise<void> {
    this.requireOpen()
    return this.changeManifest((manifest) => ({ ...manifest, calibration }))
  }

  async retirePrevious(written: 'days' | 'authority' = 'days'): Promise<void> {
    this.requireOpen()
    const { previous } = this.manifest
    const isTouched = written === 'days' || previous?.identity.tier === 'bujo'
    if (previous?.isOffered === true && isTouched) await this.changeManifest(withoutOffer)
  }

  /** One change after the other: each is made to what the one before left. */
  private changeManifest(change: (manifest: Manifest) => Manifest): Promise<void> {
    const { fs, root, lease } = this.options
    const changed = this.manifestChanges.then(async () => {
      const manifest = change(this.manifest)
      await publishManifest(fs, lease, root, manifest)
      this.manifest = manifest
    })
    this.manifestChanges = changed.catch(() => undefined) // told to whoever asked for it; the next one may succeed
    return changed
  }

  close(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.rankings.sidecar.stop()
    try {
      this.explain(() => {
        onIndex(() => closeWriter(this.db))
        if (!this.isInPlace()) throw searchError('index_failed') // SQLite writes to a file that has no name any more
      })
    } finally {
      void this.rankings.aside.stop() // of whoever did not wait for it; else it has ended
      if (this.isDamaged && this.options.identity.tier === 'lite') this.retire()
    }
  }

  /** Of a damaged index the next opening would not know: without a manifest it builds a new one (OPS-5). */
  private retire(): void {
    const { fs, root, lease } = this.options
    lease.assertHeld()
    const manifest = join(root, layout.manifest)
    onDisk('remove', manifest, () => {
      if (fs.lstat(manifest) !== undefined) fs.remove(manifest)
    })
  }

  private requireOpen(): void {
    if (this.isClosed) throw searchError('index_closed')
  }

  /** After a wait the index may have been closed. */
  private checkedYield(): () => Promise<void> {
    const yieldTurn = yieldOf(this.options)
    return async () => {
      await yieldTurn()
      this.requireOpen()
    }
  }

  private ask<T>(question: () => T): T {
    this.requireOpen()
    return this.explain(() => onIndex(question))
  }

  private explain<T>(step: () => T): T {
    try {
      return step()
    } catch (error) {
      throw this.explained(error)
    }
  }

  /** Once its file is gone SQLite says anything but that; of damage, the end of the store must know. */
  private explained(error: unknown): unknown {
    if (!(error instanceof SearchError)) return error
    if (error.code === 'sqlite_integrity_failed') this.isDamaged = true
    if (error.code !== 'index_failed') return error
    if (!this.isInPlace()) return searchError('index_gone', undefined, error)
    return obstructionOf(this.options.fs, this.options.root, this.manifest.generation) ?? error
  }

  private isInPlace(): boolean {
    const now = this.lookAtFile()
    return now !== undefined && now.ino === this.file?.ino && now.dev === this.file.dev
  }

  private lookAtFile(): FileStat | undefined {
    const { fs, root } = this.options
    const path = join(root, layout.database(this.manifest.generation))
    try {
      return fs.lstat(path)
    } catch (error) {
      if (errnoOf(error) === 'ENOTDIR') return undefined // a file took the place of a directory on the way
      throw storageError(error, 'look at', path)
    }
  }
}

/** Faults of an index that a new build cures, since the Markdown holds everything (OPS-5). */
const CURED_BY_BUILD: ReadonlySet<string> = new Set([
  'manifest_missing',
  'database_missing',
  'metadata_mismatch',
  'sqlite_integrity_failed',
])

function openGeneration(options: OpenWritableIndexOptions, manifest: Manifest | undefined): WritableIndex {
  const { root, fs } = options
  if (manifest === undefined) throw searchError('manifest_missing')
  if (manifest.analyzer !== ANALYZER) throw searchError('metadata_mismatch', 'analyzer')
  const path = join(root, layout.database(manifest.generation))
  if (!hasDatabase(fs, root, manifest.generation)) throw searchError('database_missing')
  const db = onIndex(() => connectWriter(path))
  try {
    onIndex(() => {
      requireDatabaseIdentity(db, databaseIdentityOf(manifest))
      if (manifest.identity.dimension !== undefined) loadVectorFunctions(db)
      beginWriting(db)
      migrate(db)
      beginEpoch(db)
      requireOwnTables(db, manifest.identity)
    })
    removeSidecarTemporaries(fs, options.lease, join(root, layout.sidecar(manifest.generation)))
    return new WritableIndex(db, manifest, options)
  } catch (error) {
    db.close()
    const isGone =
      error instanceof SearchError && error.code === 'index_failed' && !hasDatabase(fs, root, manifest.generation)
    throw isGone ? searchError('database_missing', undefined, error) : error
  }
}

/**
 * Opens the active index for the writer of a root, who holds the lease. Where there is none that can be used, lite builds
 * it from the day files; other tiers are told (OPS-5). Generations that no manifest names are removed. The index is as it
 * was left: `catchUp` brings it up to the files. Close it before the lease is released.
 * @throws {SearchError} configured_identity_mismatch, index_newer and index_obstructed, before anything is written; for
 *   tiers other than lite also manifest_missing, manifest_invalid, database_missing, metadata_mismatch, sqlite_integrity_failed
 */
export async function openWritableIndex(options: OpenWritableIndexOptions): Promise<SearchIndex> {
  const { root, fs, identity, lease } = options
  const manifest = loadUsableManifest(fs, root, identity)
  if (manifest !== undefined) requireIdentity(manifest.identity, identity)
  lease.assertHeld()
  try {
    const index = openGeneration(options, manifest)
    removeOtherGenerations(fs, root, manifest)
    return index
  } catch (error) {
    if (identity.tier !== 'lite' || !(error instanceof SearchError) || !CURED_BY_BUILD.has(error.code)) throw error
  }
  await buildIndex({ ...options, mayBeEdited: true })
  return openGeneration(options, loadUsableManifest(fs, root, identity))
}
