import type { Exchange, RequestError } from '../exchange.js'
import type { Embedder } from '../types.js'
import { shortenVector, type DistortedVector } from '../vectors.js'

export interface EmbeddingRequest {
  readonly embedder: Embedder
  readonly texts: readonly string[]
  /** Shortens vectors; absent for the model's own dimension. */
  readonly dimensions?: number | undefined
  /** What to answer to a text over the context; without it the text is cut. */
  readonly tooLong?: (tokens: number, contextTokens: number) => RequestError
}

/** The vectors to send, and the tokens that were looked at. */
export async function embedTexts(
  { embedder, texts, dimensions, tooLong }: EmbeddingRequest,
  { signal, distort }: Exchange,
): Promise<{ vectors: DistortedVector[]; tokens: number }> {
  const embedded = await embedder.embedCounted(texts, { signal })
  const longest = Math.max(0, ...embedded.map(({ tokens }) => tokens))
  if (tooLong !== undefined && longest > embedder.contextTokens) throw tooLong(longest, embedder.contextTokens)
  const vectors = embedded.map(({ vector }) => (dimensions === undefined ? vector : shortenVector(vector, dimensions)))
  const tokens = embedded.reduce((sum, one) => sum + Math.min(one.tokens, embedder.contextTokens), 0)
  return { vectors: distort(vectors), tokens }
}

/** The texts of a request, or null if `input` holds anything else. A single string is one text. */
export function inputTexts(input: unknown): string[] | null {
  const list: unknown[] = Array.isArray(input) ? input : [input]
  return list.every((text): text is string => typeof text === 'string') ? list : null
}
