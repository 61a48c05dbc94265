import { sha256Hex } from './sha256.js'
import { toWellFormed } from './well-formed.js'
import { foldWhiteSpace } from './white-space.js'

/** What makes two texts the same content (CAP-2): NFKC, white space folded, case kept; lone surrogates as U+FFFD. */
export function normaliseContent(text: string): string {
  return foldWhiteSpace(toWellFormed(text).normalize('NFKC'))
}

/** Content identity: SHA-256, 64 hex digits, of `normaliseContent(text)`. */
export function contentHash(text: string): string {
  return sha256Hex(normaliseContent(text))
}
