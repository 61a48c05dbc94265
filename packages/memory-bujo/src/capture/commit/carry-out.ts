import type { DayFileBatch } from '@mono-agent/memory-store'
import type { NewVector } from '@mono-agent/memory-search'
import type { CanonicalWriter } from '../../canonical-writer.js'
import { countDrops } from '../policy/drop-counts.js'
import type { DropCounts, DropReason } from '../types.js'
import { countedAs } from './plan-edges.js'
import type { PlannedEdge, WritingPlan } from './plan-types.js'
import type { GraphLog, ReplayLog } from './open-authority.js'
import { readBullets } from './read-bullets.js'
import { mayLeadTo } from './standing-target.js'
import { entriesOf, writeAuthority } from './write-authority.js'
import { standingEdges, standingLines, targetOf, whatStands } from './what-stands.js'

export interface CarryOutParts {
  readonly writer: Pick<CanonicalWriter, 'read' | 'commit'>
  readonly graph: GraphLog
  readonly replay: ReplayLog
}

/** What a plan became. */
export interface CarriedOut {
  /** Ids under which its memories stand; of one that a person removed meanwhile, none. */
  readonly memoryIds: readonly string[]
  /** What was left out, from the first gate to the last edge. */
  readonly dropped: DropCounts
}

/**
 * Writes what a durable plan says, in the order of the promise: day files, graph, replay delta, index (CAP-19). To be called
 * within the canonical section. It asks no model, and done again, from whatever a crash left, the files become the same.
 *
 * An edge to a memory that is gone, was changed or was superseded since is left out and counted; the new memory is there all
 * the same. What an earlier run of the plan wrote whole stays: the index may have seen it.
 * @param vectors  that are known already, so that nothing is embedded twice
 */
export async function carryOut(
  { writer, ...logs }: CarryOutParts,
  plan: WritingPlan,
  vectors: readonly NewVector[] = [],
): Promise<CarriedOut> {
  const closed = await closedTargets(writer, logs.replay, plan)
  const batches = openBatches(plan, closed)
  let left: readonly DropReason[] = []
  let memoryIds: readonly string[] = []
  await writer.commit(
    batches,
    async (states) => {
      const standing = whatStands(batches, states)
      memoryIds = plan.memoryIds.flatMap((id) => standing.idOf(id) ?? [])
      const displaced = plan.memoryIds.filter((id) => standing.displaced.has(id))
      const isOpen = (edge: PlannedEdge): boolean =>
        !closed.has(targetOf(edge)) && !standing.displaced.has(targetOf(edge))
      const edges = standingEdges(plan, standing)
      const shut = edges.filter((edge) => !isOpen(edge))
      const entries = entriesOf(plan, edges.filter(isOpen))
      const { refused, ...captured } = await writeAuthority(logs, plan, standingLines(plan, standing), entries)
      left = [...displaced, ...shut].map((): DropReason => 'edge_target_gone').concat(refused.flatMap(countedAs))
      return captured
    },
    vectors,
  )
  return { memoryIds, dropped: countDrops(left, plan.stage === 'commit' ? plan.dropped : {}) }
}

/** Targets that no edge may lead to any more. */
async function closedTargets(
  writer: Pick<CanonicalWriter, 'read'>,
  replay: ReplayLog,
  plan: WritingPlan,
): Promise<ReadonlySet<string>> {
  if (plan.targets.length === 0) return new Set()
  const { state } = await replay.look(plan.replay.base)
  const files = plan.targets.map(({ file }) => file)
  const bullets = await readBullets(writer, files)
  const ownIds = new Set(plan.memoryIds)
  const closed = plan.targets.filter(
    (target) => !mayLeadTo(target, bullets.get(target.id)?.bullet, state.successorOf(target.id)?.by, ownIds),
  )
  return new Set(closed.map(({ id }) => id))
}

/** A superseded task is invalidated only if it is superseded: without the edge a person's line is left as it is. */
function openBatches({ days, replay }: WritingPlan, closed: ReadonlySet<string>): DayFileBatch[] {
  const superseded = new Set(replay.edges.flatMap((edge) => (edge.kind === 'supersede' ? [edge.id] : [])))
  return days
    .map(({ file, changes }): DayFileBatch => {
      const open = changes.filter(
        (change) => change.kind === 'add' || !superseded.has(change.id) || !closed.has(change.id),
      )
      return { file, changes: open }
    })
    .filter(({ changes }) => changes.length > 0)
}
