import { randomBytes } from 'node:crypto'
import { sleepOnTimer } from '@mono-agent/memory-search'
import { nodeFileSystem } from '@mono-agent/memory-store'
import { BujoError } from './errors.js'
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
    timeZone: requireTimeZone(parts.timeZone),
  }
}

/** @throws {BujoError} `config_invalid`: no zone that this machine knows */
function requireTimeZone(timeZone: string | undefined): string {
  try {
    return new Intl.DateTimeFormat('en', timeZone === undefined ? {} : { timeZone }).resolvedOptions().timeZone
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const mend = 'Nothing was opened. Use an IANA name such as Europe/Rome.'
    throw new BujoError('config_invalid', `timeZone: is no time zone that this machine knows. ${mend}`)
  }
}
