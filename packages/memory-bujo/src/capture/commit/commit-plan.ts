import type { Intake } from '@mono-agent/memory-intake'
import type { NewVector } from '@mono-agent/memory-search'
import type { CanonicalWriter } from '../../canonical-writer.js'
import { carryOut, type CarriedOut, type CarryOutParts } from './carry-out.js'
import type { Outbox } from './outbox.js'
import type { WritingPlan } from './plan-types.js'

export interface CommitParts extends CarryOutParts {
  readonly writer: Pick<CanonicalWriter, 'exclusive' | 'read' | 'commit' | 'assertAuthorityInPlace'>
  readonly outbox: Outbox
  readonly intake: Pick<Intake, 'markProjected' | 'settle'>
}

/**
 * Carries a plan to its end, within the canonical section: durable plan, Markdown, graph, replay delta, index, receipt, plan
 * gone (CAP-19). From the moment the plan is durable a crash is finished by `recoverOutbox`. There must be no other plan
 * under way.
 * @param onDurable  from now on the plan is carried out, whatever fails
 * @throws {StoreError | SearchError} what the disk or the index refused; if the plan was published, it is there
 */
export async function commitPlan(
  parts: CommitParts,
  plan: WritingPlan,
  { vectors = [], onDurable }: { readonly vectors?: readonly NewVector[]; readonly onDurable?: () => void } = {},
): Promise<CarriedOut> {
  await parts.outbox.publish(plan)
  onDurable?.()
  const carried = await finish(parts, plan, await carryOut(parts, plan, vectors))
  await compactReplay(parts)
  return carried
}

/** While no plan waits: a delta that outgrew its snapshot is folded in (FMT-8). */
async function compactReplay({ writer, replay }: CommitParts): Promise<void> {
  const compacted = await replay.compactIfDue()
  if (compacted === undefined) return
  // Of files whose former content is not said the index reads all.
  const files = compacted.files.map((file) => ({ ...file, base: file.digest }))
  await writer.commit([], () => Promise.resolve({ graph: [], replay: [], files }))
}

/** A plan that was carried out is over. */
export async function finish(parts: CommitParts, plan: WritingPlan, carried: CarriedOut): Promise<CarriedOut> {
  if (plan.stage === 'commit') await settle(parts, plan.id, carried)
  else await parts.outbox.removeDurably(plan)
  return carried
}

/** Receipt first: a plan whose turn is settled says that there is nothing left to do (durability 1.5). */
export async function settle(
  { intake, outbox }: Pick<CommitParts, 'intake' | 'outbox'>,
  id: string,
  carried: CarriedOut,
): Promise<void> {
  intake.markProjected([id])
  await intake.settle([{ id, memoryIds: carried.memoryIds, outcome: 'curated' }])
  outbox.remove(id)
}
