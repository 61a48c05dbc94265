import {
  appendCovered,
  checkOwned,
  onDisk,
  openOwned,
  type FileSystem,
  type OpenFile,
  type WriterLease,
} from '@mono-agent/memory-store'
import { createHash, type Hash } from 'node:crypto'
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import { closeFile } from './close-file.js'
import type { Catalog, ShardMark } from './format/catalog.js'
import {
  formatLedgerEntry,
  LEDGER_ENTRY_BYTES,
  parseLedgerEntry,
  SHARD_COUNT,
  shardOf,
  type LedgerEntry,
} from './format/ledger-entry.js'
import { ShardIds } from './id-table.js'
import type { IntakePaths } from './intake-paths.js'
import { invalid } from './invalid.js'
import { planShard } from './policy/recovery-plan.js'

/** Read and hashed in one go, whole entries: 2 to 3 ms at 300 MB/s, so that opening never holds the event loop for 4 ms. */
const SLICE_BYTES = LEDGER_ENTRY_BYTES * 6_000
/** Shards that are flushed side by side; one of libuv's four threads stays free for admission. */
const SHARDS_AT_ONCE = 3

interface Shard {
  mark: ShardMark | undefined
  /** Over the committed bytes; copied and run on, never finished. */
  hash: Hash
  readonly ids: ShardIds
}

/** Entries that are on stable storage but count only once a catalog commits them. */
export interface PreparedEntries {
  readonly shards: Catalog['shards']
  /** To be called once that catalog is durable. */
  commit(): void
}

/** All that was ever admitted: 256 append-only shard files and a table in memory that says where to look. */
export class Ledger {
  readonly #shards: Shard[] = Array.from({ length: SHARD_COUNT }, () => ({
    mark: undefined,
    hash: createHash('sha256'),
    ids: new ShardIds(),
  }))

  constructor(
    private readonly fs: FileSystem,
    private readonly paths: IntakePaths,
  ) {}

  /**
   * Reads and verifies every shard as far as the catalog commits it. Writes nothing.
   * @returns shards that hold more than that; see `cut`
   * @throws {IntakeError} intake_invalid if one is missing, shorter or different  @throws {StoreError} storage_failed
   */
  async load(marks: Catalog['shards']): Promise<number[]> {
    const uncommitted: number[] = []
    const buffer = Buffer.allocUnsafe(SLICE_BYTES)
    let sliceBytes = 0
    for (const [number, shard] of this.#shards.entries()) {
      const path = this.paths.shard(number)
      const plan = planShard(marks[number], checkOwned(this.fs, path, 'file')?.size)
      if (plan.kind === 'refuse') throw invalid(plan.reason)
      if (plan.kind === 'cut' || (plan.kind === 'verify' && plan.cut)) uncommitted.push(number)
      if (plan.kind !== 'verify') continue
      const file = openOwned(this.fs, path, 'read')
      if (file === undefined) throw invalid('a ledger shard is missing')
      try {
        for (let at = 0; at < plan.mark.length;) {
          const wanted = Math.min(SLICE_BYTES, plan.mark.length - at)
          const slice = buffer.subarray(0, wanted)
          onDisk('read', path, () => readFully(file, slice, at))
          shard.hash.update(slice)
          shard.ids.addEntries(slice)
          at += wanted
          sliceBytes += wanted
          if (sliceBytes < SLICE_BYTES) continue
          sliceBytes = 0
          await nextTurnOfLoop()
        }
      } finally {
        closeFile(file)
      }
      if (shard.hash.copy().digest('hex') !== plan.mark.digest)
        throw invalid('committed bytes of a ledger shard changed')
      shard.mark = plan.mark
    }
    return uncommitted
  }

  /** Takes away what a cut checkpoint left behind the committed bytes: it is written again from log and records. */
  async cut(lease: WriterLease, shards: readonly number[]): Promise<void> {
    for (const number of shards) {
      const base = this.#shards[number]?.mark?.length ?? 0
      await appendCovered(this.fs, lease, this.paths.shard(number), base, new Uint8Array())
    }
  }

  /** Entries that a catalog commits. */
  get entries(): number {
    return this.#shards.reduce((sum, { ids }) => sum + ids.count, 0)
  }

  /** The committed entry of this id. One read of 129 bytes if there may be one, none otherwise. */
  find(id: string): LedgerEntry | undefined {
    const number = shardOf(id)
    let file: OpenFile | undefined
    try {
      for (const entry of this.#shards[number]?.ids.candidates(id) ?? []) {
        file ??= openOwned(this.fs, this.paths.shard(number), 'read')
        const opened = file
        if (opened === undefined) throw invalid('a ledger shard is missing')
        const bytes = Buffer.allocUnsafe(LEDGER_ENTRY_BYTES)
        onDisk('read', this.paths.shard(number), () => readFully(opened, bytes, entry * LEDGER_ENTRY_BYTES))
        const found = parseLedgerEntry(bytes)
        if (found === undefined) throw invalid('committed bytes of a ledger shard changed')
        if (found.id === id) return found
      }
      return undefined
    } finally {
      closeFile(file)
    }
  }

  /** `find` by the table alone: wrong once in a million, for counting only. */
  mayHold(id: string): boolean {
    return this.#shards[shardOf(id)]?.ids.candidates(id).next().done === false
  }

  /**
   * Appends entries at the committed ends, in the given order, and flushes them.
   * @throws {StoreError} storage_failed, lease_lost; what was appended does not count and is cut by the next append
   */
  async prepare(lease: WriterLease, entries: readonly LedgerEntry[]): Promise<PreparedEntries> {
    const texts = new Map<number, string[]>()
    for (const entry of entries) {
      const texted = texts.get(shardOf(entry.id)) ?? []
      texted.push(formatLedgerEntry(entry))
      texts.set(shardOf(entry.id), texted)
    }
    const additions = [...texts].map(([number, lines]) => this.#addition(number, Buffer.from(lines.join(''), 'latin1')))
    for (let start = 0; start < additions.length; start += SHARDS_AT_ONCE) {
      const appended = additions
        .slice(start, start + SHARDS_AT_ONCE)
        .map(({ number, base, bytes }) => appendCovered(this.fs, lease, this.paths.shard(number), base, bytes))
      // All have ended before the first failure is told: nothing may still be writing when the checkpoint is repeated.
      const failed = (await Promise.allSettled(appended)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    }
    const shards = this.#shards.map(({ mark }) => mark)
    for (const { number, mark } of additions) shards[number] = mark
    return {
      shards,
      commit: () => {
        for (const { number, mark, hash, bytes } of additions) {
          const shard = this.#shards[number]
          if (shard === undefined) continue
          shard.mark = mark
          shard.hash = hash
          shard.ids.addEntries(bytes)
        }
      },
    }
  }

  #addition(number: number, bytes: Uint8Array) {
    const shard = this.#shards[number]
    const base = shard?.mark?.length ?? 0
    const hash = (shard?.hash.copy() ?? createHash('sha256')).update(bytes)
    const mark: ShardMark = { length: base + bytes.length, digest: hash.copy().digest('hex') }
    return { number, base, bytes, hash, mark }
  }
}

function readFully(file: OpenFile, into: Uint8Array, position: number): void {
  let filled = 0
  while (filled < into.length) {
    const count = file.read(into.subarray(filled), position + filled)
    if (count === 0) throw invalid('a ledger shard is shorter than the catalog says')
    filled += count
  }
}
