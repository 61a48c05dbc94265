import { cutAtGrapheme } from '@mono-agent/memory-store'
import { withoutForgedWords } from './forged-words.js'
import { plainLine } from './plain-line.js'

const ELLIPSIS = '…'
const ELLIPSIS_BYTES = Buffer.byteLength(ELLIPSIS)

/**
 * Stored text as an agent reads it: the only way by which any gets into a block, a note or a tool's result. One line, whatever
 * the text: it holds no control, bidi or zero-width character (`plainLine`), cannot open or close a tag or a fence, and cannot
 * say of itself when it was recorded or who vouches for it (`withoutForgedWords`). Honest text of any script comes through as
 * it is. Doing it twice, within the same bound, changes nothing more.
 * @param maxBytes  of UTF-8, the `…` of a cut included; cut between grapheme clusters. Below 3, text that is longer is empty
 */
export function shownText(text: string, maxBytes = Infinity): string {
  const line = withoutForgedWords(plainLine(text))
  if (Buffer.byteLength(line) <= maxBytes) return line
  if (maxBytes < ELLIPSIS_BYTES) return ''
  return cutAtGrapheme(line, maxBytes - ELLIPSIS_BYTES).trimEnd() + ELLIPSIS
}
