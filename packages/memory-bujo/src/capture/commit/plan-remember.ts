import {
  admitEntries,
  bulletDigest,
  sha256Hex,
  type Bullet,
  type GraphLine,
  type LogBase,
  type ReplayState,
} from '@mono-agent/memory-store'
import type { PlannedEdge, RememberPlan } from './plan-types.js'
import type { FiledBullet } from './standing-target.js'
import { supersededAt } from './superseded-at.js'

/** What a Remember comes to, decided. */
export interface DecidedRemember {
  /** Its line: a new one with the day file it goes to, or the id of one that says these words already. */
  readonly line: { readonly file: string; readonly bullet: Bullet } | { readonly id: string }
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string
  /** Id of the person that it is to be linked to. */
  readonly about?: string
  /** What it takes the place of. */
  readonly replaced?: FiledBullet
}

export interface RememberGround {
  readonly graph: { readonly base: LogBase }
  readonly replay: { readonly base: LogBase; readonly state: ReplayState }
}

/**
 * PURE: the exact lines that a Remember with detail writes (REC-27). Not even the assistant's own word links a memory to
 * somebody unknown: no entity is ever among them.
 * @returns undefined if the replay authority has no room for what it replaces
 */
export function planRemember(
  { line, at, about, replaced }: DecidedRemember,
  { graph, replay }: RememberGround,
): RememberPlan | undefined {
  const memoryId = 'id' in line ? line.id : line.bullet.id
  const edges = replaced === undefined ? [] : [edgeTo(replaced, memoryId, at)]
  if (!hasRoom(replay.state, edges)) return undefined
  const association: GraphLine[] =
    about === undefined
      ? []
      : [{ kind: 'association', memoryId, entityId: about, provenance: 'assistant-inferred', createdAt: at }]
  const { file, bullet } = replaced ?? {}
  return {
    v: 1,
    stage: 'remember',
    id: sha256Hex(`remember\n${memoryId}\n${at}`),
    createdAt: at,
    days: 'id' in line ? [] : [{ file: line.file, changes: [{ kind: 'add', bullets: [line.bullet] }] }],
    graph: { base: graph.base, lines: association },
    replay: { base: replay.base, edges },
    targets: file === undefined || bullet === undefined ? [] : [{ id: bullet.id, file, digest: bulletDigest(bullet) }],
    memoryIds: [memoryId],
  }
}

function edgeTo({ bullet }: FiledBullet, by: string, at: string): PlannedEdge {
  return { kind: 'supersede', id: bullet.id, by, at: supersededAt(bullet, at) }
}

/** Every digest takes as much room as any other; that of the plan is not known before the plan is. */
function hasRoom(state: ReplayState, edges: readonly PlannedEdge[]): boolean {
  const authority = { kind: 'capture', digest: '0'.repeat(64) } as const
  return (
    admitEntries(
      state,
      edges.map((edge) => ({ ...edge, authority })),
    ).refused.length === 0
  )
}
