import { randomBytes } from 'node:crypto'
import { nodeFileSystem } from '@mono-agent/memory-store'
import type { HostParts, SleepOptions } from './types.js'

/** Every injected part, with its real default. */
type Optional = 'onEvent' | 'logger' | 'intakeLimits' | 'embed' | 'fetch'
export type Host = Required<Omit<HostParts, Optional>> & Pick<HostParts, Optional>

export function completeHost(parts: HostParts = {}): Host {
  return {
    ...parts,
    now: parts.now ?? Date.now,
    monotonicNow: parts.monotonicNow ?? (() => performance.now()),
    sleep: parts.sleep ?? sleepOnTimer,
    randomBytes: parts.randomBytes ?? randomBytes,
    env: parts.env ?? ((name) => process.env[name]),
    fs: parts.fs ?? nodeFileSystem,
  }
}

function sleepOnTimer(ms: number, { signal, keepsProcessAlive }: SleepOptions): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (!keepsProcessAlive) timer.unref()
    signal?.addEventListener('abort', end, { once: true })
  })
}
