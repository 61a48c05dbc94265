import { StoreError } from '../errors.js'
import type { DayContext } from './day-context.js'
import { draftDay, type DayDraft, type DayRewrite } from './day-draft.js'
import { dayFileDelta } from './day-file-delta.js'
import type { DayFileState } from './day-file-state.js'
import { publishDrafts } from './publish-drafts.js'
import { fileBusy } from './settled-read.js'

function stateOf(context: DayContext, { rewrite, document, outcomes, digest, read }: DayDraft): DayFileState {
  const { file, base = read, drifted } = rewrite
  const identity = context.cache.get(file)?.identity
  if (identity === undefined) throw new RangeError('A published day file must be known.')
  const delta = dayFileDelta(base.digest, base.document, document)
  return { file, identity, digest, document, delta, outcomes, drifted }
}

async function oneRound(context: DayContext, rewrites: readonly DayRewrite[]): Promise<DayFileState[]> {
  const drafts = await Promise.all(rewrites.map((rewrite) => draftDay(context, rewrite)))
  const written = await publishDrafts(
    context,
    drafts.filter(({ isOnDisk }) => !isOnDisk),
  )
  return [...drafts.filter(({ isOnDisk }) => isOnDisk), ...written].map((draft) => stateOf(context, draft))
}

const isBusy = (error: unknown): boolean => error instanceof StoreError && error.code === 'file_busy'

/**
 * Rewrites day files until each is on stable storage with the changes merged in.
 * @returns states by file
 * @throws {StoreError} file_busy once the deadline is over; storage_failed, lease_lost, path_unsafe. The lease is failed
 *   closed if a name was in doubt and could not be published again.
 */
export async function rewriteDays(
  context: DayContext,
  rewrites: readonly DayRewrite[],
): Promise<Map<string, DayFileState>> {
  const states = new Map<string, DayFileState>()
  for (let open = [...rewrites]; open.length > 0; open = open.filter(({ file }) => !states.has(file))) {
    const [first] = open
    if (states.size + open.length < rewrites.length) throw new RangeError('A rewrite was lost.')
    try {
      for (const state of await oneRound(context, open)) states.set(state.file, state)
    } catch (error) {
      // Of a busy file the person's own save took the name; the next call publishes it anew before building on it.
      if (open.some(({ isInDoubt }) => isInDoubt) && !isBusy(error)) context.lease.failClosed(error)
      throw error
    }
    const isLeft = states.size < rewrites.length
    if (isLeft && first !== undefined && context.patience.monotonicNow() >= context.patience.deadline)
      throw fileBusy(first.file)
  }
  return states
}
