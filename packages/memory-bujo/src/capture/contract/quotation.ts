import { normaliseContent } from '@mono-agent/memory-store'
import { standsIn } from './stands-in.js'

/** What FMT-5 refuses and nobody sees: control characters but white space, bidi controls, zero-width space, BOM, tags. */
const UNSEEN = /[\p{Bidi_Control}\u200B\uFEFF\u{E0000}-\u{E007F}]|(?!\p{White_Space})\p{Cc}/gu

/** A text as a model is shown it: a quote may not hold what is not seen, though right-to-left texts are full of it. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, '')
}

/** The form in which quotes and turns are compared (CAP-8): without what is not seen, NFKC, white space folded, case kept. */
export function evidenceForm(text: string): string {
  return normaliseContent(withoutUnseen(text))
}

/** A quotation mark or a full stop stands in every text and says nothing. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{Extended_Pictographic}]/u

/** Whether `quote` stands in one of the texts, which are in evidence form already: they are long, and asked often. */
export function occursIn(quote: string, evidence: readonly string[]): boolean {
  const words = evidenceForm(quote)
  return SAYS_SOMETHING.test(words) && evidence.some((text) => standsIn(words, text))
}
