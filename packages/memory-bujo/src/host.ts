import { randomBytes } from 'node:crypto'
import { sleepOnTimer } from '@mono-agent/memory-search'
import { nodeFileSystem } from '@mono-agent/memory-store'
import type { HostParts } from './types.js'

type Optional = 'onEvent' | 'logger' | 'intakeLimits' | 'embed' | 'chat' | 'fetch'
export type Host = Required<Omit<HostParts, Optional>> & Pick<HostParts, Optional>

/** Every injected part, with its real default. The clock tells whole milliseconds: files and index hold nothing finer. */
export function completeHost(parts: HostParts = {}): Host {
  const { now = Date.now } = parts
  return {
    ...parts,
    now: () => Math.floor(now()),
    monotonicNow: parts.monotonicNow ?? (() => performance.now()),
    sleep: parts.sleep ?? sleepOnTimer,
    randomBytes: parts.randomBytes ?? randomBytes,
    env: parts.env ?? ((name) => process.env[name]),
    fs: parts.fs ?? nodeFileSystem,
  }
}
