import {
  formatGraphLine,
  formatLineLog,
  formatReplayEntry,
  formatReplaySnapshot,
  identityOf,
  layout,
  ReplayState,
  sha256Hex,
  type Attribution,
  type GraphAssociation,
  type GraphEntity,
  type GraphLine,
  type GraphRelation,
  type ReplayEntry,
  type SupersedeEntry,
  type TerminalEntry,
  type ThreadEntry,
} from '@mono-agent/memory-store'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AuthorityFile, CapturedAuthority, IndexIdentity, RebuildReport } from '../../src/index.js'
import type { TestRoot } from './roots.js'
import { build, JOURNAL } from './vectors.js'

export const BUJO: IndexIdentity = { ...JOURNAL, tier: 'bujo' }

export const buildBujo = (root: TestRoot): Promise<RebuildReport> => build(root, { identity: BUJO })

const AT = '2026-05-01T09:00:00.000Z'
const authority = { kind: 'capture', digest: 'a'.repeat(64) } as const

export const entity = (id: string, name = id, more: Partial<GraphEntity> = {}): GraphEntity => ({
  kind: 'entity',
  id,
  name,
  type: id.split(':')[0] ?? '',
  createdAt: AT,
  ...more,
})
export const relation = (
  src: string,
  dst: string,
  support: string[],
  more: Partial<GraphRelation> = {},
): GraphRelation => ({
  kind: 'relation',
  src,
  dst,
  relation: 'knows',
  createdAt: AT,
  support,
  ...more,
})
export const about = (
  memoryId: string,
  entityId: string,
  provenance: Attribution = 'user-stated',
): GraphAssociation => ({
  kind: 'association',
  memoryId,
  entityId,
  provenance,
  createdAt: AT,
})
export const thread = (from: string, to: string, weight = 0.5): ThreadEntry => ({
  kind: 'thread',
  from,
  to,
  weight,
  at: AT,
  authority,
})
export const supersede = (id: string, by: string, at = AT): SupersedeEntry => ({
  kind: 'supersede',
  id,
  by,
  at,
  authority,
})
export const terminal = (id: string): TerminalEntry => ({ kind: 'terminal', id, at: AT, authority })

const bytesOf = (path: string): Buffer | undefined => (existsSync(path) ? readFileSync(path) : undefined)

export const graphBytes = (lines: readonly GraphLine[]): Uint8Array => formatLineLog(lines.map(formatGraphLine))
export const deltaBytes = (entries: readonly ReplayEntry[]): Uint8Array => formatLineLog(entries.map(formatReplayEntry))
export function snapshotBytes(entries: readonly ReplayEntry[]): Uint8Array {
  const state = new ReplayState()
  for (const entry of entries) if (state.add(entry) !== undefined) throw new Error('an entry is refused')
  return formatReplaySnapshot(state)
}

/** Writes a file as a person would; `record` knows nothing of it. */
export const put = (root: TestRoot, path: string, bytes: Uint8Array | string): void =>
  writeFileSync(join(root.path, path), bytes, { mode: 0o600 })

/** Writes one file of graph or replay whole and says how it is now. */
function written(root: TestRoot, path: string, bytes: Uint8Array): AuthorityFile {
  const before = bytesOf(join(root.path, path))
  put(root, path, bytes)
  const stat = root.fs.lstat(join(root.path, path))
  if (stat === undefined) throw new Error('the file was just written')
  return {
    path,
    identity: identityOf(stat),
    digest: sha256Hex(bytes),
    ...(before === undefined ? {} : { base: sha256Hex(before) }),
  }
}

/** Appends to graph and delta, as a capture does. */
export function append(
  root: TestRoot,
  graph: readonly GraphLine[],
  replay: readonly ReplayEntry[] = [],
): CapturedAuthority {
  const grown = (path: string, bytes: Uint8Array): AuthorityFile[] =>
    bytes.length === 0
      ? []
      : [written(root, path, Buffer.concat([bytesOf(join(root.path, path)) ?? new Uint8Array(), bytes]))]
  return {
    graph,
    replay,
    files: [...grown(layout.graph, graphBytes(graph)), ...grown(layout.replayDelta, deltaBytes(replay))],
  }
}

/** Folds the delta into the snapshot. @param entries  all of them */
export const compact = (root: TestRoot, entries: readonly ReplayEntry[]): CapturedAuthority => ({
  graph: [],
  replay: [],
  files: [
    written(root, layout.replaySnapshot, snapshotBytes(entries)),
    written(root, layout.replayDelta, new Uint8Array()),
  ],
})
