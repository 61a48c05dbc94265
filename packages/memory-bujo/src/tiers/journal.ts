import type { EmbeddingProvider } from '@mono-agent/memory-search'
import type { Host } from '../host.js'
import { draftJournalObservation } from '../projection/draft-journal.js'
import { sortByContent } from '../projection/known-content.js'
import { createProjector } from '../projection/projector.js'
import { hybridReading } from './reading.js'
import type { Tier } from './tier.js'

/** Host observations, each content once, found by words and by meaning (CAP-2). */
export function journalTier(embed: EmbeddingProvider, host: Pick<Host, 'now' | 'monotonicNow' | 'sleep'>): Tier {
  return {
    ...hybridReading('journal', embed, host),
    openWork: ({ intake, writer, index, events }) =>
      Promise.resolve(
        createProjector(
          { intake, writer, events, draft: draftJournalObservation, sort: sortByContent(index, writer) },
          host,
        ),
      ),
  }
}
