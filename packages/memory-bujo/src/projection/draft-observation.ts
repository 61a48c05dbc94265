import {
  contentHash,
  layout,
  normaliseStepwise,
  observationBulletsStepwise,
  utcDay,
  type Bullet,
} from '@mono-agent/memory-store'
import type { PendingTurn } from '@mono-agent/memory-intake'
import { redactCredentials } from '../credentials.js'
import { takeTurns } from '../take-turns.js'

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
  const raw = await redactCredentials(turn.summary)
  const text = await takeTurns(normaliseStepwise(raw.text))
  // Invisible characters may have broken a credential apart: once they are taken out it is whole.
  const clean = differsOnlyInSpace(text, raw.text) ? { text, count: 0 } : await redactCredentials(text)
  const bullets = await takeTurns(
    observationBulletsStepwise({
      id,
      text: clean.text,
      createdAt: admittedAt,
      conversationId: turn.conversationId,
      ...(turn.occurredAt === undefined ? {} : { occurredAt: turn.occurredAt }),
      ...(turn.speaker === undefined ? {} : { speaker: turn.speaker }),
    }),
  )
  const file = layout.dayFile(utcDay(turn.occurredAt ?? admittedAt))
  const identity = bullets.length === 0 ? {} : { contentId: contentHash(clean.text) }
  return { turnId: id, file, bullets, ...identity, redacted: raw.count + clean.count }
}

/** A scan: taking the white space out of both would take longer than all the rest. */
function differsOnlyInSpace(a: string, b: string): boolean {
  let inA = 0
  let inB = 0
  while (inA < a.length || inB < b.length) {
    if (a.charCodeAt(inA) === b.charCodeAt(inB)) {
      inA++
      inB++
    } else if (isSpace(a[inA])) inA++
    else if (isSpace(b[inB])) inB++
    else return false
  }
  return true
}

function isSpace(unit: string | undefined): boolean {
  return unit !== undefined && /\s/u.test(unit)
}
