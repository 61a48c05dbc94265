import type { DistortedVector } from './vectors.js'
import type { Protocol } from './types.js'

/** A request that is answered with an error in the service's own form. */
export class RequestError extends Error {
  override readonly name = 'RequestError'
  readonly status: number
  readonly code: string | null
  /** The parameter that OpenAI's form of an error names. */
  readonly param: string | null

  constructor(status: number, message: string, options: { code?: string; param?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.status = status
    this.code = options.code ?? null
    this.param = options.param ?? null
  }
}

/** What a handler gets: a parsed request, and what the fault of the hour does to vectors. */
export interface Exchange {
  readonly body: Readonly<Record<string, unknown>>
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal
  distort(vectors: readonly Float32Array[]): DistortedVector[]
}

/** An answer; more than one chunk is a stream. */
export interface Reply {
  readonly status: number
  readonly contentType: string
  readonly chunks: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
}

export interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: string
  handle(exchange: Exchange): Promise<Reply>
}

/** One service's paths, and the form it gives to errors. */
export interface ServiceProtocol {
  readonly name: Protocol
  readonly routes: readonly Route[]
  errorReply(error: RequestError): Reply
  /** What it says to a path that it does not have. */
  unknownPath(method: string, path: string): Reply
}

export function jsonReply(value: unknown, status = 200): Reply {
  return {
    status,
    contentType: 'application/json',
    chunks: [typeof value === 'string' ? value : JSON.stringify(value)],
  }
}

/** A field that must be a string that is not empty. */
export function stringField(body: Readonly<Record<string, unknown>>, field: string): string {
  const value = body[field]
  if (typeof value !== 'string' || value === '') throw new RequestError(400, `${field} is required`)
  return value
}
