import type { LabelScope, MemoryLookup, MemoryStore, RecallOptions } from '@mono-agent/memory-bujo'

/** Most hits of one recall (REC-1). */
const MAX_HITS = 50
const DEFAULT_HITS = 10

export interface LookOptions extends Pick<RecallOptions, 'kind' | 'about' | 'signal'> {
  readonly apartFrom?: string
  readonly scopes?: readonly LabelScope[]
}

/**
 * One look at a store. A backend without `lookUp` is asked by `recallWithOutcome`, once, and its answer kept in its own
 * order; nothing automatic is made of it, for it does not say what its scores are worth.
 */
export async function lookAtStore(store: MemoryStore, query: string, options: LookOptions): Promise<MemoryLookup> {
  const { scopes, apartFrom, ...filters } = options
  if (store.lookUp !== undefined) {
    return store.lookUp(query, { ...filters, ...(apartFrom === undefined ? {} : { apartFrom }) })
  }
  const asked = { ...filters, limit: MAX_HITS, ...(scopes === undefined ? {} : { scopes }) }
  const outcome = await store.recallWithOutcome(query, asked)
  const { mode, degraded } = outcome
  return {
    mode,
    ...(degraded === undefined ? {} : { degraded }),
    recall({ limit = DEFAULT_HITS } = {}) {
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_HITS) {
        throw new RangeError(`limit must be 1..${MAX_HITS}`)
      }
      return { ...outcome, hits: outcome.hits.slice(0, limit) }
    },
    automatic: () => [],
  }
}
