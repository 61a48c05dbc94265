import { carryOut, type CarriedOut } from './carry-out.js'
import { finish, type CommitParts } from './commit-capture.js'
import { outboxInvalid } from './outbox.js'
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
 * At opening and before each capture: a plan that was under way is carried out to its end, without a model; one whose turn
 * is settled is removed; a retained extraction stays for its turn (durability §7). All plans are looked at before any is
 * touched.
 * @throws {BujoError} outbox_invalid: something there is no plan of this store; no capture may go on
 */
export async function recoverOutbox(parts: RecoverParts): Promise<RecoveredOutbox> {
  const { outbox, writer, turnState } = parts
  const found = []
  for (const plan of outbox.loadAll()) {
    const state = await turnState(plan.id)
    if (state === 'unknown') throw outboxInvalid('a plan belongs to no turn of this store')
    found.push({ plan, state })
  }
  let recovered: RecoveredOutbox = { removed: 0 }
  for (const { plan, state } of found) {
    if (state === 'settled') {
      outbox.remove(plan.id)
      recovered = { ...recovered, removed: recovered.removed + 1 }
    } else if (plan.stage === 'commit') {
      const carriedOut = await writer.exclusive(async () => finish(parts, plan.id, await carryOut(parts, plan)))
      recovered = { ...recovered, carriedOut }
    }
  }
  return recovered
}
