import { StoreError } from '../errors.js'
import type { FileSystem } from './file-system.js'
import type { WriterLease } from './lease.js'
import { checkOwned } from './owned-file.js'
import { temporaryPath } from './temporary-files.js'
import { checkEpochFile, isSameEpoch, lookAtEpoch, nextEpoch, publishEpoch, type EpochMark } from './writer-epoch.js'
import { lockWriter, writerActive, type WriterLock } from './writer-lock.js'

/**
 * Every lease held in this thread, whichever copy of this package took it. It refuses a second opening before any file is
 * touched, and it keeps the locks: one that is garbage-collected is freed.
 */
const REGISTRY = Symbol.for('@mono-agent/memory-store/writer-leases')

function heldRoots(): Map<string, WriterLock | undefined> {
  const shared = globalThis as { [REGISTRY]?: Map<string, WriterLock | undefined> }
  return (shared[REGISTRY] ??= new Map())
}

/** Two spellings of a path are one root: the key is what the path leads to. */
function rootKey(fs: FileSystem, root: string): string {
  const stat = checkOwned(fs, root, 'directory')
  if (stat === undefined) {
    throw new StoreError('storage_failed', 'The root does not exist. Nothing was written. Make it, or mend the path.')
  }
  return `${stat.dev}:${stat.ino}`
}

function leaseLost(): StoreError {
  return new StoreError(
    'lease_lost',
    'Another writer took this root, or its .writer-epoch was changed. Nothing more is written; what was in flight may be ' +
      'found later. Close this store, find the other writer, open again.',
    { outcome: 'unknown' },
  )
}

function failedClosed(cause: unknown): StoreError {
  return new StoreError(
    'storage_failed',
    'A flush failed, and so did publishing its content again. Nothing more is written. Check the disk, then reopen the store.',
    { cause, outcome: 'not_written' },
  )
}

class HeldLease implements WriterLease {
  private mark: EpochMark | undefined
  private ending: (() => StoreError) | undefined
  private serial = 0
  private isReleased = false

  constructor(
    private readonly fs: FileSystem,
    private readonly root: string,
    private readonly key: string,
    readonly epoch: number,
  ) {}

  /** Until the epoch is published there is nothing to compare with: the lock alone holds. */
  async publishEpoch(): Promise<void> {
    const mark = await publishEpoch(this.fs, this.root, this.epoch, this)
    if (mark === undefined) throw leaseLost()
    this.mark = mark
  }

  assertHeld(): void {
    if (this.ending !== undefined) throw this.ending()
    if (this.mark === undefined || isSameEpoch(this.mark, lookAtEpoch(this.fs, this.root))) return
    this.ending = leaseLost // for good: an epoch that comes back is not ours
    throw leaseLost()
  }

  temporaryName(path: string): string {
    return temporaryPath(path, this.epoch, this.serial++)
  }

  failClosed(cause: unknown): void {
    this.ending ??= () => failedClosed(cause)
  }

  release(): void {
    this.ending = () =>
      new StoreError('store_closed', 'The store was closed before this call. Nothing was written. Open it again.')
    if (this.isReleased) return
    this.isReleased = true
    const lock = heldRoots().get(this.key)
    heldRoots().delete(this.key)
    lock?.free()
  }
}

/**
 * Takes the root for writing, at once or not at all: a lock that dies with the process, then a new epoch, published before
 * anything else is read, by which a writer notices that its lock was taken from under it.
 * @param root  resolved path of an existing root, see `prepareRoot`
 * @throws {StoreError} writer_active, path_unsafe, storage_failed; lease_lost if it was lost in the same instant
 */
export async function acquireWriterLease(fs: FileSystem, root: string): Promise<WriterLease> {
  const key = rootKey(fs, root)
  if (heldRoots().has(key)) throw writerActive()
  checkEpochFile(fs, root)
  heldRoots().set(key, lockWriter(fs, root))
  let lease: HeldLease | undefined
  try {
    lease = new HeldLease(fs, root, key, nextEpoch(fs, root))
    await lease.publishEpoch()
    return lease
  } catch (error) {
    heldRoots().get(key)?.free()
    heldRoots().delete(key)
    throw error
  }
}
