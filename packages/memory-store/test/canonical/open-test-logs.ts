import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { holdRoot } from '../../../../test/support/held-root.js'
import { manualClock, type ManualClock } from '../../../../test/support/manual-clock.js'
import { acquireWriterLease, nodeFileSystem, sha256Hex, type FileSystem, type LogBase } from '../../src/index.js'
import type { GraphAssociation, GraphEntity, SupersedeEntry, TerminalEntry, ThreadEntry } from '../../src/index.js'
import type { LogOptions } from '../../src/canonical/log-writer.js'

export const AT = '2026-05-01T09:00:00.000Z'

export const entity = (slug: string): GraphEntity => ({
  ...{ kind: 'entity', id: `person:${slug}`, name: `Name of ${slug}`, type: 'person', createdAt: AT },
})
export const about = (memoryId: string, slug: string): GraphAssociation => ({
  ...{ kind: 'association', memoryId, entityId: `person:${slug}`, provenance: 'user-stated', createdAt: AT },
})
const common = { at: AT, authority: { kind: 'capture', digest: 'a'.repeat(64) } } as const
export const thread = (from: string, to: string): ThreadEntry => ({ kind: 'thread', from, to, weight: 0.5, ...common })
export const supersede = (id: string, by: string): SupersedeEntry => ({ kind: 'supersede', id, by, ...common })
export const terminal = (id: string): TerminalEntry => ({ kind: 'terminal', id, ...common })

export interface TestRoot {
  readonly root: string
  readonly clock: ManualClock
  /** Of this opening, with the clock that stands still. */
  readonly options: LogOptions
  path(file: string): string
  text(file: string): string
  /** As somebody else does, in place. */
  write(file: string, content: string | Uint8Array): void
  /** Another opening of the root: what was known is forgotten. */
  reopened(fs?: FileSystem): Promise<LogOptions>
}

export async function openTestRoot(fs: FileSystem = nodeFileSystem): Promise<TestRoot> {
  const held = await holdRoot(fs)
  const clock = manualClock()
  const { root } = held
  let { lease } = held
  const { sleep, monotonicNow } = clock
  const path = (file: string): string => join(root, file)
  return {
    ...{ root, clock, path },
    options: { root, fs, lease, sleep, monotonicNow },
    text: (file) => readFileSync(path(file), 'utf8'),
    write: (file, content) => writeFileSync(path(file), content, { mode: 0o600 }),
    async reopened(other = nodeFileSystem) {
      lease.release()
      lease = await acquireWriterLease(other, root)
      return { root, fs: other, lease, sleep, monotonicNow }
    },
  }
}

export const baseOf = (content: string | Uint8Array): LogBase => ({
  length: Buffer.byteLength(content),
  digest: sha256Hex(content),
})
