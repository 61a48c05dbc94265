import { cutAtGrapheme } from '@mono-agent/memory-store'
import { familyOf } from './model-families.js'

/** UTF-8 bytes that a text with its instruction may have. */
export interface ContextLimit {
  /** Fits, but for text that the tokenizer of the model splits finely. */
  readonly likelyBytes: number
  /** Fits whatever the text: no token is shorter than one byte. */
  readonly certainBytes: number
}

/** Tokenizers make a token of three to six bytes of prose, in the languages they were made for. */
const LIKELY_BYTES_A_TOKEN = 3
/** Tokens for beginning, end and the like. */
const SPECIAL_TOKENS = 8
/** What nearly every model takes; and more than any sentence of a memory needs (2,048 bytes). */
const UNKNOWN = { likelyTokens: 2_048, certainTokens: 512 }

/** The limit of a model (SEA-3): by the configured context, else its family's, else a guess. @param contextTokens from 16 */
export function contextLimitOf(model: string, contextTokens?: number): ContextLimit {
  const tokens = contextTokens ?? familyOf(model)?.contextTokens
  return {
    likelyBytes: ((tokens ?? UNKNOWN.likelyTokens) - SPECIAL_TOKENS) * LIKELY_BYTES_A_TOKEN,
    certainBytes: (tokens ?? UNKNOWN.certainTokens) - SPECIAL_TOKENS,
  }
}

/**
 * The longest beginning of `text` of at most `maxBytes` that ends between grapheme clusters; between code points if the
 * first cluster alone is longer, since a text without any of it would have no vector. @param maxBytes from 4
 */
export function cutToContext(text: string, maxBytes: number): string {
  const cut = cutAtGrapheme(text, maxBytes)
  if (cut !== '' || text === '') return cut
  // A decoder that waits for more leaves out the character that the cut has split.
  const beginning = Buffer.from(text.slice(0, maxBytes)).subarray(0, maxBytes)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(beginning, { stream: true })
}
