import {
  checkOwned,
  layout,
  lineOfBullet,
  locateRoot,
  onDisk,
  parseDayFile,
  readPinned,
  type ChronologyRequest,
  type ChronologySnapshot,
  type FileSystem,
  type LoadedContext,
  type LoadRequest,
  type MemoryLookup,
  type RecallOptions,
  type StoreCapabilities,
} from '@mono-agent/memory-store'
import { readIntake } from '@mono-agent/memory-intake'
import { openIndexReader, type IndexedMemory, type IndexReader } from '@mono-agent/memory-search'
import { join } from 'node:path'
import { readerCapabilitiesOf } from './capabilities.js'
import { BujoError } from './errors.js'
import { readRuntimeSnapshot } from './runtime-snapshot.js'
import { completeHost } from './host.js'
import { createListings, type Listings } from './recall/create-listings.js'
import { createRecall, type Recall } from './recall/create-recall.js'
import type { LookUpOptions } from './recall/recall-request.js'
import { recallSettingsOf } from './recall/recall-settings.js'
import { hostPartsOf, readerConfig } from './reader-config.js'
import { readingTierOf } from './tiers/reading.js'
import type { ReadingTier } from './tiers/tier.js'
import type {
  IntentReview,
  LifeEvent,
  MemoryLife,
  MemoryReader,
  OwnerProfile,
  ReaderOptions,
  StoreStats,
} from './types.js'

/**
 * Opens a store for reading only, in any process, beside a running agent or not. Takes no lease and writes nothing.
 * The index is opened by the first call that needs it, and throws a `SearchError` where there is none that can be used.
 * @throws {BujoError} `root_missing`
 */
export async function openMemoryReader(options: ReaderOptions): Promise<MemoryReader> {
  const { path } = options
  const host = completeHost(hostPartsOf(options))
  const { fs, now } = host
  const config = readerConfig(options)
  const tier = readingTierOf(config, host)
  if (onDisk('look at', path, () => fs.lstat(path)) === undefined) {
    throw new BujoError(
      'root_missing',
      `There is no store at ${path}. Nothing was created. Check the path, or open it once for writing.`,
    )
  }
  const root = locateRoot(fs, path)
  checkOwned(fs, root, 'directory')
  const { timeZone } = host
  const parts = { tier, settings: recallSettingsOf(config), now, timeZone, maxBytes: config.maxBytes }
  const views = { recall: createRecall(parts), listings: createListings(parts) }
  return Promise.resolve(new BuiltInReader(root, fs, now, tier, views, readerCapabilitiesOf(config)))
}

class BuiltInReader implements MemoryReader {
  constructor(
    private readonly root: string,
    private readonly fs: FileSystem,
    private readonly now: () => number,
    private readonly tier: ReadingTier,
    private readonly views: { readonly recall: Recall; readonly listings: Listings },
    readonly capabilities: StoreCapabilities,
  ) {}

  #opened: IndexReader | undefined
  #getsReady = false

  /** Opened when it is first asked: what only concerns intake needs no index. @throws {SearchError} */
  get index(): IndexReader {
    const { root, fs, tier, now } = this
    return (this.#opened ??= openIndexReader({ root, fs, identity: tier.identity, now }))
  }

  /** For what ranks: a large store gets ready while the query is embedded. What keeps it from that, the ranking says. */
  get #ranking(): IndexReader {
    if (!this.#getsReady) void this.index.warmRankings().catch(() => undefined)
    this.#getsReady = true
    return this.index
  }

  async recallWithOutcome(query: string, options: RecallOptions = {}): ReturnType<MemoryReader['recallWithOutcome']> {
    const outcome = await this.views.recall.recallWithOutcome(this.#ranking, query, options)
    return { ...outcome, stale: this.index.isStale() }
  }

  async load(request: LoadRequest): Promise<LoadedContext> {
    return this.views.recall.load(this.index, request)
  }

  async lookUp(query: string, options: LookUpOptions = {}): Promise<MemoryLookup> {
    return this.views.recall.lookUp(this.#ranking, query, options)
  }

  async chronology(request: ChronologyRequest): Promise<ChronologySnapshot> {
    return this.views.recall.chronology(this.index, request)
  }

  async stats(): Promise<StoreStats> {
    const inspection = await this.inspect()
    const runtime = readRuntimeSnapshot(
      readPinned(this.fs, join(this.root, layout.runtime))?.bytes,
      this.now(),
      isAlive,
    )
    const calibration = this.index.calibration()
    return {
      ...this.index.stats(),
      mode: this.tier.identity.tier,
      stale: this.index.isStale(),
      intake: inspection.counts,
      ...(calibration === undefined ? {} : { calibration }),
      ...('snapshot' in runtime ? { runtime: runtime.snapshot } : {}),
    }
  }

  async show(day: string): ReturnType<MemoryReader['show']> {
    const files = [layout.olderDayFile(day), layout.dayFile(day)]
    const memories = files.flatMap((file) => this.index.listFile(file)).map(this.views.listings.listed)
    return Promise.resolve({ day, memories, stale: this.index.isStale() })
  }

  async top(
    limit: number,
    { withHistory = false }: { readonly withHistory?: boolean } = {},
  ): ReturnType<MemoryReader['top']> {
    return Promise.resolve(this.views.listings.top(this.index, limit, withHistory))
  }

  async profile(): Promise<OwnerProfile> {
    return Promise.resolve({ ...this.views.listings.ownerProfile(this.index), stale: this.index.isStale() })
  }

  async intentReview(): Promise<IntentReview> {
    return { ...(await this.views.listings.intentReview(this.index)), stale: this.index.isStale() }
  }

  async log(id: string): Promise<MemoryLife | undefined> {
    const memory = this.index.get(id)
    if (memory === undefined) return undefined
    const line = this.#lineOf(memory)
    return Promise.resolve({
      memory: this.views.listings.listed(memory),
      ...(line === undefined ? {} : { line }),
      history: historyOf(memory, this.index),
    })
  }

  inspect(id?: string): ReturnType<MemoryReader['inspect']> {
    return readIntake({ root: this.root, fs: this.fs, now: this.now }, id)
  }

  async close(): Promise<void> {
    this.tier.stop?.()
    await this.#opened?.stopAside()
    this.#opened?.close()
  }

  #lineOf(memory: IndexedMemory): number | undefined {
    const bytes = readPinned(this.fs, join(this.root, memory.file))?.bytes
    return bytes === undefined ? undefined : lineOfBullet(parseDayFile(bytes), memory.id)
  }
}

/** What is known of a memory's life, oldest first. */
function historyOf({ id, occurredAt, createdAt, dueAt, type }: IndexedMemory, index: IndexReader): LifeEvent[] {
  const history: LifeEvent[] = [{ at: createdAt, event: 'recorded' }]
  if (occurredAt !== undefined) history.push({ at: occurredAt, event: 'occurred' })
  if (dueAt !== undefined && type === 'event') history.push({ at: dueAt, event: 'ended' })
  for (const older of index.predecessorsOf(id)) history.push({ at: older.at, event: 'took_place', id: older.id })
  const successor = index.supersessionOf(id)
  if (successor !== undefined) history.push({ at: successor.at, event: 'superseded', id: successor.by })
  return history.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

/** Signal 0 asks whether the process is there; EPERM says that it is, under another user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
