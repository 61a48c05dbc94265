import type { CandidateSource } from '../candidates/candidate-source.js'
import { SearchError, searchError } from '../errors.js'
import { changedRows, lastChange } from '../sqlite/change-log.js'
import type { Connection } from '../sqlite/connection.js'
import { recordOf } from '../sqlite/sidecar-records.js'
import { buildMemory } from './build-memory.js'
import { CopyUnusable, type SealedCopy } from './sealed-copy.js'
import type { SidecarMemory } from './sidecar-memory.js'
import { sidecarSource } from './sidecar-source.js'

/** Records from which on a sidecar pays: the reference path takes two milliseconds there (bench/speed). */
export const SIDECAR_FROM = 256

/** Records read again between two yields: some five milliseconds. */
const SLICE = 100
/** Slots that may come or go before the sidecar is compacted and its copy written anew: this share of all, or so many. */
export const UNSEALED_SHARE = 1 / 64
export const MIN_UNSEALED = 200
/** The mean of the codes is taken anew when there are this many times the vectors that there were, up to so many. */
export const MEAN_GROWTH = 4
/** As if so many had been there at least: without any, a mean is taken where estimates begin to leave records out. */
const MIN_MEAN_OF = 64
const ENOUGH_FOR_MEAN = 16_384

export interface SidecarOptions {
  /** Of the vectors of the database; absent: it holds none. */
  readonly dimension?: number | undefined
  /** Where it is kept from one opening to the next; absent: nowhere. */
  readonly copy?: SealedCopy | undefined
  /** Records from which on it is worth its memory. */
  readonly from: number
  /** Records from which on it has its place elsewhere: in the thread of rankings. */
  readonly below: () => number
  /** Records that a question may have read again before it is answered: as long as whoever runs it may be held. */
  readonly followAtOnce: (records: number) => number
  readonly yieldTurn: () => Promise<void>
  /** A `SearchError`: sidecar_invalid, sidecar_unwritten, or sidecar_failed, after which the reference path serves. */
  readonly onFault: (error: unknown) => void
}

/** Ends work that nobody wants any more. */
class Stopped extends Error {
  override readonly name = 'Stopped'
}

/**
 * The sidecar of one connection (SEA-19): takes its sealed copy or builds itself from the database, follows what changes
 * there, by whatever process, and tells whoever asks where candidates come from. While it is not ready it says so; what
 * takes long it does by itself, in slices.
 */
export class Sidecar {
  #memory: SidecarMemory | undefined
  #hasLooked = false
  #work: Promise<void> | undefined
  readonly #ending = new AbortController()

  constructor(
    private readonly db: Connection,
    private readonly options: SidecarOptions,
  ) {}

  /** Bytes of memory that it holds. */
  get bytes(): number {
    return this.#memory?.bytes ?? 0
  }

  /**
   * Whether a question would be answered from it now, as far as can be told outside of its snapshot. Where it would not, it
   * gets ready for the next one: who asks may turn to the reference path elsewhere.
   */
  isReady(records: number): boolean {
    if (!this.#isFor(records)) return false
    const memory = this.#usable()
    const ahead = memory === undefined ? Infinity : lastChange(this.db) - memory.reached
    const isReady = ahead >= 0 && ahead <= this.options.followAtOnce(records)
    if (!isReady) this.#wake()
    return isReady
  }

  /**
   * Where the candidates of one query come from, within the caller's snapshot, in which nothing may be that is not yet
   * committed. Reads again what changed, if that is not too much.
   * @param exact  the reference path, for what a sidecar cannot answer
   * @returns undefined where the reference path has to answer all
   */
  source(records: number, exact: CandidateSource): CandidateSource | undefined {
    if (!this.#isFor(records)) return undefined
    try {
      const memory = this.#usable()
      const isCaughtUp = memory !== undefined && this.#follow(memory, this.options.followAtOnce(records))
      if (!isCaughtUp || isSealDue(memory)) this.#wake()
      return isCaughtUp ? sidecarSource(this.db, memory, exact) : undefined
    } catch (error) {
      this.#fail(error) // and if the database itself is at fault, the reference path says so
      return undefined
    }
  }

  /**
   * Answers one query from where `source` says. Whatever fails meanwhile, as where sealed words are damaged, which is seen
   * when they are read: the reference path answers.
   * @throws what asking the reference path throws: then the fault was not the sidecar's
   */
  ask<T>(records: number, exact: CandidateSource, answer: (source: CandidateSource) => T): T {
    const source = this.source(records, exact)
    if (source === undefined) return answer(exact)
    try {
      return answer(source)
    } catch (error) {
      const answered = answer(exact)
      this.#fail(error)
      return answered
    }
  }

  /** Gets ready for questions before the first one is asked; resolves when it is, or when it is not for so many. */
  async warm(records: number): Promise<void> {
    if (!this.#isFor(records)) return
    this.#usable()
    this.#wake()
    await this.settled()
  }

  get #isOver(): boolean {
    return this.#ending.signal.aborted
  }

  /** Resolves when nothing is left to do: what had to be built is built, what was due for sealing is sealed. */
  async settled(): Promise<void> {
    while (this.#work !== undefined) await this.#work
  }

  /** To be asked nothing more; what it is at work on ends with its next slice. */
  stop(): void {
    this.#ending.abort()
    this.#memory = undefined
  }

  /** Of as many as it is not for it keeps nothing: they have become more, and another one has them. */
  #isFor(records: number): boolean {
    const isFor = !this.#isOver && records >= this.options.from && records < this.options.below()
    if (!isFor) this.#memory = undefined
    return isFor
  }

  /** What is in memory, else the sealed copy, which is looked for once. */
  #usable(): SidecarMemory | undefined {
    if (this.#memory === undefined && !this.#hasLooked) {
      this.#hasLooked = true
      this.#memory = this.#attempt(() => this.options.copy?.load())
    }
    return this.#memory
  }

  /** What of it fails is told, and built anew. */
  #attempt(load: () => SidecarMemory | undefined): SidecarMemory | undefined {
    try {
      return load()
    } catch (error) {
      const fault = error instanceof CopyUnusable ? error.fault : undefined
      this.options.onFault(searchError('sidecar_invalid', fault, error))
      return undefined
    }
  }

  /**
   * Reads again up to `most` records that changed, the earliest changes first.
   * @returns whether that were all
   */
  #follow(memory: SidecarMemory, most: number): boolean {
    const last = lastChange(this.db)
    if (last < memory.reached) throw searchError('sidecar_failed', 'the database went back')
    const changed = last === memory.reached ? [] : changedRows(this.db, memory.reached, most + 1)
    if (changed.length > most) return false
    this.#read(memory, changed)
    return true
  }

  #read(memory: SidecarMemory, changed: readonly { readonly row: number; readonly change: number }[]): void {
    const recordAt = recordOf(this.db, this.options.dimension)
    for (const { row, change } of changed) {
      const record = recordAt(row)
      if (record === undefined) memory.remove(row)
      else memory.put(record)
      memory.reached = change
    }
  }

  /** It would fail again and again: the reference path serves until the next opening. */
  #fail(error: unknown): void {
    this.stop()
    const isTold = error instanceof SearchError && error.code === 'sidecar_failed'
    this.options.onFault(isTold ? error : searchError('sidecar_failed', undefined, error))
  }

  /** Begins what takes long, once who asked has been answered. */
  #wake(): void {
    this.#work ??= this.#prepare()
      .catch((error: unknown) => {
        if (error instanceof Stopped || this.#isOver) return
        this.#fail(error)
      })
      .finally(() => (this.#work = undefined))
  }

  async #prepare(): Promise<void> {
    await this.#yield()
    const present = this.#memory
    if (present !== undefined) await this.#catchUp(present)
    const next = await this.#renewed(present)
    if (next === undefined) return
    await this.#seal(next) // while nothing has come to it: a copy has no place for what is not sealed
    await this.#catchUp(next)
    this.#memory = next
  }

  /** What is to take the place of the present memory, which may serve on meanwhile. */
  #renewed(present: SidecarMemory | undefined): Promise<SidecarMemory> | undefined {
    const yieldTurn = () => this.#yield()
    if (present === undefined || isMeanDue(present)) {
      return buildMemory(this.db, this.options.dimension, yieldTurn, (memory) => this.#catchUp(memory))
    }
    return isSealDue(present) ? present.compacted(yieldTurn) : undefined
  }

  async #catchUp(memory: SidecarMemory): Promise<void> {
    while (!this.db.transaction(() => this.#followSlice(memory)).deferred()) await this.#yield()
  }

  /** @returns whether nothing is left to follow */
  #followSlice(memory: SidecarMemory): boolean {
    const changed = changedRows(this.db, memory.reached, SLICE)
    this.#read(memory, changed)
    return changed.length < SLICE
  }

  async #seal(memory: SidecarMemory): Promise<void> {
    try {
      await this.options.copy?.write(memory, { signal: this.#ending.signal, yieldTurn: this.options.yieldTurn })
    } catch (error) {
      if (this.#isOver) return
      // What is in memory serves all the same; the next sealing tries again.
      this.options.onFault(searchError('sidecar_unwritten', undefined, error))
    }
  }

  async #yield(): Promise<void> {
    await this.options.yieldTurn()
    if (this.#isOver) throw new Stopped()
  }
}

const isSealDue = (memory: SidecarMemory): boolean =>
  memory.unsealed > Math.max(MIN_UNSEALED, memory.slots.count * UNSEALED_SHARE)

const isMeanDue = ({ codes, meanOf, slots }: SidecarMemory): boolean =>
  codes !== undefined && meanOf < ENOUGH_FOR_MEAN && slots.vectors > MEAN_GROWTH * Math.max(meanOf, MIN_MEAN_OF)
