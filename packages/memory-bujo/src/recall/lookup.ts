import type { AutomaticRequest, ContextBlock, LabelScope, MemoryLookup, RecallOutcome } from '@mono-agent/memory-store'
import type { Calibration, IndexIdentity, IndexReader } from '@mono-agent/memory-search'
import { automaticBlocks } from './automatic-blocks.js'
import { deliberateRecall } from './deliberate-recall.js'
import type { DirectHits } from './rank-direct.js'
import { checkNarrowing, DEFAULT_HITS, requireLimit } from './recall-request.js'
import type { RecallSettings } from './recall-settings.js'
import type { Vantage } from './types.js'

/** Preferences and lessons of narrower scopes belong to somebody, so a caller has to name them. */
const DEFAULT_SCOPES: readonly LabelScope[] = ['agent']

/** What a look found, and from where it was taken. */
export interface LookedUp {
  readonly index: IndexReader
  readonly tier: IndexIdentity['tier']
  readonly settings: RecallSettings
  readonly query: string
  readonly direct: DirectHits
  /** As it was when the hits were ranked. */
  readonly calibration: Calibration
  readonly vantage: Vantage
  /** Epoch milliseconds, of a look back (REC-9). */
  readonly asOf?: number | undefined
  /** Of the entity that was asked about; empty where nobody is called so. */
  readonly aboutEntities?: readonly string[] | undefined
  readonly kind?: 'preference' | 'lesson' | undefined
  /** The one conversation that was asked about. */
  readonly conversationId?: string | undefined
  readonly scopes?: readonly LabelScope[] | undefined
}

/** Direct hits, ranked once; what several answers of a turn are made from (REC-12, 13). */
export class Lookup implements MemoryLookup {
  readonly mode: DirectHits['mode']
  readonly degraded?: { readonly reason: string }

  constructor(private readonly found: LookedUp) {
    const { mode, degraded } = found.direct
    this.mode = mode
    if (degraded !== undefined) this.degraded = degraded
  }

  recall(options: Parameters<MemoryLookup['recall']>[0] = {}): RecallOutcome {
    const { limit = DEFAULT_HITS, scopes = this.found.scopes ?? DEFAULT_SCOPES, ...rest } = options
    requireLimit(limit)
    checkNarrowing({ scopes, ...rest }, this.found.tier)
    return deliberateRecall(this.found, { ...rest, limit, scopes })
  }

  automatic(request: AutomaticRequest): readonly ContextBlock[] {
    return automaticBlocks(this.found, { scopes: DEFAULT_SCOPES, message: this.found.query, ...request })
  }
}
