import { evidenceForm } from '../contract/quotation.js'

const QUOTATION_MARKS = '["\'`\\p{Pi}\\p{Pf}\\p{Ps}\\p{Pe}]'
const AROUND = new RegExp(`^(?:${QUOTATION_MARKS}|\\s)+|(?:${QUOTATION_MARKS}|\\s)+$`, 'gu')

/**
 * Whether a quote only repeats a live line of the store, be it between quotation marks (CAP-28): no evidence of anything
 * new. Compared as quotes are, after NFKC and with white space folded.
 */
export function isEcho(quote: string, liveTexts: Iterable<string>): boolean {
  const said = bare(quote)
  if (said === '') return false
  for (const text of liveTexts) if (bare(text) === said) return true
  return false
}

const bare = (text: string): string => evidenceForm(text).replace(AROUND, '')
