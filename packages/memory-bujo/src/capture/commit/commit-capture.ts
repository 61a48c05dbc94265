import type { NewVector } from '@mono-agent/memory-search'
import type { CaptureAction } from '../types.js'
import type { CarriedOut } from './carry-out.js'
import { commitPlan, settle, type CommitParts } from './commit-plan.js'
import { planCommit, writesSomething, type CommitGround, type DecidedCapture } from './plan-commit.js'
import { readBullets } from './read-bullets.js'

/**
 * Plans a decided capture and carries it to its end (CAP-19), within the canonical section and while no other plan is under
 * way. A capture that writes nothing is settled at once.
 * @param decide  asked when the store is held and the index has caught up: what was decided may have been overtaken
 * @throws as `commitPlan`
 */
export async function commitCapture(
  parts: CommitParts,
  decide: () => DecidedCapture,
  vectors: readonly NewVector[] = [],
): Promise<CarriedOut> {
  parts.writer.assertAuthorityInPlace()
  const decided = decide()
  const plan = planCommit(decided, await groundOf(parts, decided.actions))
  if (writesSomething(plan)) return commitPlan(parts, plan, { vectors })
  const nothing = { memoryIds: [], dropped: plan.dropped }
  await settle(parts, decided.turn.id, nothing)
  return nothing
}

async function groundOf(
  { writer, graph, replay }: CommitParts,
  actions: readonly CaptureAction[],
): Promise<CommitGround> {
  const targets = actions.flatMap((action) => {
    if (action.kind === 'add') return action.threadTo
    return action.target === undefined ? [] : [action.target]
  })
  const files = targets.map(({ file }) => file)
  return {
    bullets: await readBullets(writer, files),
    graph: await graph.look(),
    replay: await replay.look(),
  }
}
