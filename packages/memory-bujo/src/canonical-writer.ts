import {
  withOutcome,
  type CanonicalQueue,
  type DayFileBatch,
  type DayFiles,
  type DayFileState,
} from '@mono-agent/memory-store'
import type { CapturedAuthority, CatchUpReport, NewVector, SearchIndex } from '@mono-agent/memory-search'
import type { Events } from './events.js'

export interface CanonicalWriterParts {
  readonly dayFiles: DayFiles
  readonly index: SearchIndex
  readonly queue: CanonicalQueue
  readonly events: Events
  /** Rows came or changed; runs after each time, and must return at once. */
  readonly onIndexed: () => void
}

/**
 * The one way to Markdown and index together: truth first, then the index, one section after the other. A file that was
 * published but could not be indexed is caught up before the next section looks anything up.
 */
export class CanonicalWriter {
  readonly #behind = new Set<string>()
  #vectorsWritten = 0

  constructor(private readonly parts: CanonicalWriterParts) {}

  /** Vectors that came with captures since the store was opened. */
  vectorsWritten(): number {
    return this.#vectorsWritten
  }

  /** Runs `section` alone; within it `write` and `catchUp` may be called. */
  exclusive<T>(section: () => Promise<T>): Promise<T> {
    return this.parts.queue.run(async () => {
      if (this.#behind.size > 0) await this.catchUp([...this.#behind])
      return section()
    })
  }

  /**
   * Publishes the changes and indexes them. From the first one after a rebuild on, the index before it is no longer offered
   * to go back to: that is made certain before the day files change (OPS-3).
   * @param onPublished  runs between the two
   */
  async write(batches: readonly DayFileBatch[], onPublished?: () => void): Promise<readonly DayFileState[]> {
    const { index } = this.parts
    const states = await this.#publish(batches)
    onPublished?.()
    await index.prepare(states)
    index.record(states)
    this.#indexed(batches)
    return states
  }

  /**
   * `write` for a capture: what it says of graph and lifecycle comes between the day files and the index, and is recorded
   * in the transaction of their rows (CAP-19).
   * @param batches    may be empty
   * @param authority  writes it, once the day files are on stable storage, and says what it wrote
   * @param vectors    of words among those that come; the others wait for theirs
   */
  async commit(
    batches: readonly DayFileBatch[],
    authority: (states: readonly DayFileState[]) => Promise<CapturedAuthority>,
    vectors: readonly NewVector[] = [],
  ): Promise<readonly DayFileState[]> {
    const { index } = this.parts
    index.assertAuthorityInPlace()
    const states = await this.#publish(batches)
    const captured = await authority(states)
    await index.prepare(states)
    index.record(states, captured)
    if (vectors.length > 0) this.#vectorsWritten += index.writeVectors(vectors)
    this.#indexed(batches)
    return states
  }

  /** One day file as it is; undefined if there is none. Within a section. */
  async read(file: string): Promise<DayFileState | undefined> {
    const state = await this.parts.dayFiles.read(file)
    if (state?.drifted === true) {
      this.#behind.add(file)
      this.parts.events.emit({ kind: 'day_file_drifted', file })
    }
    return state
  }

  /** Within a section, before a capture is planned: a plan that builds on a lost file would bury what it held. @throws {SearchError} canonical_mismatch */
  assertAuthorityInPlace(): void {
    this.parts.index.assertAuthorityInPlace()
  }

  async #publish(batches: readonly DayFileBatch[]): Promise<readonly DayFileState[]> {
    const { dayFiles, index, events } = this.parts
    try {
      await index.retirePrevious(batches.length === 0 ? 'authority' : 'days')
    } catch (error) {
      throw withOutcome(error, 'not_written') // the manifest may be in doubt, the day files are not
    }
    for (const { file } of batches) this.#behind.add(file) // even a failed publication may have replaced some of them
    const states = batches.length === 0 ? [] : await dayFiles.apply(batches)
    for (const { file, drifted } of states) if (drifted) events.emit({ kind: 'day_file_drifted', file })
    return states
  }

  #indexed(batches: readonly DayFileBatch[]): void {
    for (const { file } of batches) this.#behind.delete(file)
    this.parts.onIndexed()
  }

  /** Indexes what a person changed. @param files  only these; all when absent */
  async catchUp(files?: readonly string[]): Promise<CatchUpReport> {
    const report = await this.parts.index.catchUp(files)
    for (const file of files ?? [...this.#behind]) this.#behind.delete(file)
    if (report.filesRead > 0) {
      this.parts.events.emit({ kind: 'index_caught_up', report })
      this.parts.onIndexed()
    }
    return report
  }
}
