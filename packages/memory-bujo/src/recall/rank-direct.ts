import { contentHash } from '@mono-agent/memory-store'
import type { IndexReader, Ranking, RankRequest } from '@mono-agent/memory-search'
import { setImmediate as nextTurnOfLoop } from 'node:timers/promises'
import type { QueryVectors } from './query-vector.js'
import { MAX_HITS } from './recall-request.js'

/** Some memories have no vector yet and are judged by words alone. */
const PENDING = 'vectors_pending'

/** Memories that ended since an instant whose words are embedded for a look back; the others are judged by words. */
export const MAX_ENDED_VECTORS = 32

export interface RankingParts {
  readonly index: IndexReader
  /** In tiers with embeddings. */
  readonly vectorOf?: QueryVectors
}

/** The direct hits of one query: the best fifty with all that made them so, before anything is cut. */
export interface DirectHits extends Ranking {
  readonly mode: 'hybrid' | 'lexical'
  readonly degraded?: { readonly reason: string }
}

/** What is ranked beside the query itself. */
export interface DirectRequest extends Omit<RankRequest, 'query' | 'limit' | 'vector' | 'explain' | 'endedVectors'> {
  readonly query: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Ranks by words and meaning, and in lite by words. Without the query's vector, because the service failed or is slow, it
 * is a ranking by words, and says so: never an error, for recall has to work when a service does not (SEA-14, REC-8).
 * @throws the signal's reason when it is aborted, which cancels the request to the service
 */
export async function rankDirect(parts: RankingParts, { signal, ...asked }: DirectRequest): Promise<DirectHits> {
  const { index, vectorOf } = parts
  const request: RankRequest = { ...asked, limit: MAX_HITS }
  const waiting = signal === undefined ? {} : { signal }
  const byWords = async (): Promise<DirectHits> => ({ ...(await index.rankAside(request, waiting)), mode: 'lexical' })
  if (vectorOf === undefined) return byWords()
  const text = index.embeddable(asked.query)
  if (text.trim() === '') return byWords()
  const vector = await vectorOf(text, signal)
  if (typeof vector === 'string') return { ...(await byWords()), degraded: { reason: vector } }
  const ended = asked.asOf === undefined ? NONE_ENDED : await endedVectors(index, vectorOf, asked.asOf, signal)
  await nextTurnOfLoop() // many answers of the service may come at once; the host has its turns between the rankings
  const ranking = await index.rankAside({ ...request, vector, endedVectors: ended.vectors }, waiting)
  const reason = ended.missing ?? (index.countMissingVectors() > 0 ? PENDING : undefined)
  return { ...ranking, mode: 'hybrid', ...(reason === undefined ? {} : { degraded: { reason } }) }
}

interface EndedVectors {
  /** By content hash. */
  readonly vectors: ReadonlyMap<string, Float32Array>
  /** Why some are not there. */
  readonly missing?: string
}

const NONE_ENDED: EndedVectors = { vectors: new Map() }

/** Vectors of what was live at an instant and is not any more: the index keeps none of them. */
async function endedVectors(
  index: IndexReader,
  vectorOf: QueryVectors,
  asOf: number,
  signal: AbortSignal | undefined,
): Promise<EndedVectors> {
  const ended = index.endedSince(asOf, MAX_ENDED_VECTORS + 1)
  const texts = [...new Set(ended.slice(0, MAX_ENDED_VECTORS).map(({ text }) => text))]
  if (texts.length === 0) return NONE_ENDED
  const made = await vectorOf.ofMemories(texts, signal)
  if (typeof made === 'string') return { ...NONE_ENDED, missing: made }
  const vectors = new Map(texts.map((text, at) => [contentHash(text), made[at] as Float32Array]))
  return ended.length > MAX_ENDED_VECTORS ? { vectors, missing: PENDING } : { vectors }
}
