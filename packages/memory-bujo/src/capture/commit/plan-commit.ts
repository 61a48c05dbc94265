import {
  layout,
  utcDay,
  type DayChange,
  type GraphState,
  type LogBase,
  type ReplayState,
} from '@mono-agent/memory-store'
import { countDrops } from '../policy/drop-counts.js'
import type { AdmittedCapture, CaptureAction, CaptureTurn, DropReason } from '../types.js'
import { planEdges } from './plan-edges.js'
import { planGraph } from './plan-graph.js'
import { planMemories, type PlannedMemories } from './plan-memories.js'
import type { CommitPlan, PlannedDay, PlannedEdge } from './plan-types.js'
import type { FiledBullet } from './standing-target.js'

/** What is to be written of a turn, decided. */
export interface DecidedCapture {
  readonly turn: CaptureTurn
  readonly actions: readonly CaptureAction[]
  readonly capture: Pick<AdmittedCapture, 'entities' | 'relations' | 'dropped'>
}

/** What the store holds when the plan is made. */
export interface CommitGround {
  /** The targets of the actions as their day files hold them, by id; absent if gone. */
  readonly bullets: ReadonlyMap<string, FiledBullet>
  readonly graph: { readonly base: LogBase; readonly graph: Pick<GraphState, 'entities'> }
  readonly replay: { readonly base: LogBase; readonly state: ReplayState }
}

/**
 * PURE: the decisions of a capture as the exact lines to write, with the ids and digests by which a replay knows its own
 * work (CAP-19). The same decisions on the same ground give the same plan.
 * @throws {StoreError} `sentence_invalid`  @throws {RangeError} a field or label that no line can hold
 */
export function planCommit({ turn, actions, capture }: DecidedCapture, ground: CommitGround): CommitPlan {
  const { bullets, graph, replay } = ground
  const { state } = replay
  const known = { bullets, state, isSuperseded: (id: string) => state.successorOf(id) !== undefined }
  const dropped: DropReason[] = []
  const memories = planMemories(turn, actions, known, dropped)
  const { edges, targets } = planEdges(turn, actions, memories, known, dropped)
  return {
    v: 1,
    stage: 'commit',
    id: turn.id,
    createdAt: turn.admittedAt,
    days: daysOf(turn, memories, edges),
    graph: { base: graph.base, lines: planGraph(turn, capture, memories.stored, (id) => graph.graph.entities.get(id)) },
    replay: { base: replay.base, edges },
    targets,
    memoryIds: memories.stored.map(({ id }) => id),
    dropped: countDrops(dropped, capture.dropped),
  }
}

/** False if nothing was worth writing: then there is nothing to carry out either. */
export function writesSomething({ days, graph, replay }: CommitPlan): boolean {
  return days.length > 0 || graph.lines.length > 0 || replay.edges.length > 0
}

/**
 * By day. What is added is one change, so that it is there whole or not at all. A task that could not be superseded after
 * all is not invalidated.
 */
function daysOf(
  { occurredAt, admittedAt }: CaptureTurn,
  { added, sets, replaced }: PlannedMemories,
  edges: readonly PlannedEdge[],
): PlannedDay[] {
  const changes = new Map<string, DayChange[]>()
  const changesOf = (file: string): DayChange[] => {
    const own = changes.get(file) ?? []
    changes.set(file, own)
    return own
  }
  if (added.length > 0)
    changesOf(layout.dayFile(utcDay(occurredAt ?? admittedAt))).push({ kind: 'add', bullets: added })
  const superseded = new Set(edges.flatMap((edge) => (edge.kind === 'supersede' ? [edge.id] : [])))
  const unreplaced = new Set(replaced.map(({ target }) => target.bullet.id).filter((id) => !superseded.has(id)))
  for (const { file, change } of sets) if (!unreplaced.has(change.id)) changesOf(file).push(change)
  return [...changes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, planned]): PlannedDay => ({ file, changes: planned }))
}
