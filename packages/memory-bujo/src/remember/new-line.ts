import { conversationOf, layout, newBullet, type Bullet } from '@mono-agent/memory-store'
import type { Note, RememberParts } from './parts.js'
import type { RememberDetail } from './request.js'

/** A deliberate fact outweighs an observation; the format's own example value. */
const REMEMBERED_SALIENCE = 0.7

/** A line and the day file it goes to. */
export interface NewLine {
  readonly file: string
  readonly bullet: Bullet
}

/** The day file of today, UTC, and the instant as it is written. */
export function todayOf(instant: number): { readonly createdAt: string; readonly file: string } {
  const createdAt = new Date(instant).toISOString()
  return { createdAt, file: layout.dayFile(createdAt.slice(0, 10)) }
}

/**
 * The line of a note. One with detail says that the assistant noted it: by that a later Remember knows that it may replace it.
 * A conversation id that is too long is unknown (FMT-3).
 */
export function newLine(
  { newId }: Pick<RememberParts, 'newId'>,
  { text, conversationId }: Note,
  detail: RememberDetail | undefined,
  instant: number,
): NewLine {
  const { createdAt, file } = todayOf(instant)
  const conversation = conversationId === undefined ? undefined : conversationOf(conversationId)
  const bullet = newBullet({
    id: `m-${newId(instant)}`,
    sentence: text,
    type: 'note',
    status: 'open',
    salience: REMEMBERED_SALIENCE,
    createdAt,
    ...(detail === undefined ? {} : { attribution: 'assistant-inferred' }),
    ...(detail?.isReplaceable === true ? { replaceable: true } : {}),
    ...(conversation === undefined ? {} : { conversationId: conversation }),
  })
  return { file, bullet }
}
