import { createHash } from 'node:crypto'
import { identityOfConfig, type EmbeddingProvider } from '@mono-agent/memory-search'

const DIMENSION = 768

/**
 * Vectors with the cosines a test asks for, under the identity of the default model, whose floors are the spec's figures:
 * every query is the same vector, and each text stands at the given cosine to it, in a direction of its own besides.
 * @param cosineOf  cosine of a stored text with every query, -1..1
 */
export function angleEmbeddings(cosineOf: (text: string) => number): EmbeddingProvider {
  const identity = identityOfConfig({ provider: 'ollama', model: 'nomic-embed-text:v1.5', dim: DIMENSION })
  const vectorOf = (text: string): Float32Array => {
    const vector = new Float32Array(DIMENSION)
    const cosine = cosineOf(text)
    const own = 1 + (createHash('sha256').update(text).digest().readUInt32BE(0) % (DIMENSION - 1))
    vector[0] = cosine
    vector[own] = Math.sqrt(1 - cosine * cosine)
    return vector
  }
  const query = new Float32Array(DIMENSION)
  query[0] = 1
  return {
    id: 'test:angles',
    identity,
    embed: (texts, { kind }) =>
      Promise.resolve(texts.map((text) => (kind === 'query' ? query.slice() : vectorOf(text)))),
  }
}
