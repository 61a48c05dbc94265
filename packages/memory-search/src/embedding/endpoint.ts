import { plainEndpoint } from '../service/endpoint.js'
import { EmbeddingError } from './errors.js'

/**
 * The address of a service without a slash at its end.
 * @throws {EmbeddingError} `embedding_endpoint_invalid`; the address itself is not repeated, it may hold a password
 */
export function parseEndpoint(endpoint: string): string {
  const plain = plainEndpoint(endpoint)
  if (plain === undefined) throw new EmbeddingError('embedding_endpoint_invalid')
  return plain
}
