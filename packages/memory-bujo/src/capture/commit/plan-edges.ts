import {
  admitEntries,
  bulletDigest,
  type RefusedEntry,
  type ReplayEntry,
  type ReplayRefusal,
  type ReplayState,
} from '@mono-agent/memory-store'
import type { CaptureAction, CaptureTurn, DropReason } from '../types.js'
import { memoryId } from './ids.js'
import type { PlannedMemories } from './plan-memories.js'
import type { EdgeTarget, PlannedEdge } from './plan-types.js'
import { standingTarget, type FiledBullet, type KnownTargets } from './standing-target.js'
import { supersededAt } from './superseded-at.js'

/** Capture says that one memory carries on another, or it does not: there is no more or less of it. */
export const CAPTURE_THREAD_WEIGHT = 1

/** How a refusal of the replay authority is counted; what it holds already needs no second entry. */
const COUNTED_AS: Readonly<Record<Exclude<ReplayRefusal, 'duplicate'>, DropReason>> = {
  has_successor: 'edge_target_gone',
  cycle: 'edge_target_gone',
  edge_limit: 'edge_limit',
  full: 'replay_full',
}

export const countedAs = ({ reason }: RefusedEntry): DropReason[] =>
  reason === 'duplicate' ? [] : [COUNTED_AS[reason]]

export interface PlannedEdges {
  readonly edges: readonly PlannedEdge[]
  /** Of those edges. */
  readonly targets: readonly EdgeTarget[]
}

interface Wanted {
  readonly edge: PlannedEdge
  readonly target: FiledBullet
}

/** What takes the place of what, and what carries on what; and what has to hold of the targets when it is written. */
export function planEdges(
  turn: CaptureTurn,
  actions: readonly CaptureAction[],
  { replaced, sets }: PlannedMemories,
  known: KnownTargets & { readonly state: ReplayState },
  dropped: DropReason[],
): PlannedEdges {
  const wanted = replaced.map(({ id, target }): Wanted => {
    const at = supersededAt(target.bullet, turn.admittedAt)
    return { edge: { kind: 'supersede', id: target.bullet.id, by: id, at }, target }
  })
  for (const action of actions) if (action.kind === 'add') wanted.push(...threadsOf(turn, action, known, dropped))
  const kept = admitted(wanted, known.state, dropped)
  const revs = new Map(sets.map(({ change }) => [change.id, change.bullet.rev]))
  const targets = new Map(kept.map(({ target }) => [target.bullet.id, targetOf(target, revs.get(target.bullet.id))]))
  return { edges: kept.map(({ edge }) => edge), targets: [...targets.values()] }
}

function threadsOf(
  turn: CaptureTurn,
  { memory, threadTo }: Extract<CaptureAction, { kind: 'add' }>,
  known: KnownTargets,
  dropped: DropReason[],
): Wanted[] {
  const from = memoryId(turn.id, memory.index)
  return [...new Map(threadTo.map((one) => [one.id, one])).values()].flatMap((given): Wanted[] => {
    const target = standingTarget(given, known)
    if (target === undefined) {
      dropped.push('edge_target_gone')
      return []
    }
    return [
      { edge: { kind: 'thread', from, to: given.id, weight: CAPTURE_THREAD_WEIGHT, at: turn.admittedAt }, target },
    ]
  })
}

/** Those that the replay authority has room for and whose rules it keeps. */
function admitted(wanted: readonly Wanted[], state: ReplayState, dropped: DropReason[]): Wanted[] {
  // Every digest takes as much room as any other; that of the plan is not known before the plan is.
  const authority = { kind: 'capture', digest: '0'.repeat(64) } as const
  const byEntry = new Map(wanted.map((one): [ReplayEntry, Wanted] => [{ ...one.edge, authority }, one]))
  const { added, refused } = admitEntries(state, byEntry.keys())
  dropped.push(...refused.flatMap(countedAs))
  return added.flatMap((entry) => byEntry.get(entry) ?? [])
}

function targetOf({ file, bullet }: FiledBullet, rev: string | undefined): EdgeTarget {
  return { id: bullet.id, file, digest: bulletDigest(bullet), ...(rev === undefined ? {} : { rev }) }
}
