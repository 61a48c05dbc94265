import { onDisk, publishFile, type FileSystem, type WriterLease } from '@mono-agent/memory-store'
import type { AdmissionLog } from './admission-log.js'
import { IntakeError } from './errors.js'
import { formatCatalog, type Catalog } from './format/catalog.js'
import type { GroupCommit } from './group-commit.js'
import type { IntakePaths } from './intake-paths.js'
import type { DirtyItem, ItemBook } from './item-book.js'
import type { ItemStore } from './item-store.js'
import type { Ledger } from './ledger.js'
import { pauseAfterFiles, REMOVALS_AT_ONCE } from './pause-after-files.js'
import { planPruning, type ReceiptOrder } from './policy/retention.js'
import type { ReceiptShelf } from './receipt-shelf.js'

export interface CheckpointParts {
  readonly fs: FileSystem
  readonly lease: WriterLease
  readonly paths: IntakePaths
  readonly log: AdmissionLog
  readonly groups: GroupCommit
  readonly book: ItemBook
  readonly items: ItemStore
  readonly ledger: Ledger
  readonly shelf: ReceiptShelf
  readonly maxReceipts: number
  /** Told of an unfinished item whose record a person removed or spoilt; it must not keep the others from being folded in. */
  readonly onLost: (id: string, error: unknown) => void
  /** Told of what went wrong after the commit, or beside it: nothing is lost by it. */
  readonly onMinorError: (error: unknown) => void
}

/** Folds the log into records, receipts, ledger and catalog. */
export class Checkpointer {
  #running: Promise<void> | undefined

  constructor(
    private readonly parts: CheckpointParts,
    public catalog: Catalog,
  ) {}

  get isRunning(): boolean {
    return this.#running !== undefined
  }

  /**
   * One at a time: a call during a checkpoint waits for it and makes another, which holds all that was logged before the
   * call. Does nothing where nothing was logged.
   * @throws {StoreError} storage_failed, lease_lost: the log still holds everything
   */
  async run(options: { readonly evenIfEmpty?: boolean } = {}): Promise<void> {
    while (this.#running !== undefined) await this.#running.catch(() => undefined) // told to whoever asked for that one
    const { book, log } = this.parts
    if (options.evenIfEmpty !== true && !book.isDirty && log.bytes === 0) return
    this.#running = this.#checkpoint().finally(() => {
      this.#running = undefined
    })
    await this.#running
  }

  /** The order is the promise: until the catalog is published all of this is done again from the log. */
  async #checkpoint(): Promise<void> {
    const { fs, lease, paths, log, groups, book, items, ledger } = this.parts
    const begun = await groups.between(async () => {
      const loggedBytes = log.bytes
      const through = log.lastNumber
      await log.rotate() // 1. admission goes on in a segment that this checkpoint leaves alone
      return { loggedBytes, through, order: book.order, dirty: book.takeDirty() }
    })
    const { through, order } = begun
    const dirty = begun.dirty.filter((entry) => this.#isWhole(entry))
    try {
      await items.publish(lease, dirty) // 2. before the ledger: a record without an entry is committed by recovery
      await items.removeMoved(lease, dirty) // 3.
      const entries = await ledger.prepare(lease, uncommitted(dirty)) // 4.
      const settled = dirty.flatMap(({ state }) => (state.state === 'resolved' ? [state] : []))
      const pruned = await this.#planPruning(settled) // 5.
      const catalog: Catalog = {
        store: this.catalog.store,
        order,
        through,
        pruned: this.catalog.pruned + pruned.length,
        shards: entries.shards,
      }
      await publishFile(fs, lease, paths.catalog, formatCatalog(catalog)) // 6. the commit point: not earlier
      this.catalog = catalog
      entries.commit()
      for (const receipt of settled) this.parts.shelf.add(receipt)
      book.checkpointed(dirty)
      await this.#removeFolded(log.folded(through, begun.loggedBytes), pruned) // 7. not earlier: until here the log is the only commitment
    } catch (error) {
      book.restoreDirty(dirty)
      throw error
    }
  }

  #isWhole({ item, state }: DirtyItem): boolean {
    if (state.state === 'resolved') return true // a receipt holds no payload
    try {
      this.parts.items.payloadOf(item)
      return true
    } catch (error) {
      if (!(error instanceof IntakeError)) return true // the disk is in the way: publishing will say so
      this.parts.onLost(state.id, error)
      return false
    }
  }

  async #planPruning(settled: readonly ReceiptOrder[]): Promise<readonly ReceiptOrder[]> {
    const { shelf, maxReceipts, onMinorError } = this.parts
    const fresh = settled.filter(({ id }) => !shelf.has(id))
    if (shelf.size + fresh.length <= maxReceipts) return []
    const known = await shelf.byOrder(onMinorError)
    const ids = new Set(fresh.map(({ id }) => id))
    return planPruning([...known.filter(({ id }) => !ids.has(id)), ...fresh], maxReceipts)
  }

  /** Not flushed: what comes back after a power loss is removed by the next opening. So is what cannot be removed now. */
  async #removeFolded(folded: readonly number[], pruned: readonly ReceiptOrder[]): Promise<void> {
    const { fs, lease, paths, items, shelf, onMinorError } = this.parts
    const attempt = (remove: () => void): void => {
      try {
        lease.assertHeld()
        remove()
      } catch (error) {
        onMinorError(error)
      }
    }
    const pause = pauseAfterFiles(REMOVALS_AT_ONCE)
    for (const number of folded) {
      await pause()
      const path = paths.segment(number)
      attempt(() => onDisk('remove', path, () => fs.remove(path)))
    }
    for (const { id } of pruned) {
      await pause()
      shelf.delete(id)
      attempt(() => items.remove('resolved', id))
    }
  }
}

function uncommitted(dirty: readonly DirtyItem[]): { readonly id: string; readonly payloadHash: string }[] {
  return dirty.filter(({ item }) => !item.isCommitted).map(({ state }) => state)
}
