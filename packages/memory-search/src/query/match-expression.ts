/**
 * Distinct tokens of a query that take part; the first ones count. A question has ten to twenty; the cost of a search is
 * linear in them.
 */
export const MAX_QUERY_TOKENS = 64

/** UTF-16 units of a query that are looked at: twice what the longest sentence has. More only costs time to take apart. */
export const MAX_QUERY_LENGTH = 4_096

/** Begins the tokens that the index makes itself (`tags.ts`): the analyzer lets this noncharacter through nowhere. */
const INTERNAL = '\u{FDD0}'

const ASCII_MARK = /[!-/:-@[-`{-~]/g
/** Distance between an ASCII character and its full-width form, which NFKC leaves in no analyzed text. */
const FULL_WIDTH = 0xfee0

/**
 * A token as FTS5 sees it. Its `ascii` tokenizer parts a text at ASCII marks and spaces only, so a mark inside a token
 * is stored in its full-width form: nothing a person types can be FTS5 syntax, or be parted again.
 */
export function ftsToken(token: string): string {
  return token.replace(ASCII_MARK, (mark) => String.fromCharCode(mark.charCodeAt(0) + FULL_WIDTH))
}

/** What an FTS5 column holds for these tokens, which hold no space: all of them at once, for that costs half. */
export const ftsText = (tokens: readonly string[]): string => ftsToken(tokens.join(' '))

export const internalToken = (kind: string, value: string): string => `${INTERNAL}${kind}${value}`

/** The tokens of a query that take part: each once, the first `MAX_QUERY_TOKENS`. */
export const queryTokens = (tokens: readonly string[]): string[] => [...new Set(tokens)].slice(0, MAX_QUERY_TOKENS)

const anyOf = (tokens: readonly string[]): string => `(${tokens.map((token) => `"${ftsToken(token)}"`).join(' OR ')})`

/**
 * The MATCH expression: any of the words, and of every group in `required` at least one tag.
 * @param words  tokens; may be empty if something is required: then the tags alone choose
 */
export function matchExpression(words: readonly string[], required: readonly (readonly string[])[]): string {
  return [...required, ...(words.length === 0 ? [] : [words])].map(anyOf).join(' AND ')
}
