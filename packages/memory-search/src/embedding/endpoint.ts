import { EmbeddingError } from './errors.js'

/**
 * The address of a service without a slash at its end.
 * @throws {EmbeddingError} `embedding_endpoint_invalid`; the address itself is not repeated, it may hold a password
 */
export function parseEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  const isPlain =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '')
  if (!isPlain) throw new EmbeddingError('embedding_endpoint_invalid')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
