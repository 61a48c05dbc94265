import type { EmbeddingProvider } from '@mono-agent/memory-search'
import type { Host } from '../host.js'
import { draftJournalObservation } from '../projection/draft-journal.js'
import { sortByContent } from '../projection/known-content.js'
import { recallHybrid } from '../recall/hybrid.js'
import { queryVectors } from '../recall/query-vector.js'
import type { Tier } from './tier.js'

/** Host observations, each content once, found by words and by meaning (CAP-2). */
export function journalTier(embed: EmbeddingProvider, { sleep }: Pick<Host, 'sleep'>): Tier {
  const vectorOf = queryVectors(embed, sleep)
  return {
    identity: { tier: 'journal', ...embed.identity },
    embed,
    draft: draftJournalObservation,
    sorting: sortByContent,
    recall: (index, query, options) => recallHybrid(vectorOf, index, query, options),
    stop: () => vectorOf.stop(),
  }
}
