import type { Bullet } from './bullet.js'
import { MAX_CONVERSATION_ID_BYTES, MAX_SPEAKER_BYTES, UNJUDGED_SALIENCE } from './bullet-fields.js'
import { newBullet } from './compose-bullet.js'
import { normaliseStepwise, splitStepwise } from './observation.js'
import { runToEnd, type Stepwise } from './stepwise.js'
import { isWellFormed } from './well-formed.js'

export interface Observation {
  /** SHA-256 of the run id, 64 lower-case hex digits. */
  readonly id: string
  /** The host's observation, of any length, as it came. */
  readonly text: string
  /** Instant of admission, RFC 3339. */
  readonly createdAt: string
  /** Instant of the turn where it is another one, RFC 3339. */
  readonly occurredAt?: string
  readonly speaker?: string
  readonly conversationId: string
}

const TURN_ID = /^[0-9a-f]{64}$/

/** Id of the bullet of this turn that stands at `ordinal`, from 1: the same at every replay. */
export function observationBulletId(turnId: string, ordinal: number): string {
  if (!TURN_ID.test(turnId)) throw new RangeError('A turn id is 64 lower-case hex digits.')
  if (!Number.isSafeInteger(ordinal) || ordinal < 1) throw new RangeError('Ordinals count from 1.')
  return `r-${turnId.slice(0, 32)}-${ordinal}`
}

/** Decided only by the host, so it cannot be said what it is worth: the middle of the scale. */
export const OBSERVATION_SALIENCE = UNJUDGED_SALIENCE

/** Bullets composed in one part, about a millisecond. */
const BULLETS_AT_ONCE = 32

/** A name that fits, else none: half a name could be somebody else's. */
function* speakerOf(name: string | undefined): Stepwise<string | undefined> {
  const speaker = name === undefined ? '' : yield* normaliseStepwise(name)
  return speaker !== '' && Buffer.byteLength(speaker) <= MAX_SPEAKER_BYTES ? speaker : undefined
}

/** A conversation id that fits, else none (FMT-3). */
export function conversationOf(id: string): string | undefined {
  const fits = id !== '' && isWellFormed(id) && Buffer.byteLength(id) <= MAX_CONVERSATION_ID_BYTES
  return fits ? id : undefined
}

/**
 * The notes that an admitted turn becomes in lite and journal (CAP-1), in order; none if there is no text. A pure function
 * of its input. A speaker over 128 bytes after normalising, or a conversation id that is empty, over 512 bytes or not
 * well-formed, is unknown (FMT-3).
 * @throws {RangeError} a turn id that is none, or an instant that is no RFC 3339 instant
 */
export function observationBullets(observation: Observation): Bullet[] {
  return runToEnd(observationBulletsStepwise(observation))
}

/** `observationBullets` in parts of a few milliseconds, however long the observation. */
export function* observationBulletsStepwise(observation: Observation): Stepwise<Bullet[]> {
  const speaker = yield* speakerOf(observation.speaker)
  const conversationId = conversationOf(observation.conversationId)
  const bullets: Bullet[] = []
  for (const sentence of yield* splitStepwise(observation.text)) {
    const bullet = newBullet({
      id: observationBulletId(observation.id, bullets.length + 1),
      sentence,
      type: 'note',
      status: 'open',
      salience: OBSERVATION_SALIENCE,
      createdAt: observation.createdAt,
      ...(observation.occurredAt === undefined ? {} : { occurredAt: observation.occurredAt }),
      ...(speaker === undefined ? {} : { speaker }),
      ...(conversationId === undefined ? {} : { conversationId }),
    })
    if (bullets.push(bullet) % BULLETS_AT_ONCE === 0) yield
  }
  return bullets
}
