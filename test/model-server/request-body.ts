import type { IncomingMessage } from 'node:http'
import { inputTexts } from './protocols/embed-texts.js'

/** A batch of long texts stays far below. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

export interface RequestBody {
  /** Parsed JSON; the text if it is none; null without any. */
  readonly value: unknown
  readonly authorization: string | undefined
}

/** Null if the client left before it had said all. */
export async function readBody(message: IncomingMessage): Promise<RequestBody | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_BODY_BYTES) throw new Error(`A body of more than ${MAX_BODY_BYTES} bytes.`)
      chunks.push(chunk)
    }
  } catch (error) {
    if (message.destroyed && !message.complete) return null
    throw error
  }
  const text = Buffer.concat(chunks).toString('utf8')
  return { value: text === '' ? null : parsedOrText(text), authorization: message.headers.authorization }
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The texts of a request for embeddings, as far as it is one. */
export function textsOf(body: unknown): string[] {
  return isObject(body) && body['input'] !== undefined ? (inputTexts(body['input']) ?? []) : []
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
