import { formatTemporaryName, nodeFileSystem } from '@mono-agent/memory-store'
import { basename, dirname, join } from 'node:path'
import { openSidecar, type Sidecar, type SidecarPublisher } from '../sidecar/index.js'
import type { Connection } from '../sqlite/connection.js'
import { fairTurns } from './fair-turns.js'
import type { ThreadSidecar } from './messages.js'

/**
 * Nobody's event loop waits in a thread: a question may have read again what changed as long as that is sooner done than
 * the reference path, some six microseconds a memory of the store against sixty a memory that changed.
 */
export const followAtOnce = (records: number): number => Math.max(4_000, records / 32)

export const sidecarOfThread = (
  db: Connection,
  { from, path, epoch }: ThreadSidecar,
  onFault: (error: unknown) => void,
): Sidecar =>
  openSidecar(db, {
    copy: { fs: nodeFileSystem, path, publisher: epoch === undefined ? undefined : publisherOf(epoch) },
    from,
    below: () => Infinity,
    followAtOnce,
    yieldTurn: fairTurns(),
    onFault,
  })

/**
 * The lease is on another thread, which ends this one before it gives the lease back. If it was lost meanwhile nothing is
 * lost: a copy says what it was made of, and is not believed where that is not so.
 */
function publisherOf(epoch: number): SidecarPublisher {
  let number = 0
  return {
    assertHeld: () => undefined,
    temporaryName: (path) =>
      join(dirname(path), formatTemporaryName({ target: basename(path), epoch, number: number++ })),
  }
}
