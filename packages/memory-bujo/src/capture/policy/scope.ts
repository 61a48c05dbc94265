import type { LabelScope } from '@mono-agent/memory-store'
import type { CaptureTurn, ExtractedScope } from '../types.js'
import { fitsFormat } from './label-format.js'

/**
 * How far a preference or lesson reaches (CAP-9): `agent` only on an owner turn, otherwise the sender's token, otherwise the
 * conversation; a project only where the user named it. Never further than was asked for.
 * @param isFirstParty  the sender's own words, or what the host saw happen; anything else reaches its conversation at most,
 *   so that a document cannot tell the agent what its owner likes
 * @returns undefined if there is no scope for it
 */
export function scopeOf(requested: ExtractedScope, turn: CaptureTurn, isFirstParty: boolean): LabelScope | undefined {
  if (isProject(requested)) return namesProject(turn.userText ?? '', requested) ? requested : undefined
  const isHuman = isFirstParty && turn.speakerKind === 'human-turn'
  if (requested === 'agent' && isHuman && turn.isOwnerTurn) return 'agent'
  const { senderToken, conversationId } = turn
  if (requested !== 'conversation' && isHuman && senderToken !== undefined) {
    const scope: LabelScope = `user:${senderToken}`
    if (isScope(scope)) return scope
  }
  if (conversationId === undefined) return undefined
  const scope: LabelScope = `conversation:${conversationId}`
  return isScope(scope) ? scope : undefined
}

const isProject = (scope: ExtractedScope): scope is `project:${string}` => scope.startsWith('project:')

const isScope = (scope: LabelScope): boolean => fitsFormat({ kind: 'preference', scope, attribution: 'unknown' })

/** People write `Mono Agent`, `mono-agent` and `mono_agent`; nothing but the slug's own letters counts. */
function namesProject(userText: string, scope: `project:${string}`): boolean {
  return ` ${spelled(userText)} `.includes(` ${spelled(scope.slice('project:'.length))} `)
}

/** ASCII words and numbers parted by single spaces; letters of other scripts part them as well, as they do in CJK. */
const spelled = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
