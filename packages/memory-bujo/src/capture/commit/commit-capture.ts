import type { Intake } from '@mono-agent/memory-intake'
import type { NewVector } from '@mono-agent/memory-search'
import type { CanonicalWriter } from '../../canonical-writer.js'
import type { CaptureAction } from '../types.js'
import { carryOut, type CarriedOut, type CarryOutParts } from './carry-out.js'
import type { Outbox } from './outbox.js'
import { planCommit, writesSomething, type CommitGround, type DecidedCapture } from './plan-commit.js'
import { readBullets } from './read-bullets.js'

export interface CommitParts extends CarryOutParts {
  readonly writer: Pick<CanonicalWriter, 'exclusive' | 'read' | 'commit' | 'assertAuthorityInPlace'>
  readonly outbox: Outbox
  readonly intake: Pick<Intake, 'markProjected' | 'settle'>
}

/**
 * Carries a decided capture to its end: durable plan, Markdown, graph, replay delta, index, receipt, plan gone (CAP-19). From
 * the moment the plan is durable a crash is finished by `recoverOutbox`, without a model. There must be no other plan under
 * way. A capture that writes nothing is settled at once.
 * @param decide  asked when the store is held and the index has caught up: what was decided may have been overtaken
 * @throws {StoreError | SearchError} what the disk or the index refused; if the plan was published, it is there
 */
export function commitCapture(
  parts: CommitParts,
  decide: () => DecidedCapture,
  vectors: readonly NewVector[] = [],
): Promise<CarriedOut> {
  const { writer, outbox } = parts
  return writer.exclusive(async () => {
    writer.assertAuthorityInPlace()
    const decided = decide()
    const plan = planCommit(decided, await groundOf(parts, decided.actions))
    if (!writesSomething(plan)) {
      return finish(parts, decided.turn.id, { memoryIds: [], dropped: plan.dropped })
    }
    await outbox.publish(plan)
    const carried = await finish(parts, plan.id, await carryOut(parts, plan, vectors))
    await compactReplay(parts)
    return carried
  })
}

/** While no plan waits: a delta that outgrew its snapshot is folded in (FMT-8). */
async function compactReplay({ writer, replay }: CommitParts): Promise<void> {
  const compacted = await replay.compactIfDue()
  if (compacted === undefined) return
  // Of files whose former content is not said the index reads all.
  const files = compacted.files.map((file) => ({ ...file, base: file.digest }))
  await writer.commit([], () => Promise.resolve({ graph: [], replay: [], files }))
}

/** Receipt first: a plan whose turn is settled says that there is nothing left to do (durability 1.5). */
export async function finish({ intake, outbox }: CommitParts, id: string, carried: CarriedOut): Promise<CarriedOut> {
  intake.markProjected([id])
  await intake.settle([{ id, memoryIds: carried.memoryIds, outcome: 'curated' }])
  outbox.remove(id)
  return carried
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
