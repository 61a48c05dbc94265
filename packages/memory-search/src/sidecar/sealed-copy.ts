import { sha256Hex, type FileSystem } from '@mono-agent/memory-store'
import { lastChange, markOf } from '../sqlite/change-log.js'
import type { Connection } from '../sqlite/connection.js'
import { publishSidecarFile, type PublishSidecarOptions, type SidecarPublisher } from './file/publish-sidecar.js'
import { loadSidecarFile, SidecarDamage, type SidecarFile } from './file/sidecar-file.js'
import type { SidecarFault, SidecarHeader } from './file/sidecar-format.js'
import { SidecarMemory } from './sidecar-memory.js'
import { SlotTable } from './slot-table.js'
import { CodeStore } from './vectors/code-store.js'
import { WordIndex } from './words/word-index.js'

/** The sealed copy cannot be used; `fault` says why. */
export class CopyUnusable extends Error {
  override readonly name = 'CopyUnusable'
  constructor(readonly fault: Exclude<SidecarFault, 'missing'>) {
    super(`The sealed copy is ${fault}.`)
  }
}

export interface SealedCopyOptions {
  readonly fs: FileSystem
  /** Absolute; its directory was looked at. */
  readonly path: string
  /** Of the process that writes the store; absent: the copy is read only. */
  readonly publisher?: SidecarPublisher | undefined
}

/** The sidecar of a database as a file beside it, which an opening takes instead of building it anew. */
export class SealedCopy {
  constructor(
    private readonly db: Connection,
    private readonly dimension: number | undefined,
    private readonly options: SealedCopyOptions,
  ) {}

  /**
   * @returns undefined where there is none
   * @throws {CopyUnusable} damaged, of another database or release, or of changes that this database did not keep
   * @throws {StoreError} path_unsafe, storage_failed
   */
  load(): SidecarMemory | undefined {
    const { fs, path } = this.options
    const result = loadSidecarFile(fs, path, { identity: identityOf(this.db) }, (file) => {
      this.#requireKept(file.header)
      return this.#read(file)
    })
    if ('loaded' in result) return result.loaded
    if (result.fault === 'missing') return undefined
    throw new CopyUnusable(result.fault)
  }

  /**
   * Replaces the file by one of this memory, as it is now. Does nothing where the copy is read only.
   * @param memory  compacted, and not behind what is committed
   * @param options  of the publication: what ends it before the file is replaced, and how others have their turn
   * @throws {StoreError} as `publishSidecarFile`  @throws the signal's reason
   */
  async write(memory: SidecarMemory, options: Omit<PublishSidecarOptions, 'lease'>): Promise<void> {
    const { fs, path, publisher } = this.options
    const mark = markOf(this.db, memory.reached)
    if (publisher === undefined || mark === undefined) return
    const { slots, words, codes, meanOf } = memory
    const columns = slots.columns(slots.liveSlots())
    const header: SidecarHeader = {
      identity: identityOf(this.db),
      change: memory.reached,
      mark,
      slots: columns.rows.length,
      ...(this.dimension === undefined ? {} : { dimension: this.dimension, meanOf }),
    }
    const sections = { ...columns, ...words.sections(), ...codes?.sections() }
    await publishSidecarFile(fs, path, header, sections, { ...options, lease: publisher })
  }

  /** The change that it holds last is one that the database kept: not one that a power loss took back. */
  #requireKept({ change, mark, dimension }: SidecarHeader): void {
    const isKept = change <= lastChange(this.db) && markOf(this.db, change) === mark
    if (!isKept || dimension !== this.dimension) throw new CopyUnusable('foreign')
  }

  #read(file: SidecarFile): SidecarMemory {
    const { slots: size, change, meanOf = 0 } = file.header
    const slots = SlotTable.of({
      rows: file.take('rows', Uint32Array),
      lengths: file.take('lengths', Uint16Array),
      recordedAt: file.take('recordedAt', Float64Array),
      before: file.take('before', Uint32Array),
      kinds: file.take('kinds', Uint8Array),
    })
    if (slots.size !== size) throw new SidecarDamage()
    return new SidecarMemory({ slots, words: this.#words(file), codes: this.#codes(file, size), meanOf }, change)
  }

  #words(file: SidecarFile): WordIndex {
    return WordIndex.load({ words: file.take('words', Uint8Array), table: file.take('table', Uint32Array) })
  }

  #codes(file: SidecarFile, size: number): CodeStore | undefined {
    const { dimension } = this
    if (dimension === undefined) return undefined
    return CodeStore.load({ dimension, size, mean: file.take('mean', Float32Array) }, ({ codes, gains, offsets }) => {
      file.read('codes', codes)
      file.read('gains', gains)
      file.read('offsets', offsets)
    })
  }
}

/** What tells one database from another; not which directory `daily/` is, for a root may be moved, or be put back. */
function identityOf(db: Connection): string {
  const said = `select key, value from index_identity where key <> 'daily' order by key`
  return sha256Hex(JSON.stringify(db.prepare<[], unknown[]>(said).raw().all()))
}
