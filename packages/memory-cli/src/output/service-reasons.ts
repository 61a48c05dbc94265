import { BUJO_ERRORS, CHAT_ERRORS, EMBEDDING_ERRORS } from '@mono-agent/memory-bujo'

/** Reasons of a degraded answer that are no codes of an error. */
const REASONS: Readonly<Record<string, string>> = {
  embedding_slow: 'The embedding service did not answer in time.',
  vectors_pending: 'Some memories still wait for their vector and were judged by words alone.',
  configuration_needed: 'Without a configuration the embedding service of this store is not known.',
}

const ERRORS: Readonly<Record<string, string>> = {
  ...EMBEDDING_ERRORS,
  ...CHAT_ERRORS,
  model_output_invalid: BUJO_ERRORS.model_output_invalid,
}

/** What a code of a service's trouble means, with the code, as one line for people. */
export function reasonInWords(code: string): string {
  const words = REASONS[code] ?? ERRORS[code]
  return words === undefined ? code : `${words} (${code})`
}

/** Said of an answer that is not what the tier promises (SEA-14). */
export function degradedNote(code: string): string {
  const lead = code === 'vectors_pending' ? 'note' : 'note: answered by words alone'
  return `${lead}: ${reasonInWords(code)}`
}
