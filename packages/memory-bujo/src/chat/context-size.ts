import { ChatError } from './errors.js'

/** Bytes of UTF-8 that a token has at least, in about every script and vocabulary; in English it has more than 4. */
const BYTES_PER_TOKEN = 3
/** For the answer, and what a model thinks before it. */
const ANSWER_TOKENS = 4_096
export const LEAST_CONTEXT_TOKENS = 8_192
/** What the largest models of today look at; a model with less takes its own. */
const MOST_TOKENS = 131_072

/**
 * Tokens of context to ask Ollama for. Its own default holds 4,096 on most machines, and what is over that is cut from the
 * prompt without a word: the contract, or the turn. Powers of two, for the model is loaded anew whenever it changes.
 * @param texts  all that is sent
 * @throws {ChatError} `chat_prompt_too_long`: more than any model there looks at
 */
export function contextTokensFor(texts: readonly string[]): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const needed = Math.ceil(bytes / BYTES_PER_TOKEN) + ANSWER_TOKENS
  if (needed > MOST_TOKENS) throw new ChatError('chat_prompt_too_long', { detail: `${bytes} bytes` })
  return Math.max(LEAST_CONTEXT_TOKENS, 2 ** Math.ceil(Math.log2(needed)))
}
