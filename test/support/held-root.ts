import { acquireWriterLease, nodeFileSystem, type FileSystem, type WriterLease } from '@mono-agent/memory-store'
import { onTestFinished } from 'vitest'
import { makeTemporaryRoot } from './temporary-root.js'

export interface HeldRoot {
  readonly root: string
  readonly lease: WriterLease
}

/** A new root with its writer lease, released when the test is done. */
export async function holdRoot(fs: FileSystem = nodeFileSystem): Promise<HeldRoot> {
  const root = makeTemporaryRoot()
  const lease = await acquireWriterLease(fs, root)
  onTestFinished(() => lease.release())
  return { root, lease }
}
