import type { IndexedMemory } from '@mono-agent/memory-search'
import type { PreferenceLabel } from '@mono-agent/memory-store'
import { OWNER_ENTITY } from '../contract/bounds.js'
import type { AdmittedMemory, CaptureTurn } from '../types.js'
import { isOwnersWord } from './attribution.js'

/**
 * Whether a new memory may take the place of what the store holds, or change its words (CAP-16). Otherwise the change is
 * added beside it. One rule for each thing that a line may be; all must agree.
 */
export function mayReplace(memory: AdmittedMemory, target: IndexedMemory, turn: CaptureTurn): boolean {
  return RULES.every((allows) => allows(memory, target, turn))
}

type Rule = (memory: AdmittedMemory, target: IndexedMemory, turn: CaptureTurn) => boolean

/** Lessons are never replaced. */
const lessons: Rule = (_memory, target) => !labelsOf(target).some(({ kind }) => kind === 'lesson')

/** Preferences only if they are the owner's own, and by the owner's own words; peers' and projects' never. */
const preferences: Rule = (memory, target, turn) => {
  const held = preferencesOf(target)
  return held.length === 0 || (isOwnersWord(memory, turn) && held.every(({ scope }) => isOwn(scope, turn)))
}

/** The user's word wins over what others say, the owner's over what other users say. */
const statements: Rule = (memory, target, turn) => {
  const stated = labelsOf(target).filter((label) => label.kind === 'fact' && label.attribution === 'user-stated')
  if (stated.some((label) => label.kind === 'fact' && label.entityId === OWNER_ENTITY)) {
    return isOwnersWord(memory, turn)
  }
  return isNobodys(target) || memory.source === 'user'
}

/** A note that is scheduled, done or dropped is an intention (CAP-24): no document, tool or other speaker changes one. */
const intentions: Rule = (memory, target, turn) => !isIntention(target) || isOwnersWord(memory, turn)

/**
 * Whether no human said it. A line of which nothing tells that is none of those: a person wrote it, or had it remembered, and
 * no page that the agent happens to read may reword it.
 */
function isNobodys(target: IndexedMemory): boolean {
  const facts = labelsOf(target).flatMap((label) => (label.kind === 'fact' ? [label.attribution] : []))
  const saidBy = [...(target.attribution === undefined ? [] : [target.attribution]), ...facts]
  return saidBy.length > 0 && saidBy.every((one) => one === 'document' || one === 'assistant-inferred')
}

const RULES: readonly Rule[] = [lessons, preferences, statements, intentions]

export function isIntention({ type, status }: IndexedMemory): boolean {
  return type === 'note' && status !== 'open'
}

export function isPreference(target: IndexedMemory): boolean {
  return preferencesOf(target).length > 0
}

function isOwn(scope: PreferenceLabel['scope'], { senderToken }: CaptureTurn): boolean {
  return scope === 'agent' || (senderToken !== undefined && scope === `user:${senderToken}`)
}

function preferencesOf(target: IndexedMemory): PreferenceLabel[] {
  return labelsOf(target).filter((label): label is PreferenceLabel => label.kind === 'preference')
}

const labelsOf = ({ labels = [] }: IndexedMemory): NonNullable<IndexedMemory['labels']> => labels
