import type { IncomingMessage } from 'node:http'
import type { Fault, LoggedRequest, Outcome, RequestLog } from './types.js'

const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'api-key', 'x-api-key', 'cookie'])

/** A logged request from the server's side: it alone writes. */
export type OpenRequest = { -readonly [Key in keyof LoggedRequest]: LoggedRequest[Key] } & {
  close(outcome: Outcome): void
}

export interface WritableRequestLog extends RequestLog {
  record(message: IncomingMessage, path: string, body: unknown, texts: readonly string[]): OpenRequest
}

export function createRequestLog(): WritableRequestLog {
  let entries: OpenRequest[] = []
  let waiting: { ordinal: number; resolve(entry: LoggedRequest): void }[] = []

  return {
    all: () => [...entries],
    to: (path) => entries.filter((entry) => entry.path === path),
    embeddings: () => entries.filter(({ texts }) => texts.length > 0),
    arrival: (ordinal) =>
      new Promise((resolve) => {
        const entry = entries[ordinal - 1]
        if (entry === undefined) waiting.push({ ordinal, resolve })
        else resolve(entry)
      }),
    clear() {
      entries = []
    },
    record(message, path, body, texts) {
      const entry = newEntry(message, path, body, texts)
      entries.push(entry)
      for (const { resolve } of waiting.filter(({ ordinal }) => ordinal === entries.length)) resolve(entry)
      waiting = waiting.filter(({ ordinal }) => ordinal !== entries.length)
      return entry
    },
  }
}

function newEntry(message: IncomingMessage, path: string, body: unknown, texts: readonly string[]): OpenRequest {
  let end: (outcome: Outcome) => void = () => undefined
  const entry: OpenRequest = {
    method: message.method ?? '',
    path,
    headers: withoutSecrets(message),
    body,
    texts,
    fault: null as Fault['kind'] | null,
    status: null,
    outcome: null,
    closed: new Promise<Outcome>((resolve) => (end = resolve)),
    close(outcome) {
      entry.outcome ??= outcome
      end(entry.outcome)
    },
  }
  return entry
}

function withoutSecrets({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || SECRET_HEADERS.has(name) ? [] : [[name, String(value)]],
    ),
  )
}
