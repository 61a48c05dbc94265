import { conversationOf, MAX_SPEAKER_BYTES, normaliseObservation, type BulletFields } from '@mono-agent/memory-store'
import type { CaptureTurn } from '../types.js'

export type Provenance = Pick<BulletFields, 'createdAt' | 'occurredAt' | 'speaker' | 'conversationId'>

/**
 * What every new line says of where it comes from (CAP-20), as the host gave it. A name or conversation id that is too long
 * is unknown: half of one could be somebody else's (FMT-3).
 */
export function provenanceOf(turn: CaptureTurn): Provenance {
  const speaker = turn.speaker === undefined ? '' : normaliseObservation(turn.speaker)
  const conversationId = contributingConversation(turn)
  return {
    createdAt: turn.admittedAt,
    ...(turn.occurredAt === undefined ? {} : { occurredAt: turn.occurredAt }),
    ...(speaker !== '' && Buffer.byteLength(speaker) <= MAX_SPEAKER_BYTES ? { speaker } : {}),
    ...(conversationId === undefined ? {} : { conversationId }),
  }
}

/** The conversation that contributes; undefined if its id has no form in a line. */
export function contributingConversation({ conversationId }: CaptureTurn): string | undefined {
  return conversationId === undefined ? undefined : conversationOf(conversationId)
}
