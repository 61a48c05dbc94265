import { utcDay, type ContextBlock, type FactLabel, type PreferenceLabel } from '@mono-agent/memory-store'
import type { IndexedMemory } from '@mono-agent/memory-search'
import { OWNER_ENTITY } from '../capture/contract/bounds.js'
import { hasBegun, hasPassed, standingOf } from './currentness.js'
import { conflictsOf } from './evidence-note.js'
import { statedFacts } from './facts.js'
import { recordedOn } from './recorded-note.js'
import { shownText } from './shown-text.js'
import type { EntityNames, Vantage } from './types.js'

/** Code points of the profile, heading and line breaks included (REC-19). */
export const MAX_PROFILE_CODE_POINTS = 600

const HEADING = 'Owner profile, as the owner said it; may be outdated:'

export interface ProfileSources {
  /** Memories with a fact label of the owner. */
  readonly facts: readonly IndexedMemory[]
  /** Memories with a preference label of the agent's scope. */
  readonly preferences: readonly IndexedMemory[]
}

/**
 * Who the owner is, in their own words (REC-19): open notes that they stated facts of themselves or preferences of the agent
 * in, and that stand. Left out are events (what happened is no trait), tasks and notes with a `due` (what is planned is none
 * either), what has ended or has not begun, what not only the owner vouches for, and facts whose values differ. Whole
 * entries, those of the newest day first, then by id; one that does not fit does not keep shorter ones out. Undefined where
 * none is left.
 * @param sources  in any order; a memory may be in both
 */
export function ownerProfile(
  { facts, preferences }: ProfileSources,
  vantage: Vantage,
  names: EntityNames,
): ContextBlock | undefined {
  const conflicting = conflictingIds(facts, vantage, names)
  const entries = [...new Map([...facts, ...preferences].map((memory) => [memory.id, memory])).values()]
    .filter((memory) => isTrait(memory, vantage) && !conflicting.has(memory.id))
    .sort((a, b) => compare(utcDay(b.createdAt), utcDay(a.createdAt)) || compare(a.id, b.id))
    .map((memory) => ({ text: `- – ${shownText(memory.text)} (${recordedOn(memory)})`, memoryIds: [memory.id] }))
  let left = MAX_PROFILE_CODE_POINTS - [...HEADING].length
  const lines = entries.filter(({ text }) => {
    const length = [...text].length + 1
    if (length > left) return false
    left -= length
    return true
  })
  return lines.length === 0 ? undefined : { kind: 'profile', heading: HEADING, lines }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function isTrait(memory: IndexedMemory, vantage: Vantage): boolean {
  const { type, status, dueAt, attribution, labels = [] } = memory
  if (type !== 'note' || status !== 'open' || dueAt !== undefined) return false
  if (standingOf(memory, vantage).state !== 'current') return false
  const vouched = labels.filter((label) => label.kind !== 'lesson')
  const ownersAlone =
    vouched.every((label) => label.attribution === 'user-stated') && (attribution ?? 'user-stated') === 'user-stated'
  return ownersAlone && vouched.some(isOfOwner) && vouched.every((label) => isInForce(label, vantage))
}

type Vouched = FactLabel | PreferenceLabel

const isOfOwner = (label: Vouched): boolean =>
  label.kind === 'fact' ? label.entityId === OWNER_ENTITY : label.scope === 'agent'

/** One sentence says all that its labels say, so none of them may be over. */
const isInForce = (label: Vouched, vantage: Vantage): boolean =>
  label.kind === 'preference' ||
  ((label.validTo === undefined || !hasPassed(label.validTo, vantage)) &&
    (label.validFrom === undefined || hasBegun(label.validFrom, vantage)))

/** Memories whose current facts of the owner say different things, whoever vouches for them. */
function conflictingIds(facts: readonly IndexedMemory[], vantage: Vantage, names: EntityNames): Set<string> {
  const current = statedFacts(facts, vantage).filter(
    ({ entityId, isCurrent }) => entityId === OWNER_ENTITY && isCurrent,
  )
  const keys = new Set(conflictsOf(current, names).flatMap((values) => values.map(({ key }) => key)))
  return new Set(current.filter(({ key }) => keys.has(key)).map(({ memory }) => memory.id))
}
