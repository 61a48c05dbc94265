import type { IndexedMemory, IndexReader } from '@mono-agent/memory-search'
import { recordsOf } from '../chronology/snapshot.js'
import type { IntentReview, ListedMemory, OwnerProfile } from '../types.js'
import { composeContext } from './compose-context.js'
import type { RecallParts } from './create-recall.js'
import { intentReview } from './intent-review.js'
import { listedMemory } from './listed-memory.js'
import { profileOfStore } from './profile-of-store.js'
import type { Vantage } from './types.js'

/** What operators are shown without asking a question. No service is asked. */
export interface Listings {
  listed(memory: IndexedMemory): ListedMemory
  /** @param withHistory  also what was superseded or has ended */
  top(index: IndexReader, limit: number, withHistory: boolean): readonly ListedMemory[]
  ownerProfile(index: IndexReader): Omit<OwnerProfile, 'stale'>
  intentReview(index: IndexReader): Promise<Omit<IntentReview, 'stale'>>
}

/** All of time that an instant may be of. */
const EVER = { from: -8.64e15, before: Infinity }

export function createListings({ tier, settings, now, timeZone, maxBytes }: RecallParts): Listings {
  const { tier: kind } = tier.identity
  const vantage = (): Vantage => ({ at: now(), timeZone, intentExpiry: settings.intentExpiry })
  const listed = (memory: IndexedMemory): ListedMemory => listedMemory(memory, vantage(), kind)

  return {
    listed,
    top(index, limit, withHistory) {
      if (withHistory) return index.top(limit).map(listed)
      // Of history there may be any amount among the most salient: as much more is read as it takes.
      for (let read = limit; ; read *= 2) {
        const rows = index.top(read)
        const current = rows.map(listed).filter(isNoHistory)
        if (current.length >= limit || rows.length < read) return current.slice(0, limit)
      }
    },
    ownerProfile(index) {
      const { profile: enabled } = settings
      const nothing = { enabled, text: '', memoryIds: [] }
      if (kind !== 'bujo') return { ...nothing, absent: 'not_bujo' }
      const { block, hasLabels } = profileOfStore(index, vantage())
      if (!hasLabels) return { ...nothing, absent: 'no_labels' }
      if (block === undefined) return { ...nothing, absent: 'none_eligible' }
      const { text, memoryIds } = composeContext([block], { maxBytes })
      return text === '' ? { ...nothing, absent: 'no_room' } : { enabled, text, memoryIds }
    },
    async intentReview(index) {
      const { intentExpiry: enabled } = settings
      if (kind !== 'bujo') return { enabled, notes: [], absent: 'not_bujo' }
      const dated = new Map<string, IndexedMemory>()
      for await (const { memory } of recordsOf(index, EVER)) if (memory.type === 'note') dated.set(memory.id, memory)
      return { enabled, notes: intentReview([...dated.values()], vantage()) }
    },
  }
}

const isNoHistory = ({ currentness }: ListedMemory): boolean => currentness === undefined || currentness === 'current'
