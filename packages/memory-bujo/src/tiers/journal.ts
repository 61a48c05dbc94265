import type { EmbeddingProvider } from '@mono-agent/memory-search'
import type { Host } from '../host.js'
import { draftJournalObservation } from '../projection/draft-journal.js'
import { sortByContent } from '../projection/known-content.js'
import { recallHybrid } from '../recall/hybrid.js'
import type { Tier } from './tier.js'

/** Host observations, each content once, found by words and by meaning (CAP-2). */
export const journalTier = (embed: EmbeddingProvider, { sleep }: Pick<Host, 'sleep'>): Tier => ({
  identity: { tier: 'journal', ...embed.identity },
  embed,
  draft: draftJournalObservation,
  sorting: sortByContent,
  recall: (index, query, options) => recallHybrid({ embed, sleep }, index, query, options),
})
