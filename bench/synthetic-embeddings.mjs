// Embeddings that cost next to nothing, so that a bench measures the store and not a model: unit vectors drawn from the
// hash of the text, near-orthogonal for different texts.
import { completeEmbeddingProvider } from '../packages/memory-search/dist/index.js'

export const DIMENSION = 768

function vectorOf(text) {
  let state = 2166136261
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 16777619)
  const vector = new Float32Array(DIMENSION)
  for (let at = 0; at < DIMENSION; at++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    vector[at] = state / 2 ** 31
  }
  return vector
}

/** @param answer  what to do instead of answering, such as failing */
export const syntheticEmbeddings = (answer) =>
  completeEmbeddingProvider(
    {
      provider: 'bench',
      model: 'hash',
      dimension: DIMENSION,
      embed: answer ?? (async (texts) => texts.map(vectorOf)),
    },
    { monotonicNow: () => performance.now() },
  )

/** The configuration of a journal store on them. */
export const journalConfig = (path) => ({ mode: 'journal', path, embeddings: { model: 'hash', dim: DIMENSION } })
