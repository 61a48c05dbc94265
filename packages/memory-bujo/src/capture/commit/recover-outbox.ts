import { carryOut, type CarriedOut } from './carry-out.js'
import { finish, type CommitParts } from './commit-plan.js'
import { outboxInvalid } from './outbox.js'
import type { OutboxPlan } from './plan-types.js'
import type { TurnState } from './turn-state.js'

export interface RecoverParts extends CommitParts {
  /** What became of the turn of a plan. */
  readonly turnState: (id: string) => Promise<TurnState>
}

/** What an earlier run had left to do. */
export interface RecoveredOutbox {
  /** Of the plan that was under way, if there was one. */
  readonly carriedOut?: CarriedOut
  /** Plans of turns that were settled already. */
  readonly removed: number
}

/**
 * At opening and before each planned write, within the canonical section: a plan that was under way is carried out to its
 * end, without a model; one whose turn is settled is removed; a retained extraction stays for its turn (durability §7). All
 * plans are looked at before any is touched.
 * @throws {BujoError} outbox_invalid: something there is no plan of this store; nothing may be planned
 */
export async function recoverOutbox(parts: RecoverParts): Promise<RecoveredOutbox> {
  const { outbox } = parts
  const found = []
  for (const plan of outbox.loadAll()) found.push({ plan, isOver: await isOver(parts, plan) })
  let recovered: RecoveredOutbox = { removed: 0 }
  for (const { plan, isOver } of found) {
    if (isOver) {
      outbox.remove(plan.id)
      recovered = { ...recovered, removed: recovered.removed + 1 }
    } else if (plan.stage !== 'retained') {
      recovered = { ...recovered, carriedOut: await finish(parts, plan, await carryOut(parts, plan)) }
    }
  }
  return recovered
}

/** A plan of a Remember has no turn: as long as it is there, it is to be carried out. */
async function isOver({ turnState }: RecoverParts, { stage, id }: OutboxPlan): Promise<boolean> {
  if (stage === 'remember') return false
  const state = await turnState(id)
  if (state === 'unknown') throw outboxInvalid('a plan belongs to no turn of this store')
  return state === 'settled'
}
