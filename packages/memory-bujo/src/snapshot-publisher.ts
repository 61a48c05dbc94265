import { layout, replaceFile, type FileSystem, type WriterLease } from '@mono-agent/memory-store'
import { join } from 'node:path'
import { SNAPSHOT_INTERVAL_MS, SNAPSHOT_MIN_GAP_MS, type RuntimeSnapshot } from './runtime-snapshot.js'

export interface SnapshotPublisher {
  /** Something changed: the file follows soon; nobody waits for it. */
  changed(): void
  /** Writes the last one now and stops. */
  stop(): void
  /** Publications that the disk refused; the next change tries again. */
  failures(): number
}

/** Keeps `.index/runtime.json` near the truth (OPS-6): the last state wins, renamed without fsync, never awaited. */
export function createSnapshotPublisher(options: {
  readonly root: string
  readonly fs: FileSystem
  readonly lease: WriterLease
  readonly take: () => RuntimeSnapshot
}): SnapshotPublisher {
  const { root, fs, lease, take } = options
  const path = join(root, layout.runtime)
  let failures = 0
  let gap: NodeJS.Timeout | undefined
  let isDirty = false
  let isStopped = false

  const publish = (): void => {
    isDirty = false
    try {
      replaceFile(fs, lease, path, new TextEncoder().encode(`${JSON.stringify(take())}\n`))
    } catch {
      failures += 1 // shown in the next snapshot; a full disk must not stop the store over its own weather report
    }
  }
  const afterGap = (): void => {
    gap = undefined
    if (isDirty) changed()
  }
  const changed = (): void => {
    isDirty = true
    if (isStopped) return
    if (gap !== undefined) return
    publish()
    gap = setTimeout(afterGap, SNAPSHOT_MIN_GAP_MS).unref()
  }
  const heartbeat = setInterval(changed, SNAPSHOT_INTERVAL_MS).unref()

  return {
    changed,
    stop() {
      isStopped = true
      clearInterval(heartbeat)
      clearTimeout(gap)
      publish()
    },
    failures: () => failures,
  }
}
