import { evidenceForm } from '../contract/quotation.js'
import { FULL_STOPS, withoutFullStop } from './full-stops.js'

const IN_QUOTATION_MARKS = /^["'`\p{Pi}\p{Pf}\p{Ps}\p{Pe}]\s*(.*?)\s*["'`\p{Pi}\p{Pf}\p{Ps}\p{Pe}]$/su

/**
 * The wordings under which a live line is known again in a quote: as it stands, without quotation marks around it, and with
 * its full stop lost, added or another (CAP-28): such a quote is no evidence of anything new. In evidence form, whose content hash is that
 * of the line.
 */
export function wordingsOf(quote: string): ReadonlySet<string> {
  const wordings = new Set<string>()
  for (let words: string | undefined = evidenceForm(quote); words !== undefined && words !== '';) {
    const bare: string = withoutFullStop(words)
    wordings.add(words)
    if (bare !== '') for (const stop of ['', ...FULL_STOPS]) wordings.add(bare + stop)
    words = IN_QUOTATION_MARKS.exec(words)?.[1] ?? IN_QUOTATION_MARKS.exec(bare)?.[1]
  }
  return wordings
}
