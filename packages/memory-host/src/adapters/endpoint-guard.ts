import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** What a request to an endpoint must show. */
export interface EndpointKeys {
  readonly bearer: string
  /** `127.0.0.1:port`. */
  readonly authority: string
  readonly path: string
}

export interface EndpointRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
}

export interface Refusal {
  readonly status: 401 | 403 | 404 | 405
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Why a request is refused, or undefined. The bearer is asked for first: without it nobody learns what else is right or
 * wrong. `Host` and `Origin` are checked besides, since a page in a browser can be made to call a loopback address.
 */
export function refusalOf({ method, url, headers }: EndpointRequest, keys: EndpointKeys): Refusal | undefined {
  if (!isSame(headers.authorization ?? '', `Bearer ${keys.bearer}`)) {
    return { status: 401, headers: { 'www-authenticate': 'Bearer' } }
  }
  const isForeign = headers.origin !== undefined && headers.origin !== `http://${keys.authority}`
  if (headers.host !== keys.authority || isForeign) return { status: 403 }
  if (url !== keys.path) return { status: 404 }
  // Each request stands for itself: there is neither a session to end (DELETE) nor a stream to listen to (GET).
  if (method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
  return undefined
}

/** In constant time, whatever the lengths. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
