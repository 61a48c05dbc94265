import type { ContextBlock } from '@mono-agent/memory-store'
import type { IndexReader } from '@mono-agent/memory-search'
import { OWNER_ENTITY } from '../capture/contract/bounds.js'
import { factNames } from './fact-names.js'
import { statedFacts } from './facts.js'
import { ownerProfile } from './owner-profile.js'
import type { Vantage } from './types.js'

/** Labelled memories that a profile is chosen from, the newest of each kind: it shows a handful. */
const MAX_PROFILE_SOURCES = 200

export interface StoreProfile {
  /** Absent where nothing qualifies. */
  readonly block?: ContextBlock
  /** Whether there is any label to make one from. */
  readonly hasLabels: boolean
}

/** The owner profile of a bujo store (REC-19), whether or not it is switched on. Two indexed reads; asks no service. */
export function profileOfStore(index: IndexReader, vantage: Vantage): StoreProfile {
  const facts = index.labelled({ kind: 'fact', entityId: OWNER_ENTITY }, MAX_PROFILE_SOURCES)
  const preferences = index.labelled({ kind: 'preference', scopes: ['agent'] }, MAX_PROFILE_SOURCES)
  const block = ownerProfile({ facts, preferences }, vantage, factNames(index, statedFacts(facts, vantage)))
  return { ...(block === undefined ? {} : { block }), hasLabels: facts.length + preferences.length > 0 }
}
