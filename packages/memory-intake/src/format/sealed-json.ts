import { canonicalJson, sha256Hex } from '@mono-agent/memory-store'

const PREFIX = '{"checksum":"'
/** The checksum, its closing quote and the comma. */
const HEADER_LENGTH = PREFIX.length + 64 + 2
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * One line of JSON that tells whether it is whole: its first property is the SHA-256 of the line without that property,
 * canonical JSON with sorted keys. Catalog, marker, records and receipts are written this way.
 * @param value  an object with at least one property and none called `checksum`
 */
export function sealJson(value: object): Uint8Array {
  return sealText(canonicalJson(value))
}

/** `sealJson` of text that is canonical JSON of an object already. */
export function sealText(canonical: string): Uint8Array {
  return Buffer.from(`${PREFIX}${sha256Hex(canonical)}",${canonical.slice(1)}\n`, 'utf8')
}

/** @returns the value without its checksum; undefined if a single byte is not as `sealJson` wrote it */
export function unsealJson(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return undefined // not UTF-8: not ours
  }
  if (!text.startsWith(PREFIX) || !text.endsWith('}\n') || text.length <= HEADER_LENGTH) return undefined
  const canonical = `{${text.slice(HEADER_LENGTH, -1)}`
  if (text.slice(PREFIX.length, HEADER_LENGTH) !== `${sha256Hex(canonical)}",`) return undefined
  return JSON.parse(canonical) as unknown
}
