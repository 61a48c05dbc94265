import type { Fault, Faults } from './types.js'

const VECTOR_FAULTS: ReadonlySet<Fault['kind']> = new Set([
  'wrong-dimension',
  'bad-number',
  'zero-vector',
  'wrong-count',
  'shuffled',
])

export interface FaultPlan extends Faults {
  /** The fault for this request, which counts as used. */
  take(path: string, isEmbedding: boolean): Fault | null
  /** Resolves when released or when `signal` aborts. */
  hold(signal: AbortSignal): Promise<void>
}

export function createFaultPlan(): FaultPlan {
  let plan: { fault: Fault; left: number }[] = []
  const held = new Set<() => void>()
  let watchers: { count: number; resolve: () => void }[] = []

  const release = (count = Infinity) => {
    for (const letGo of [...held].slice(0, count)) letGo()
  }

  return {
    set(...faults) {
      for (const { times } of faults) {
        if (times !== undefined && !(Number.isInteger(times) && times > 0)) {
          throw new TypeError('times is a whole number from 1.')
        }
      }
      plan = faults.map((fault) => ({ fault, left: fault.times ?? Infinity }))
    },
    clear() {
      plan = []
      release()
    },
    get held() {
      return held.size
    },
    holding(count) {
      return new Promise((resolve) => {
        if (held.size >= count) resolve()
        else watchers.push({ count, resolve })
      })
    },
    release,
    take(path, isEmbedding) {
      const found = plan.find(
        ({ fault, left }) =>
          left > 0 && (fault.path ?? path) === path && (isEmbedding || !VECTOR_FAULTS.has(fault.kind)),
      )
      if (found === undefined) return null
      found.left -= 1
      return found.fault
    },
    hold(signal) {
      return new Promise((resolve) => {
        const letGo = () => {
          held.delete(letGo)
          signal.removeEventListener('abort', letGo)
          resolve()
        }
        if (signal.aborted) return resolve()
        held.add(letGo)
        signal.addEventListener('abort', letGo)
        for (const { resolve: tell } of watchers.filter(({ count }) => held.size >= count)) tell()
        watchers = watchers.filter(({ count }) => held.size < count)
      })
    },
  }
}
