import { setTimeout as wait } from 'node:timers/promises'
import { nodeFileSystem, type FileSystem } from '@mono-agent/memory-store'
import { interceptFileSystem, type Call, type Interceptor, type Operation } from './intercepted-file-system.js'

export interface Fault {
  /** Default: every operation. */
  readonly operation?: Operation
  readonly path?: RegExp
  /** The how-manieth matching call from now on fails, from 1; default 1. */
  readonly nth?: number
  /** How many matching calls in a row fail; default 1. */
  readonly times?: number
  /** e.g. `EIO`; leave out for a short write, which is no error. */
  readonly errno?: string
  /** The call is carried out, then fails: what a flush or rename may do. */
  readonly afterEffect?: boolean
  /** Only of `file.write`: so many bytes are taken. With `errno`, the write fails after taking them. */
  readonly takes?: number
}

export interface FaultyFileSystem {
  readonly fs: FileSystem
  /** Every call since the start, in order; refused ones too. */
  readonly calls: readonly Call[]
  inject(fault: Fault): void
  /** Faults that were played. */
  played(): number
  /** Heals: no more faults. */
  clear(): void
}

interface Armed extends Fault {
  seen: number
}

/** What Node throws for a failed call. */
export function errnoError(errno: string, { operation, path }: Call): NodeJS.ErrnoException {
  const syscall = operation.replace('file.', '')
  return Object.assign(new Error(`${errno}: injected, ${syscall} '${path}'`), { code: errno, errno: -1, syscall, path })
}

function matches(fault: Fault, call: Call): boolean {
  return (
    (fault.operation === undefined || fault.operation === call.operation) &&
    (fault.path === undefined || fault.path.test(call.path))
  )
}

/**
 * A file system that fails where it is told to, and is otherwise `inner`.
 * @param flushLatencyMs  what each flush takes in addition, milliseconds
 */
export function faultyFileSystem(
  inner: FileSystem = nodeFileSystem,
  { flushLatencyMs = 0 }: { readonly flushLatencyMs?: number } = {},
): FaultyFileSystem {
  const calls: Call[] = []
  let armed: Armed[] = []
  let played = 0

  function faultFor(call: Call): Fault | undefined {
    calls.push(call)
    let due: Fault | undefined
    for (const fault of armed) {
      if (!matches(fault, call)) continue
      fault.seen++
      const first = fault.nth ?? 1
      if (due === undefined && fault.seen >= first && fault.seen < first + (fault.times ?? 1)) due = fault
    }
    if (due !== undefined) played++
    return due
  }

  function refuse<T>(call: Call, fault: Fault, proceed: () => T): T {
    const { errno } = fault
    if (errno === undefined) throw new TypeError('A fault needs an errno, but for a short write.')
    const fail = (): never => {
      throw errnoError(errno, call)
    }
    if (fault.afterEffect !== true) return isFlush(call) ? (Promise.resolve().then(fail) as T) : fail()
    const result = proceed()
    return result instanceof Promise ? (result.then(fail) as T) : fail()
  }

  const interceptor: Interceptor = {
    around<T>(call: Call, proceed: () => T): T {
      const delayed = (): T =>
        isFlush(call) && flushLatencyMs > 0
          ? (wait(flushLatencyMs).then(proceed as () => Promise<void>) as T)
          : proceed()
      const fault = faultFor(call)
      return fault === undefined ? delayed() : refuse(call, fault, delayed)
    },
    aroundWrite(call, length, proceed) {
      const fault = faultFor(call)
      if (fault === undefined) return proceed(length)
      if (fault.takes === undefined) return refuse(call, fault, () => proceed(length))
      const taken = proceed(Math.min(fault.takes, length))
      if (fault.errno !== undefined) throw errnoError(fault.errno, call)
      return taken
    },
  }

  return {
    fs: interceptFileSystem(inner, interceptor),
    calls,
    inject: (fault) => void armed.push({ ...fault, seen: 0 }),
    played: () => played,
    clear: () => {
      armed = []
    },
  }
}

function isFlush({ operation }: Call): boolean {
  return operation === 'file.sync' || operation === 'file.dataSync' || operation === 'syncDirectory'
}
