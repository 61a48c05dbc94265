import type { Attribution } from '@mono-agent/memory-store'

/** How a line says who vouches for what it says; `unknown`, and labels that disagree, are not said (REC-14). */
export const ATTRIBUTION_WORDS: Readonly<Record<Exclude<Attribution, 'unknown'>, string>> = {
  'user-stated': 'you said',
  document: 'from a document',
  'assistant-inferred': 'assistant noted',
}

/** How a line says when it was recorded: this word, a space, the day. */
export const RECORDED = 'recorded'

/** What a line says that has no conversation id (REC-16). */
export const UNKNOWN_SOURCE = 'source conversation unknown'
