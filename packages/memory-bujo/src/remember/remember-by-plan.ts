import type { Remembered } from '@mono-agent/memory-store'
import type { IndexedMemory } from '@mono-agent/memory-search'
import { commitPlan, planRemember, type PlannedWrites } from '../capture/commit/index.js'
import { BujoError } from '../errors.js'
import { findKnown } from './find-known.js'
import { missingLinks, targetChanged } from './links.js'
import { newLine, todayOf } from './new-line.js'
import { stored, type Note, type Reach, type RememberParts } from './parts.js'
import type { RememberDetail } from './request.js'

/**
 * Writes a note that is linked to a person, or takes the place of another one: its line, the graph and the lifecycle, all or
 * nothing of it (REC-25, REC-27). Of words that a current line says already there is no second line; what that line lacks of
 * link and replacement is completed, so that asking again, after a crash too, ends where asking once would have.
 */
export function rememberByPlan(
  parts: RememberParts & { readonly plannedWrites: PlannedWrites },
  note: Note,
  detail: RememberDetail,
  reach: Reach,
): Promise<Remembered> {
  const { index, lease, plannedWrites } = parts
  return plannedWrites.alone(async (commit) => {
    commit.writer.assertAuthorityInPlace()
    const instant = parts.now()
    const today = todayOf(instant)
    const target = detail.supersedes === undefined ? undefined : index.get(detail.supersedes)
    const known = await findKnown(parts, note.hash, [today.file, ...(target === undefined ? [] : [target.file])])
    const links = await missingLinks(parts, commit, detail, known, instant)
    if (known !== undefined && links.about === undefined && links.replaced === undefined) return duplicate(known)
    const line = known ?? newLine(parts, note, detail, instant)
    const plan = planRemember(
      { line, at: today.createdAt, ...links },
      { graph: await commit.graph.look(), replay: await commit.replay.look() },
    )
    if (plan === undefined) throw lifecycleFull()
    lease.assertHeld() // of a lease that was lost before, nothing is in flight
    reach('publishing')
    const { dropped } = await commitPlan(commit, plan, { onDurable: () => reach('published') })
    if (Object.keys(dropped).length > 0) throw targetChanged('The new one stands beside it.')
    return 'bullet' in line ? stored(line.bullet.id, note) : duplicate(line)
  })
}

const duplicate = ({ id, text }: IndexedMemory): Remembered => ({ status: 'duplicate', id, text })

function lifecycleFull(): BujoError {
  return new BujoError(
    'lifecycle_full',
    'The record of what replaced what is at its bound, so nothing can be superseded. Nothing was written. Leave ' +
      '`supersedes` out to add beside it.',
  )
}
