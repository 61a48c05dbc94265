import { nodeFileSystem, type FileSystem } from '@mono-agent/memory-store'
import { interceptFileSystem, type Call } from '../../../../../../test/support/intercepted-file-system.js'

export class Killed extends Error {}

/** A process that ends at some step: nothing that it does after that happens. */
export interface Mortal {
  readonly fs: FileSystem
  /** A step that is no call of the file system. */
  readonly step: (name: string) => void
  /** Steps so far. */
  readonly steps: () => number
  readonly isDead: () => boolean
}

export interface End {
  /** Whether the process ends at this step. */
  readonly at: (step: number, call: Call | undefined, name?: string) => boolean
  /** The step still takes effect, a write with half of its bytes. */
  readonly isAfter?: boolean
}

export function mortal({ at, isAfter = false }: End): Mortal {
  let count = 0
  let isDead = false
  const die = (): never => {
    isDead = true
    throw new Killed()
  }
  /** True if this is the last step, and it takes effect. */
  const isLast = (call: Call | undefined, name?: string): boolean => {
    count++
    if (isDead) die()
    if (!at(count, call, name)) return false
    isDead = true
    return isAfter || die()
  }
  return {
    steps: () => count,
    isDead: () => isDead,
    step(name) {
      if (isLast(undefined, name)) die()
    },
    fs: interceptFileSystem(nodeFileSystem, {
      around(call, proceed) {
        if (!isLast(call)) return proceed()
        const result = proceed()
        return result instanceof Promise ? (result.then(die) as typeof result) : die()
      },
      aroundWrite(call, length, proceed) {
        if (!isLast(call)) return proceed(length)
        proceed(Math.floor(length / 2))
        return die()
      },
    }),
  }
}

/** Ends at a step that is no call of the file system. */
export const endsAt = (name: string): End => ({ at: (_step, _call, given) => given === name })

/** Ends at the first call on a path like this one, once the plan of a turn is on stable storage. */
export function endsOncePlanned(path: RegExp): End {
  let isRenamed = false
  let isPlanned = false
  return {
    at(_step, call) {
      if (call === undefined) return false
      if (isPlanned) return path.test(call.path)
      if (isRenamed && call.operation === 'syncDirectory') isPlanned = true
      if (call.operation === 'rename' && call.path.includes('.capture-outbox')) isRenamed = true
      return false
    },
  }
}
