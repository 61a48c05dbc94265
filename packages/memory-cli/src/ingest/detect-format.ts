import { parseJsonObject } from './json-object.js'

export const INGEST_FORMATS = ['turns', 'messages', 'chatgpt'] as const
export type IngestFormat = (typeof INGEST_FORMATS)[number]

/** Bytes of the file that detection may look at. */
export const DETECTION_BYTES = 64 * 1024

/**
 * Tells the format from the first bytes of a file: an array is a ChatGPT export; otherwise the first line that is an
 * object with `messages` or `runId` decides. A first line longer than the bytes is judged by the key names in it.
 * @returns undefined where nothing decides
 */
export function detectFormat(head: Uint8Array): IngestFormat | undefined {
  const text = new TextDecoder()
    .decode(head)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (text.startsWith('[')) return 'chatgpt'
  for (const line of text.split('\n')) {
    const json = parseJsonObject(line)
    if (json.kind !== 'object') continue
    if (Array.isArray(json.value['messages'])) return 'messages'
    if ('runId' in json.value) return 'turns'
  }
  if (/^\s*\{[^\n]*"messages"\s*:\s*\[/.test(text)) return 'messages'
  if (/^\s*\{[^\n]*"runId"\s*:\s*"/.test(text)) return 'turns'
  return undefined
}
