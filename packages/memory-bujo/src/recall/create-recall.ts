import type {
  ChronologyRequest,
  ChronologySnapshot,
  LoadedContext,
  LoadRequest,
  MemoryLookup,
  RecallOptions,
  RecallOutcome,
} from '@mono-agent/memory-store'
import { UNCALIBRATED, type IndexReader } from '@mono-agent/memory-search'
import { takeChronology } from '../chronology/snapshot.js'
import type { Host } from '../host.js'
import type { ReadingTier } from '../tiers/tier.js'
import { composeContext } from './compose-context.js'
import { Lookup } from './lookup.js'
import { rankDirect } from './rank-direct.js'
import {
  checkRequest,
  DEFAULT_HITS,
  entitiesAbout,
  filterOf,
  requireLimit,
  type LookUpOptions,
} from './recall-request.js'
import type { RecallSettings } from './recall-settings.js'

export interface RecallParts {
  readonly tier: ReadingTier
  readonly settings: RecallSettings
  /** Epoch milliseconds. */
  readonly now: Host['now']
  /** IANA zone of the host's civil day. */
  readonly timeZone: string
  /** UTF-8 bytes one load may return. */
  readonly maxBytes: number
}

/** What every store, open for writing or reading, offers to read its memories. */
export interface Recall {
  lookUp(index: IndexReader, query: string, options?: LookUpOptions): Promise<MemoryLookup>
  recallWithOutcome(index: IndexReader, query: string, options?: RecallOptions): Promise<RecallOutcome>
  load(index: IndexReader, request: LoadRequest): Promise<LoadedContext>
  chronology(index: IndexReader, request: ChronologyRequest): Promise<ChronologySnapshot>
}

export function createRecall(parts: RecallParts): Recall {
  const { tier, settings, now, timeZone, maxBytes } = parts

  const lookUp = async (index: IndexReader, query: string, options: LookUpOptions = {}): Promise<Lookup> => {
    const { about, kind, scopes, conversationId, apartFrom, signal } = options
    const asOf = checkRequest(query, options, tier.identity.tier)
    const aboutEntities = about === undefined ? undefined : entitiesAbout(index, about, asOf)
    const filter = filterOf(options, aboutEntities)
    const direct = await rankDirect(
      { ...tier, index },
      {
        query,
        signal,
        ...(asOf === undefined ? {} : { asOf }),
        ...(filter === undefined ? {} : { filter }),
        ...(conversationId === undefined ? {} : { conversationId }),
        ...(apartFrom === undefined ? {} : { apartFrom }),
      },
    )
    const vantage = { at: asOf ?? now(), timeZone, intentExpiry: settings.intentExpiry }
    return new Lookup({
      index,
      tier: tier.identity.tier,
      settings,
      query,
      direct,
      calibration: index.calibration() ?? UNCALIBRATED,
      vantage,
      asOf,
      aboutEntities,
      kind,
      scopes,
      conversationId,
    })
  }

  return {
    lookUp,
    async chronology(index, request) {
      return takeChronology(index, request, { at: now(), timeZone, intentExpiry: settings.intentExpiry })
    },
    async recallWithOutcome(index, query, options = {}) {
      const { limit = DEFAULT_HITS, explain } = options
      requireLimit(limit)
      const found = await lookUp(index, query, options)
      return found.recall({ limit, ...(explain === undefined ? {} : { explain }) })
    },
    async load(index, { text, conversationId, signal }) {
      const about = { ...(conversationId === undefined ? {} : { conversationId }) }
      const found = await lookUp(index, text, {
        ...(conversationId === undefined ? {} : { apartFrom: conversationId }),
        ...(signal === undefined ? {} : { signal }),
      })
      if (found.mode === 'lexical') return { text: '', memoryIds: [], silence: 'lexical_only' }
      const { text: composed, memoryIds } = composeContext(found.automatic({ ...about, blocks: ['relevant'] }), {
        maxBytes,
      })
      return { text: composed, memoryIds }
    },
  }
}
