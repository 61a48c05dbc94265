import { EmbeddingError } from './errors.js'

/**
 * Vectors as a service sent them → as many as texts, of `dimension`, finite, of unit length (SEA-3).
 * @throws {EmbeddingError} `embedding_invalid`, `embedding_dimension`; no vector is handed out if one is bad
 */
export function checkVectors(answer: unknown, count: number, dimension: number): Float32Array[] {
  if (!Array.isArray(answer)) throw new EmbeddingError('embedding_invalid', { detail: 'there is no list of vectors' })
  if (answer.length !== count) {
    throw new EmbeddingError('embedding_invalid', { detail: `${answer.length} vectors for ${count} texts` })
  }
  return answer.map((vector) => unitVector(vector, dimension))
}

function unitVector(vector: unknown, dimension: number): Float32Array {
  if (!Array.isArray(vector) && !(vector instanceof Float32Array) && !(vector instanceof Float64Array)) {
    throw new EmbeddingError('embedding_invalid', { detail: 'a vector is no list of numbers' })
  }
  if (vector.length !== dimension) {
    throw new EmbeddingError('embedding_dimension', { detail: `configured ${dimension}, received ${vector.length}` })
  }
  const largest = largestMagnitude(vector)
  if (largest === 0) {
    throw new EmbeddingError('embedding_invalid', { detail: 'a vector is all zeros', concerns: 'text' })
  }
  // Divided by the largest first: squares of very large or small numbers leave the range of doubles.
  let squares = 0
  for (const component of vector as ArrayLike<number> & Iterable<number>) squares += (component / largest) ** 2
  const length = Math.sqrt(squares)
  return Float32Array.from(vector as ArrayLike<number>, (component) => component / largest / length)
}

function largestMagnitude(vector: Iterable<unknown>): number {
  let largest = 0
  for (const component of vector) {
    if (typeof component !== 'number' || !Number.isFinite(component)) {
      throw new EmbeddingError('embedding_invalid', {
        detail: 'a vector holds what is no finite number',
        concerns: 'text',
      })
    }
    largest = Math.max(largest, Math.abs(component))
  }
  return largest
}
