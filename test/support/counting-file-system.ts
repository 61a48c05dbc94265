import { nodeFileSystem, type FileSystem } from '@mono-agent/memory-store'
import { interceptFileSystem, OPERATIONS, type Call, type Operation } from './intercepted-file-system.js'

export interface CountingFileSystem {
  readonly fs: FileSystem
  /** Calls since the start or the last `reset`, in order. */
  readonly calls: readonly Call[]
  /** Calls of one operation, of every path or of those that match. */
  count(operation: Operation, path?: RegExp): number
  counts(): Record<Operation, number>
  /** fsync of files and directories, and fdatasync. */
  flushes(): number
  reset(): void
}

/** Counts and records every call of the port. */
export function countingFileSystem(inner: FileSystem = nodeFileSystem): CountingFileSystem {
  const calls: Call[] = []
  const fs = interceptFileSystem(inner, {
    around(call, proceed) {
      calls.push(call)
      return proceed()
    },
  })
  const count = (operation: Operation, path?: RegExp): number =>
    calls.filter((call) => call.operation === operation && (path === undefined || path.test(call.path))).length
  return {
    fs,
    calls,
    count,
    counts: () =>
      Object.fromEntries(OPERATIONS.map((operation) => [operation, count(operation)])) as Record<Operation, number>,
    flushes: () => count('file.sync') + count('file.dataSync') + count('syncDirectory'),
    reset: () => void calls.splice(0),
  }
}
