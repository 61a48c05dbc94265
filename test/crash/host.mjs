import { setImmediate } from 'node:timers/promises'
import { nodeFileSystem } from '../../packages/memory-store/dist/index.js'
import { brokenFileSystem } from './broken-rules.mjs'

const OPENING = Date.parse('2026-05-01T09:00:00Z')
/** Shorter waits are skipped, longer ones (the next attempt, the limit of a close) are as long as they are. */
const REAL_WAIT_MS = 5_000

/**
 * Clock, waiting, randomness and disk of a workload or verifier: the same in every run, and no time is spent waiting.
 * @param hours  how long after the workloads' beginning the clock starts
 */
export function steadyHost(hours = 0) {
  let elapsedMs = hours * 3_600_000
  let drawn = hours * 1_000
  return {
    fs: brokenFileSystem(nodeFileSystem),
    now: () => OPENING + (elapsedMs += 1),
    monotonicNow: () => elapsedMs,
    async sleep(ms, { signal, keepsProcessAlive }) {
      if (ms < REAL_WAIT_MS) {
        elapsedMs += ms
        await setImmediate()
        return
      }
      if (signal?.aborted) return
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, ms)
        if (!keepsProcessAlive) timer.unref()
        signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
      })
    },
    randomBytes: (count) =>
      Uint8Array.from({ length: count }, () => (drawn = (drawn * 1_103_515_245 + 12_345) % 2 ** 31) >> 16),
  }
}
