import { draftObservation } from '../projection/draft-observation.js'
import { everyDraftIsFresh } from '../projection/known-content.js'
import { recallLexical } from '../recall/lexical.js'
import type { Tier } from './tier.js'

/** Keyword search over host observations; no service, no model (CAP-1). */
export const liteTier: Tier = {
  identity: { tier: 'lite' },
  draft: draftObservation,
  sorting: () => everyDraftIsFresh,
  recall: (index, query, options) => Promise.resolve(recallLexical(index, query, options)),
}
