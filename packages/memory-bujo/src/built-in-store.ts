import {
  createCanonicalQueue,
  openDayFiles,
  StoreError,
  type Admission,
  type ChronologyRequest,
  type ChronologySnapshot,
  type CompletedTurn,
  type FlushReport,
  type LoadedContext,
  type LoadRequest,
  type MemoryLookup,
  type Remembered,
  type RememberRequest,
  type RecallOptions,
  type RecallOutcome,
  type StoreCapabilities,
  type TurnStatus,
} from '@mono-agent/memory-store'
import { validateTurn } from '@mono-agent/memory-intake'
import { SearchError, type SearchIndex } from '@mono-agent/memory-search'
import { setMaxListeners } from 'node:events'
import { monotonicFactory } from 'ulid'
import { skipReason } from './admission-gate.js'
import { AccessLog } from './access-log.js'
import { capabilitiesOf } from './capabilities.js'
import { CanonicalWriter } from './canonical-writer.js'
import type { MemoryConfig } from './config.js'
import { BujoError } from './errors.js'
import { createEvents, type Events } from './events.js'
import type { Host } from './host.js'
import { openCaughtUpIndex } from './open-index.js'
import { closeRoot, openRoot, type OpenRoot } from './open-root.js'
import { failureCode } from './projection/failure.js'
import { createRecall, type Recall } from './recall/create-recall.js'
import type { LookUpOptions } from './recall/recall-request.js'
import { recallSettingsOf } from './recall/recall-settings.js'
import { remember } from './remember/remember.js'
import type { RuntimeSnapshot } from './runtime-snapshot.js'
import { createSnapshotPublisher, type SnapshotPublisher } from './snapshot-publisher.js'
import { FILL_WARNING, takeSnapshot } from './take-snapshot.js'
import type { Tier, TurnWork } from './tiers/tier.js'
import type { BuiltInMemoryStore } from './types.js'
import { calibrateModel } from './vectors/calibrate-model.js'
import { createVectorQueue, type VectorQueue } from './vectors/vector-queue.js'

/** Files that this store did not just write are looked at this often (FMT-13). */
const LOOK_INTERVAL_MS = 60_000
/** Draining ends after this long; what is not projected by then waits for the next opening. */
const CLOSE_LIMIT_MS = 10_000

interface Parts {
  readonly config: MemoryConfig
  readonly tier: Tier
  readonly host: Host
  readonly events: Events
  readonly opened: OpenRoot
  readonly index: SearchIndex
  readonly writer: CanonicalWriter
  readonly work: TurnWork
  /** In tiers with embeddings. */
  readonly vectors: VectorQueue | undefined
  /** Ends waiting for a file that a person keeps saving, when the store must close. */
  readonly closing: AbortController
}

/** Opens the store of a tier for writing; what a crash left is recovered when it resolves. */
export async function openBuiltInStore(config: MemoryConfig, tier: Tier, host: Host): Promise<BuiltInMemoryStore> {
  const events = createEvents(host)
  const tellFailure = (error: unknown): void => events.emit({ kind: 'background_error', code: failureCode(error) })
  let store: BuiltInStore | undefined
  const opened = await openRoot({
    path: config.path,
    identity: tier.identity,
    host,
    onIntakeChange: () => store?.intakeChanged(),
    onBackgroundError: tellFailure,
  })
  const { root, lease, intake } = opened
  let index: SearchIndex | undefined
  try {
    const authorityCover = await tier.authorityCover?.({ root, fs: host.fs, lease, intake })
    index = await openCaughtUpIndex(
      {
        root,
        fs: host.fs,
        lease,
        identity: tier.identity,
        now: host.now,
        startsAside: true, // an agent that opens a store will recall, and its first question need not wait
        onThreadFailed: tellFailure,
        onSidecarFault: tellFailure,
        ...(authorityCover === undefined ? {} : { authorityCover }),
      },
      events,
    )
    const closing = new AbortController()
    setMaxListeners(0, closing.signal) // one for each day file that is waited for
    const rows = index
    const dayFiles = openDayFiles({
      root,
      fs: host.fs,
      lease,
      monotonicNow: host.monotonicNow,
      indexedIds: (file) => rows.listFile(file).map(({ id }) => id),
      assertDailyInPlace: () => rows.assertDailyInPlace(),
      sleep: async (ms) => {
        await host.sleep(ms, { signal: closing.signal, keepsProcessAlive: true })
        if (closing.signal.aborted) throw new StoreError('file_busy', 'The store is closing; the day file stays due.')
      },
    })
    const ensureCalibrated = calibrationOf(tier, index)
    const vectors = vectorQueueOf(tier, index, ensureCalibrated, events, host)
    const writer = new CanonicalWriter({
      dayFiles,
      index,
      queue: createCanonicalQueue(),
      events,
      onIndexed: () => vectors?.wake(),
    })
    const work = await tier.openWork({ root, fs: host.fs, lease, intake, index, writer, events, ensureCalibrated })
    store = new BuiltInStore({ config, tier, host, events, opened, index, writer, work, vectors, closing })
    store.start()
    return store
  } catch (error) {
    await index?.stopAside() // its thread may write while the lease is held, and no longer
    index?.close()
    await closeRoot(opened)
    throw error
  }
}

/** Measures the model once, whoever needs that first. */
function calibrationOf({ embed }: Tier, index: SearchIndex): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    if (embed === undefined || index.calibration() !== undefined) return
    await index.setCalibration(await calibrateModel(embed, signal))
  }
}

/** Nothing in lite, which has no vectors. */
function vectorQueueOf(
  { embed }: Tier,
  index: SearchIndex,
  prepare: (signal: AbortSignal) => Promise<void>,
  events: Events,
  host: Host,
): VectorQueue | undefined {
  return embed === undefined ? undefined : createVectorQueue({ index, embed, prepare, events }, host)
}

class BuiltInStore implements BuiltInMemoryStore {
  #state: RuntimeSnapshot['state'] = 'open'
  #closed: Promise<void> | undefined
  #hasWarnedOfFill = false
  /** What the last snapshot says, when the index is closed already. */
  #waitingAtClose: number | undefined
  readonly #openedAt: string
  readonly #inFlight = new Set<Promise<unknown>>()
  readonly #publisher: SnapshotPublisher
  readonly #newId: (now: number) => string
  readonly #look: NodeJS.Timeout
  readonly #recall: Recall
  readonly #accesses = new AccessLog((ids) => this.#countAccesses(ids))
  readonly capabilities: StoreCapabilities

  constructor(private readonly parts: Parts) {
    const { config, tier, host, opened } = parts
    const { now, timeZone } = host
    this.#recall = createRecall({ tier, settings: recallSettingsOf(config), now, timeZone, maxBytes: config.maxBytes })
    this.capabilities = capabilitiesOf(config)
    this.#openedAt = new Date(host.now()).toISOString()
    this.#newId = monotonicFactory(() => randomFraction(host))
    this.#publisher = createSnapshotPublisher({
      root: opened.root,
      fs: host.fs,
      lease: opened.lease,
      take: () => this.snapshot(),
    })
    this.#look = setInterval(() => void this.#lookAtFiles(), LOOK_INTERVAL_MS).unref()
  }

  start(): void {
    const { opened, events, work, vectors } = this.parts
    const { unaccounted } = opened.intake.snapshot()
    if (unaccounted > 0) events.emit({ kind: 'intake_unaccounted', entries: unaccounted })
    this.intakeChanged()
    work.wake()
    vectors?.wake()
  }

  intakeChanged(): void {
    const { opened, events } = this.parts
    const { fill } = opened.intake.snapshot()
    if (fill >= FILL_WARNING && !this.#hasWarnedOfFill) events.emit({ kind: 'intake_filling', fill })
    this.#hasWarnedOfFill = fill >= FILL_WARNING
    this.#publisher.changed()
  }

  async persistCompletedTurn(turn: CompletedTurn): Promise<Admission> {
    return this.#call(async () => {
      const { config, opened, work } = this.parts
      const valid = validateTurn(turn)
      const reason = skipReason(valid, config)
      if (reason !== undefined) return { status: 'skipped', reason }
      const admission = await opened.intake.admit(valid)
      work.wake()
      return admission
    })
  }

  async turnStatus(runId: string): Promise<TurnStatus> {
    return this.#call(() => this.parts.opened.intake.turnStatus(runId))
  }

  async whenSettled(runId: string, options: { readonly signal?: AbortSignal } = {}): Promise<TurnStatus> {
    this.#assertOpen()
    return this.parts.opened.intake.whenSettled(runId, options) // not in flight: it may wait for hours, closing ends it
  }

  async remember(request: RememberRequest): Promise<Remembered> {
    return this.#call(() => {
      const { config, writer, index, host, opened, work } = this.parts
      if (config.writeMode === 'disabled') {
        throw new BujoError('write_disabled', 'The store is open with writeMode `disabled`. Nothing was written.', {
          outcome: 'not_written',
        })
      }
      return remember(
        {
          ...{ tier: config.mode, writer, index, lease: opened.lease, now: host.now, newId: this.#newId },
          ...(work.plannedWrites === undefined ? {} : { plannedWrites: work.plannedWrites }),
          vantage: { timeZone: host.timeZone, intentExpiry: recallSettingsOf(config).intentExpiry },
        },
        request,
      )
    })
  }

  async recallWithOutcome(query: string, options: RecallOptions = {}): Promise<RecallOutcome> {
    return this.#call(() => this.#recall.recallWithOutcome(this.parts.index, query, options))
  }

  async load(request: LoadRequest): Promise<LoadedContext> {
    return this.#call(() => this.#recall.load(this.parts.index, request))
  }

  async lookUp(query: string, options: LookUpOptions = {}): Promise<MemoryLookup> {
    return this.#call(() => this.#recall.lookUp(this.parts.index, query, options))
  }

  async chronology(request: ChronologyRequest): Promise<ChronologySnapshot> {
    return this.#call(() => this.#recall.chronology(this.parts.index, request))
  }

  noteAccess(ids: readonly string[]): void {
    this.#assertOpen()
    this.#accesses.note(ids)
  }

  async flush(): Promise<FlushReport> {
    return this.#call(async () => {
      await this.parts.work.flush()
      // Sent in bulk, turns come faster than checkpoints fold them in: whoever flushes waits for that as well.
      if (this.parts.opened.intake.isCheckpointOverdue()) await this.parts.opened.intake.checkpoint()
      const { opened, index, vectors } = this.parts
      await vectors?.drain()
      this.#accesses.flush()
      const { pending, dead } = opened.intake.snapshot()
      return { pending, dead, ...(vectors === undefined ? {} : { missingVectors: index.countMissingVectors() }) }
    })
  }

  async consolidate(): Promise<void> {
    this.#assertOpen()
    const { mode } = this.parts.config
    const why =
      mode === 'bujo'
        ? 'This version does not refresh the projections for people yet.'
        : `consolidate belongs to bujo; this store is ${mode}.`
    return Promise.reject(new BujoError('unsupported_in_tier', `${why} Nothing was changed.`))
  }

  snapshot(): RuntimeSnapshot {
    return takeSnapshot(this.parts, {
      state: this.#state,
      openedAt: this.#openedAt,
      publishedAt: new Date(this.parts.host.now()).toISOString(),
      snapshotFailures: this.#publisher.failures(),
      waitingVectors: this.#waitingVectors(),
    })
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  async #close(): Promise<void> {
    const { host, tier, opened, index, work, vectors, closing } = this.parts
    this.#state = 'closing'
    clearInterval(this.#look)
    const limit = new AbortController()
    const drained = Promise.allSettled(this.#inFlight).then(() => work.flush())
    await Promise.race([drained, host.sleep(CLOSE_LIMIT_MS, { signal: limit.signal, keepsProcessAlive: true })])
    limit.abort()
    closing.abort()
    tier.stop?.()
    await work.stop()
    await vectors?.stop()
    this.#waitingAtClose = this.#waitingVectors()
    this.#accesses.flush()
    await Promise.allSettled([drained, ...this.#inFlight])
    const failures: unknown[] = []
    const attempt = async (step: () => void | Promise<void>): Promise<void> => {
      try {
        await step()
      } catch (error) {
        failures.push(error) // whatever fails, the rest is still let go of; the first failure is told at the end
      }
    }
    await attempt(() => index.stopAside())
    await attempt(() => index.close())
    this.#state = 'closed'
    await attempt(() => this.#publisher.stop())
    await attempt(() => closeRoot(opened))
    if (failures.length > 0) throw failures[0]
  }

  /** Looks once a minute at what a person may have changed; a fault is tried again with the next look. */
  async #lookAtFiles(): Promise<void> {
    this.#accesses.flush()
    try {
      await this.parts.writer.exclusive(async () => {
        if (this.#state === 'open') await this.parts.writer.catchUp()
      })
    } catch (error) {
      this.parts.events.emit({ kind: 'background_error', code: failureCode(error) })
    }
  }

  /** Telemetry: where it cannot be kept, what it is about stands all the same. */
  #countAccesses(ids: readonly string[]): void {
    try {
      this.parts.index.countAccess(ids)
    } catch (error) {
      if (!(error instanceof SearchError)) throw error
      this.parts.events.emit({ kind: 'background_error', code: error.code })
    }
  }

  /** The index may be what is broken: a snapshot must still be possible, and says nothing then. */
  #waitingVectors(): number {
    if (this.#waitingAtClose !== undefined) return this.#waitingAtClose
    try {
      return this.parts.index.countMissingVectors()
    } catch (error) {
      if (error instanceof SearchError) return 0
      throw error
    }
  }

  /** Runs one call that `close` waits for. */
  async #call<T>(work: () => Promise<T>): Promise<T> {
    this.#assertOpen()
    const running = work()
    this.#inFlight.add(running)
    try {
      return await running
    } finally {
      this.#inFlight.delete(running)
    }
  }

  #assertOpen(): void {
    if (this.#state === 'open') return
    throw new StoreError('store_closed', 'The store was closed before this call. Nothing was written. Open it again.', {
      outcome: 'not_written',
    })
  }
}

/** Uniform in [0, 1), from the host's randomness. */
function randomFraction(host: Host): number {
  return Buffer.from(host.randomBytes(4)).readUInt32BE(0) / 2 ** 32
}
