import { normaliseContent } from '@mono-agent/memory-store'

/** Formatting that is not seen: bidirectional controls, zero-width space, byte order mark. A quote may not hold it. */
const UNSEEN = /[\p{Bidi_Control}\u200B\uFEFF]/gu

/**
 * The form in which quotes and turns are compared (CAP-8): NFKC, white space folded, case kept; what FMT-5 refuses as
 * invisible is left out, since no quote can hold it while right-to-left texts often do.
 */
export function evidenceForm(text: string): string {
  return normaliseContent(text.replace(UNSEEN, ''))
}

/** Whether `quote` stands in one of the texts, which are in evidence form already: they are long, and asked often. */
export function occursIn(quote: string, evidence: readonly string[]): boolean {
  const words = evidenceForm(quote)
  return words !== '' && evidence.some((text) => text.includes(words))
}
