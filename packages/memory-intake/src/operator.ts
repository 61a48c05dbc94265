import { onDisk, type FileSystem } from '@mono-agent/memory-store'
import { IntakeError } from './errors.js'
import type { ItemState, ResolvedState } from './format/item-state.js'
import type { GroupCommit } from './group-commit.js'
import type { IntakePaths } from './intake-paths.js'
import type { ItemBook } from './item-book.js'
import type { ItemStore } from './item-store.js'
import type { Ledger } from './ledger.js'
import { planRetry, planSettlement } from './policy/transitions.js'
import { pauseAfterFiles } from './pause-after-files.js'
import type { ReceiptShelf } from './receipt-shelf.js'
import type { IntakeInspection, IntakeItem } from './types.js'

const REASON = /^[a-z0-9][a-z0-9_-]{0,63}$/
const ITEM_ID = /^[0-9a-f]{64}$/
/** About what an `attempt` or `settled` without memory ids takes in a frame. */
const CHANGE_BYTES = 512

export interface OperatorParts {
  readonly fs: FileSystem
  readonly paths: IntakePaths
  readonly book: ItemBook
  readonly items: ItemStore
  readonly ledger: Ledger
  readonly shelf: ReceiptShelf
  readonly groups: GroupCommit
  readonly now: () => number
}

/** The content-free view of a state (INT-11). */
export function describeItem(state: ItemState, isDue: boolean): IntakeItem {
  const { id, admittedAt, changedAt, attempts, revision } = state
  const base = { id, state: state.state, admittedAt, changedAt, attempts, revision, due: isDue }
  if (state.state === 'resolved') return state.reason === undefined ? base : { ...base, reason: state.reason }
  const { failure } = state
  const next = state.state === 'pending' ? state.nextAttemptAt : undefined
  return {
    ...base,
    ...(next === undefined ? {} : { nextAttemptAt: next }),
    ...(failure === undefined ? {} : { failure }),
  }
}

export function itemUnknown(): IntakeError {
  return new IntakeError(
    'item_unknown',
    'No pending, dead or resolved item has this id: it was never admitted, or its receipt was pruned. Nothing was changed. ' +
      'Run `mono-agent-memory inspect` for the ids.',
  )
}

/** Unfinished items, then receipts, by admission order; or one of them. */
export async function inspectItems(parts: OperatorParts, id?: string): Promise<IntakeInspection> {
  const { book, items, shelf } = parts
  const now = parts.now()
  const { pending, dead, settled } = book.counts()
  const counts = { pending, dead, resolved: shelf.size + settled, due: book.dueCount(now) }
  const describe = (state: ItemState): IntakeItem => describeItem(state, book.isDue(state, now))
  if (id !== undefined) {
    const state = book.get(id)?.state ?? receiptOf(parts, id)
    if (state === undefined) throw itemUnknown()
    return { counts, items: [describe(state)] }
  }
  const states: ItemState[] = [...book.values()].map(({ state }) => state)
  const pause = pauseAfterFiles()
  for (const receiptId of shelf.ids()) {
    await pause()
    const receipt = items.readReceipt(receiptId) // gone: pruned while we read
    if (receipt !== undefined) states.push(receipt)
  }
  return { counts, items: states.sort((a, b) => a.order - b.order).map(describe) }
}

function receiptOf({ items, shelf }: OperatorParts, id: string): ResolvedState | undefined {
  return shelf.has(id) ? items.readReceipt(id) : undefined
}

/** Known at all? A pruned one is: it has its ledger entry. */
function isAdmitted({ book, ledger }: OperatorParts, id: string): boolean {
  return book.get(id) !== undefined || (ITEM_ID.test(id) && ledger.find(id) !== undefined)
}

/** Makes dead and delayed turns due at once, with all their attempts again. */
export async function retryItems(
  parts: OperatorParts,
  id?: string,
): Promise<{ readonly changed: boolean; readonly ids: readonly string[] }> {
  const { book, groups } = parts
  if (id !== undefined && !isAdmitted(parts, id)) throw itemUnknown()
  const candidates = id === undefined ? book.unfinished().map(({ state }) => state.id) : [id]
  const ids: string[] = []
  await groups.submit({
    bytes: CHANGE_BYTES * candidates.length,
    draft: (draft) => {
      for (const candidate of candidates) {
        const state = draft.stateOf(candidate)
        if (state === undefined || state.state === 'resolved' || book.isDue(state, draft.now)) continue
        const change = planRetry(state, draft.now)
        if (change === undefined) continue
        draft.change(state, change)
        ids.push(candidate)
      }
    },
  })
  return { changed: ids.length > 0, ids }
}

/** Ends a turn that cannot be processed, without claiming success (INT-12). */
export async function resolveItem(
  parts: OperatorParts,
  id: string,
  reason: string,
): Promise<{ readonly changed: boolean }> {
  if (!REASON.test(reason)) {
    throw new IntakeError(
      'reason_invalid',
      'A reason has 1 to 64 characters of a-z, 0-9, _ and -, and starts with a letter or digit. Nothing was changed.',
    )
  }
  if (!isAdmitted(parts, id)) throw itemUnknown()
  const { fs, paths, groups } = parts
  let isChanged = false
  await groups.submit({
    bytes: CHANGE_BYTES,
    draft: (draft) => {
      const state = draft.stateOf(id)
      if (state === undefined || state.state === 'resolved') return
      // Its result would be carried out at the next start, and then claimed by nobody.
      if (onDisk('look at', paths.plan(id), () => fs.lstat(paths.plan(id))) !== undefined) throw planRetained()
      draft.change(state, planSettlement(state, { outcome: 'operator_resolved', memoryIds: [], reason }, draft.now))
      isChanged = true
    },
  })
  return { changed: isChanged }
}

function planRetained(): IntakeError {
  return new IntakeError(
    'plan_retained',
    'What a model made of this turn waits in .capture-outbox/, and its next attempt goes on from there. Nothing was ' +
      'changed. If the turn is dead, retry it; then start the agent, or remove the plan knowingly before resolving.',
  )
}
