import { contentHash, layout, observationBulletsStepwise, utcDay, type Bullet } from '@mono-agent/memory-store'
import type { PendingTurn } from '@mono-agent/memory-intake'
import { takeTurns } from '../take-turns.js'
import { cleanObservation } from './clean-observation.js'

export interface DraftedObservation {
  readonly turnId: string
  /** The day file it belongs to. */
  readonly file: string
  readonly bullets: readonly Bullet[]
  /** Identity of the whole text, before any split (CAP-2); absent if there is no text. */
  readonly contentId?: string
  /** Credentials taken out of the text. */
  readonly redacted: number
}

/**
 * What lite writes of an admitted turn (CAP-1): the normalised observation, one bullet or several, ids derived from the
 * run. The same turn always gives the same bullets: a replay must find its own work.
 */
export async function draftObservation({ id, admittedAt, turn }: PendingTurn): Promise<DraftedObservation> {
  const { text, redacted } = await cleanObservation(turn.summary)
  const bullets = await takeTurns(
    observationBulletsStepwise({
      id,
      text,
      createdAt: admittedAt,
      conversationId: turn.conversationId,
      ...(turn.occurredAt === undefined ? {} : { occurredAt: turn.occurredAt }),
      ...(turn.speaker === undefined ? {} : { speaker: turn.speaker }),
    }),
  )
  const file = layout.dayFile(utcDay(turn.occurredAt ?? admittedAt))
  const identity = bullets.length === 0 ? {} : { contentId: contentHash(text) }
  return { turnId: id, file, bullets, ...identity, redacted }
}
