import { changeBullet } from '@mono-agent/memory-store'
import type { PendingTurn } from '@mono-agent/memory-intake'
import { draftObservation, type DraftedObservation } from './draft-observation.js'

/**
 * What journal writes of an admitted turn (CAP-2): the observation as lite writes it, with the identity of its whole
 * content on the first bullet, so that a rebuild from Markdown knows it again.
 */
export async function draftJournalObservation(turn: PendingTurn): Promise<DraftedObservation> {
  const draft = await draftObservation(turn)
  const [first, ...rest] = draft.bullets
  if (first === undefined) return draft
  const { contentId } = draft
  return { ...draft, bullets: [changeBullet(first, { contentId }), ...rest] }
}
