import type { BuiltInMemoryStore, CompletedTurn } from '@mono-agent/memory-bujo'
import { CliError, isMemoryError } from '../errors.js'
import { AdmissionWindow } from './admission-window.js'
import type { BadLineCode, Entry } from './entry.js'
import { IngestTally } from './tally.js'

/** Admissions in flight: enough that one group commit takes hundreds of turns, little enough to hold in memory. */
export const ADMISSION_WINDOW = 512
/** Admissions after which ingest waits for projection: a quarter of what intake holds by default (INT-3, OPS-16). */
export const ADMISSIONS_BEFORE_FLUSH = 1_024

/** Refusals that concern one turn; everything else ends the run. */
const REFUSED_TURNS: ReadonlySet<string> = new Set<BadLineCode>(['run_conflict', 'turn_too_large', 'turn_invalid'])

export type IngestStore = Pick<BuiltInMemoryStore, 'persistCompletedTurn' | 'flush' | 'snapshot'>

export interface AdmitOptions {
  readonly signal: AbortSignal
  readonly onProgress?: (tally: IngestTally) => void
}

export interface AdmitOutcome {
  readonly tally: IngestTally
  /** `failed`: what was in flight is settled, nothing more was read. */
  readonly end: { readonly kind: 'complete' | 'interrupted' } | { readonly kind: 'failed'; readonly error: unknown }
}

/**
 * Admits all turns of `entries`, many at a time, and waits for projection instead of filling intake. Ends at an abort
 * or at the first error that is not about one turn; what is in flight is finished either way. Never throws.
 */
export async function admitEntries(
  entries: AsyncIterable<Entry>,
  store: IngestStore,
  { signal, onProgress }: AdmitOptions,
): Promise<AdmitOutcome> {
  const tally = new IngestTally()
  const room = new IntakeRoom(store, signal)
  const window = new AdmissionWindow(ADMISSION_WINDOW)
  let failure: { readonly error: unknown } | undefined
  let admissionsSinceFlush = 0

  const admit = async (entry: Extract<Entry, { kind: 'turn' }>): Promise<void> => {
    try {
      const admission = await persist(store, room, entry.turn)
      if (admission.status === 'skipped') tally.addSkipped(admission.reason)
      else tally[admission.status] += 1
    } catch (error) {
      if (isMemoryError(error) && REFUSED_TURNS.has(error.code)) {
        const { place } = entry
        tally.addBad({ kind: 'bad', place, code: error.code as BadLineCode, detail: error.message })
      } else if (!(error instanceof AdmissionInterrupted)) failure ??= { error }
    }
    onProgress?.(tally)
  }

  try {
    for await (const entry of untilAborted(entries, signal)) {
      if (entry.kind === 'bad') tally.addBad(entry)
      else if (entry.kind === 'skipped') tally.addSkipped(entry.reason)
      else {
        await window.add(admit(entry))
        admissionsSinceFlush += 1
      }
      if (admissionsSinceFlush >= ADMISSIONS_BEFORE_FLUSH) {
        await window.settled()
        if (failure === undefined) await unlessAborted(store.flush(), signal)
        admissionsSinceFlush = 0
      }
      if (failure !== undefined) break
    }
  } catch (error) {
    failure ??= { error }
  }
  await window.settled()
  if (failure !== undefined) return { tally, end: { kind: 'failed', error: failure.error } }
  return { tally, end: { kind: signal.aborted ? 'interrupted' : 'complete' } }
}

async function persist(store: IngestStore, room: IntakeRoom, turn: CompletedTurn) {
  for (;;) {
    try {
      return await store.persistCompletedTurn(turn)
    } catch (error) {
      if (!isMemoryError(error) || error.code !== 'intake_full') throw error
      await room.make()
    }
  }
}

/** No failure of the turn: the run was stopped while it waited for room. */
class AdmissionInterrupted extends Error {}

/** Makes room in a full intake by waiting for projection, once for all who wait. */
class IntakeRoom {
  private underWay: Promise<void> | undefined

  constructor(
    private readonly store: IngestStore,
    private readonly signal: AbortSignal,
  ) {}

  make(): Promise<void> {
    this.underWay ??= this.drain().finally(() => (this.underWay = undefined))
    return this.underWay
  }

  /**
   * @throws {AdmissionInterrupted} stopped while there was no room: the turn is admitted by the next run
   * @throws {CliError} `projection_stuck`: waiting longer would not help, what is left is delayed or dead
   */
  private async drain(): Promise<void> {
    await unlessAborted(this.store.flush(), this.signal)
    if (this.store.snapshot().intake.fill < 1) return
    if (this.signal.aborted) throw new AdmissionInterrupted()
    throw new CliError(
      'projection_stuck',
      'Intake is full and does not empty: turns in it fail or are dead. What was admitted stays. Stop this, run ' +
        '`mono-agent-memory inspect`, then `retry` or `resolve`, then ingest again.',
    )
  }
}

/** The entries until the signal aborts, also while the next one is awaited: standard input may wait for ever. */
async function* untilAborted(entries: AsyncIterable<Entry>, signal: AbortSignal): AsyncGenerator<Entry> {
  const iterator = entries[Symbol.asyncIterator]()
  try {
    for (;;) {
      if (signal.aborted) return
      const next = await unlessAborted(iterator.next(), signal)
      if (next === undefined || next.done === true) return
      yield next.value
    }
  } finally {
    // Not awaited after an abort: a read that is under way may never return.
    const closed = iterator.return?.()
    if (!signal.aborted) await closed
    else closed?.catch(() => undefined)
  }
}

/** Not a race against one promise for the abort: that one would hold every result until the end of the run. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
