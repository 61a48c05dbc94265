import { parseLabelValue, type LabelScope } from '@mono-agent/memory-bujo'
import type { KnownTurn } from './known-turn.js'

/**
 * Whose preferences and lessons may be shown in a turn, in the order in which they are: of the sender, of the
 * conversation, of the project, of the agent. The agent's own are its owner's, and nobody else sees them.
 */
export function scopesOf({
  speaker,
  conversationId,
  project,
}: Pick<KnownTurn, 'speaker' | 'conversationId' | 'project'>): readonly LabelScope[] {
  const isVerified = speaker.kind !== 'unknown'
  const scopes: LabelScope[] = []
  if (isVerified && speaker.token !== undefined) scopes.push(`user:${speaker.token}`)
  scopes.push(`conversation:${conversationId}`)
  if (project !== undefined) scopes.push(`project:${project}`)
  if (speaker.kind === 'owner') scopes.push('agent')
  return scopes.filter(isScope)
}

/** A token or id that no label can carry has none to show either (FMT-6). */
function isScope(scope: LabelScope): boolean {
  return parseLabelValue({ v: 1, kind: 'lesson', scope, verified: false }) !== undefined
}
