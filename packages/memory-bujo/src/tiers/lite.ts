import { draftObservation } from '../projection/draft-observation.js'
import { everyDraftIsFresh } from '../projection/known-content.js'
import { createProjector } from '../projection/projector.js'
import type { Host } from '../host.js'
import { lexicalReading } from './reading.js'
import type { Tier } from './tier.js'

/** Keyword search over host observations; no service, no model (CAP-1). */
export function liteTier(host: Pick<Host, 'now' | 'monotonicNow' | 'sleep'>): Tier {
  return {
    ...lexicalReading,
    openWork: ({ intake, writer, events }) =>
      Promise.resolve(
        createProjector({ intake, writer, events, draft: draftObservation, sort: everyDraftIsFresh }, host),
      ),
  }
}
