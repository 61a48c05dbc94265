import { randomBytes } from 'node:crypto'
import { sleepOnTimer } from '@mono-agent/memory-search'
import { nodeFileSystem } from '@mono-agent/memory-store'
import type { HostParts } from './types.js'

/** Every injected part, with its real default. */
type Optional = 'onEvent' | 'logger' | 'intakeLimits' | 'embed' | 'chat' | 'fetch'
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
