import type { DayChange } from '@mono-agent/memory-store'
import type { Intake, PendingTurn } from '@mono-agent/memory-intake'
import type { CanonicalWriter, DayBatch } from '../canonical-writer.js'
import type { Tier } from '../tiers/tier.js'
import type { DraftedObservation } from './draft-observation.js'

export interface ProjectionParts {
  readonly intake: Intake
  readonly writer: CanonicalWriter
  readonly draft: Tier['draft']
}

/**
 * Carries a batch of due turns to its end: one rewrite a day file, one index transaction, one log frame (INT-16).
 * The order is the promise: truth, then index, then settled. A crash between any two is finished by doing all of it
 * again, since `add` finds its own bullets and the index its own rows.
 * @returns credentials redacted
 */
export async function projectBatch(
  { intake, writer, draft }: ProjectionParts,
  turns: readonly PendingTurn[],
): Promise<number> {
  const drafts: DraftedObservation[] = []
  // One after the other: side by side they would only wait for the same thread.
  for (const turn of turns) drafts.push(await draft(turn))
  await writer.exclusive(async () => {
    await writer.write(byFile(drafts), () => intake.markProjected(turns.map((turn) => turn.id)))
    await intake.settle(drafts.map(({ turnId, bullets }) => ({ id: turnId, memoryIds: bullets.map(({ id }) => id) })))
  })
  return drafts.reduce((sum, draft) => sum + draft.redacted, 0)
}

/** In admission order within each file; one change a turn, so that each is there whole or not at all. */
function byFile(drafts: readonly DraftedObservation[]): DayBatch[] {
  const files = new Map<string, DayChange[]>()
  for (const { file, bullets } of drafts) {
    const changes = files.get(file) ?? []
    changes.push({ kind: 'add', bullets })
    files.set(file, changes)
  }
  return [...files].map(([file, changes]) => ({ file, changes }))
}
