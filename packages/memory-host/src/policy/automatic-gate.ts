import type { ContextBlock, MemoryLookup } from '@mono-agent/memory-bujo'
import type { KnownTurn } from './known-turn.js'

type BlockKind = ContextBlock['kind']

/** Code points of the owner's text, after NFC and trim, up to which nothing possibly relevant is shown (REC-15). */
export const MAX_SHORT_TEXT = 16

const ALL: readonly BlockKind[] = ['profile', 'person', 'background', 'relevant']

/**
 * What of automatic context a turn may get (REC-15): nothing unless the host verified that its owner wrote it, in a
 * conversation, and that it is a message; no possibly relevant lines for a short one. By code points, so that it is the
 * same in every language. A continuation has what the turn before it was given (REC-19).
 */
export function automaticBlocks(
  { speaker, source, wake }: Pick<KnownTurn, 'speaker' | 'source' | 'wake'>,
  ownerText: string,
): readonly BlockKind[] {
  const isConversation = (source?.kind ?? 'conversation') === 'conversation'
  if (speaker.kind !== 'owner' || !isConversation || wake !== 'message') return []
  return isShort(ownerText) ? ALL.filter((kind) => kind !== 'relevant') : ALL
}

/**
 * What is left of it once it is known how the lookup went. Words in common are too little to interrupt a turn with; the
 * owner's profile needs no lookup, so that an outage of the embedding service leaves it standing (REC-15, REC-19).
 */
export function shownBlocks(permitted: readonly BlockKind[], mode: MemoryLookup['mode']): readonly BlockKind[] {
  return mode === 'hybrid' ? permitted : permitted.filter((kind) => kind === 'profile')
}

function isShort(text: string): boolean {
  return [...text.normalize('NFC').trim()].length <= MAX_SHORT_TEXT
}
