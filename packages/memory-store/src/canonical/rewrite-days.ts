import { failClosed } from '../disk/fail-closed.js'
import { StoreError } from '../errors.js'
import type { DayContext } from './day-context.js'
import { draftDay, type DayDraft, type DayRewrite } from './day-draft.js'
import { dayFileDelta } from './day-file-delta.js'
import type { DayFileState } from './day-file-state.js'
import { publishDrafts, type PublishedDay } from './publish-drafts.js'
import { fileBusy } from './settled-read.js'

function stateOf({ draft, identity }: PublishedDay): DayFileState {
  const { rewrite, read, document, outcomes, digest } = draft
  const { file, base = read, drifted } = rewrite
  const delta = dayFileDelta(base.digest, base.document, document)
  return { file, identity, digest, document, delta, outcomes, drifted }
}

/** What this writer had published before holds the changes already. */
function unchanged(drafts: readonly DayDraft[]): PublishedDay[] {
  return drafts.flatMap((draft) => {
    const { identity } = draft.read
    return draft.isOnDisk && identity !== undefined ? [{ draft, identity }] : []
  })
}

/** All drafts or the first error, but not before every read has ended: the next call may use the same files. */
async function draftAll(context: DayContext, rewrites: readonly DayRewrite[]): Promise<DayDraft[]> {
  const results = await Promise.allSettled(rewrites.map((rewrite) => draftDay(context, rewrite)))
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
}

const isBusy = (error: unknown): boolean => error instanceof StoreError && error.code === 'file_busy'

/**
 * Rewrites day files until each is on stable storage with the changes merged in; one round, unless a person edits or a
 * flush fails meanwhile.
 * @returns states by file
 * @throws {StoreError} file_busy once the deadline is over; storage_failed, lease_lost, path_unsafe. The lease is failed
 *   closed if a name was in doubt and could not be published again.
 */
export async function rewriteDays(
  context: DayContext,
  rewrites: readonly DayRewrite[],
): Promise<Map<string, DayFileState>> {
  const states = new Map<string, DayFileState>()
  const { patience } = context
  for (let isFirst = true; states.size < rewrites.length; isFirst = false) {
    const open = rewrites.filter(({ file }) => !states.has(file))
    const [late] = open
    if (!isFirst && late !== undefined && patience.monotonicNow() >= patience.deadline) throw fileBusy(late.file)
    try {
      context.assertDailyInPlace() // before the reads: they would wait for files that are gone with their directory
      const drafts = await draftAll(context, open)
      const changed = drafts.filter(({ isOnDisk }) => !isOnDisk)
      const published = await publishDrafts(context, changed, isFirst ? 'not_written' : 'unknown')
      for (const day of [...unchanged(drafts), ...published]) states.set(day.draft.rewrite.file, stateOf(day))
    } catch (error) {
      const doubtful = open.find(({ isInDoubt }) => isInDoubt)
      // Of a busy file the person's own save took the name; the next call publishes it anew before building on it.
      if (doubtful !== undefined && !isBusy(error)) failClosed(context.lease, error, doubtful.path)
      throw error
    }
  }
  return states
}
