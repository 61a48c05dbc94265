import {
  checkOwned,
  errnoOf,
  flushed,
  listNames,
  onDisk,
  parseTemporaryName,
  publishFiles,
  readPinned,
  StoreError,
  type FileContent,
  type FileSystem,
  type IntakeState,
  type WriterLease,
} from '@mono-agent/memory-store'
import { formatRecord, MAX_RECORD_BYTES, parseRecord, type AdmissionRecord } from './format/admission-record.js'
import type { ResolvedState } from './format/item-state.js'
import { formatReceipt, parseReceipt } from './format/receipt.js'
import { PLACES, type IntakePaths } from './intake-paths.js'
import { invalid } from './invalid.js'
import type { DirtyItem, Item } from './item-book.js'
import { pauseAfterFiles, REMOVALS_AT_ONCE } from './pause-after-files.js'

/** Published together: their directories are flushed once, and no more than this is held in memory. */
const FILES_AT_ONCE = 128
const BYTES_AT_ONCE = 8 * 1024 * 1024
const ITEM_NAME = /^([0-9a-f]{64})\.json$/

/** Records and receipts: one file an item. */
export class ItemStore {
  constructor(
    private readonly fs: FileSystem,
    private readonly paths: IntakePaths,
  ) {}

  /**
   * Ids with a file in this directory; temporaries of crashed or running writers are passed over.
   * @throws {IntakeError} intake_invalid if something else is there, or a link, or another user's file
   */
  list(place: IntakeState): string[] {
    const directory = this.paths.directory(place)
    const ids: string[] = []
    for (const name of listItems(this.fs, directory)) {
      const id = ITEM_NAME.exec(name)?.[1]
      if (id !== undefined) ids.push(id)
      else throw invalid(`${place} holds a file that is none of its records`)
    }
    return ids
  }

  /** Refuses a link or another user's file by one lstat. @returns false if the file is gone */
  check(place: IntakeState, id: string): boolean {
    return ownedOrInvalid(() => checkOwned(this.fs, this.paths.item(place, id), 'file')) !== undefined
  }

  /** @returns undefined if there is no such file  @throws {IntakeError} intake_invalid */
  readRecord(place: 'pending' | 'dead', id: string): AdmissionRecord | undefined {
    const bytes = this.#read(place, id)
    if (bytes === undefined) return undefined
    const record = parseRecord(bytes)
    if (record?.state.id !== id || record.state.state !== place)
      throw invalid(`a record in ${place} is not as it was written`)
    return record
  }

  /** @returns undefined if there is no such file  @throws {IntakeError} intake_invalid */
  readReceipt(id: string): ResolvedState | undefined {
    const bytes = this.#read('resolved', id)
    if (bytes === undefined) return undefined
    const receipt = parseReceipt(bytes)
    if (receipt?.id !== id) throw invalid('a receipt is not as it was written')
    return receipt
  }

  #read(place: IntakeState, id: string): Uint8Array | undefined {
    const path = this.paths.item(place, id)
    const stat = ownedOrInvalid(() => checkOwned(this.fs, path, 'file'))
    if (stat === undefined) return undefined
    if (stat.size > MAX_RECORD_BYTES) throw invalid(`a file in ${place} is larger than any record`)
    return ownedOrInvalid(() => readPinned(this.fs, path))?.bytes
  }

  /** The payload of an unfinished item, from memory or from its newest copy. */
  payloadOf(item: Item): string {
    if (item.turn !== undefined) return item.turn
    for (const place of item.places) {
      if (place === 'resolved') continue
      const turn = this.readRecord(place, item.state.id)?.turn
      if (turn !== undefined) return turn
    }
    throw invalid('the record of an unfinished turn is missing')
  }

  /** Publishes each item as it was when the checkpoint began, in the directory of its state. */
  async publish(lease: WriterLease, dirty: readonly DirtyItem[]): Promise<void> {
    let files: FileContent[] = []
    let published: DirtyItem[] = []
    let bytes = 0
    const flush = async (): Promise<void> => {
      if (files.length > 0) await publishFiles(this.fs, lease, files)
      for (const { item, state } of published) {
        item.places = [state.state, ...item.places.filter((place) => place !== state.state)]
      }
      files = []
      published = []
      bytes = 0
    }
    for (const entry of dirty) {
      const {
        item,
        state: { state: place },
      } = entry
      // Known before it is there: what a failed publication may have left is found, and taken away, by the next one.
      if (!item.places.includes(place)) item.places.push(place)
      const content = this.#format(entry)
      files.push({ path: this.paths.item(entry.state.state, entry.state.id), bytes: content })
      published.push(entry)
      bytes += content.length
      if (files.length >= FILES_AT_ONCE || bytes >= BYTES_AT_ONCE) await flush()
    }
    await flush()
  }

  #format({ item, state }: DirtyItem): Uint8Array {
    return state.state === 'resolved' ? formatReceipt(state) : formatRecord({ state, turn: this.payloadOf(item) })
  }

  /** Takes away the copies in directories that these items have left, and flushes those directories. */
  async removeMoved(lease: WriterLease, dirty: readonly DirtyItem[]): Promise<void> {
    const touched = new Set<IntakeState>()
    const pause = pauseAfterFiles(REMOVALS_AT_ONCE)
    for (const { item, state } of dirty) {
      for (const place of item.places) {
        if (place === state.state) continue
        await pause()
        lease.assertHeld()
        this.remove(place, state.id)
        touched.add(place)
      }
    }
    for (const place of PLACES) {
      const directory = this.paths.directory(place)
      if (touched.has(place)) await flushed('flush', directory, () => this.fs.syncDirectory(directory))
    }
    // Only now: a checkpoint that fails here removes, and flushes, once more.
    for (const { item, state } of dirty) item.places = [state.state]
  }

  /** Not flushed. A file that is gone already is as good as removed. */
  remove(place: IntakeState, id: string): void {
    const path = this.paths.item(place, id)
    onDisk('remove', path, () => {
      try {
        this.fs.remove(path)
      } catch (error) {
        if (errnoOf(error) !== 'ENOENT') throw error
      }
    })
  }
}

/** Names in a directory but temporaries; none if there is no directory. */
export function listItems(fs: FileSystem, directory: string): string[] {
  return listNames(fs, directory).filter((name) => parseTemporaryName(name) === undefined)
}

/** A record that is a link or another user's is damage (INT-7); of catalog, log and ledger FMT-1 has its own code. */
function ownedOrInvalid<T>(look: () => T): T {
  try {
    return look()
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'path_unsafe') throw error
    throw invalid(`a record is a link, or not one's own (${error.message})`)
  }
}
