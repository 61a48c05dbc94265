import type { NameToken } from './name-tokens.js'

/** Tokens of the longest name that is found in a text: words, or characters where words are not parted by spaces. */
export const MAX_NAME_TOKENS = 32

/** What is known of a key (`nameKey`). */
export interface KnownKey {
  readonly isName: boolean
  /** Longer names begin with it. */
  readonly isBeginning: boolean
}

/**
 * The keys of the names in a text, in the order in which they begin, each once. Of two that begin at one place the longer
 * one counts; one that stands wholly within another one's place does not count there (`Ana` in `Ana López`), one that only
 * overlaps it does.
 * @param look  asked for a key only where the key before it begins longer names
 */
export function namesIn(tokens: readonly NameToken[], look: (key: string) => KnownKey): string[] {
  const names = new Set<string>()
  let covered = -1 // the last token of a name that was found
  for (const [start, token] of tokens.entries()) {
    if (!token.begins) continue
    const longest = longestFrom(tokens, start, look)
    if (longest === undefined || longest.last <= covered) continue
    covered = longest.last
    names.add(longest.key)
  }
  return [...names]
}

function longestFrom(
  tokens: readonly NameToken[],
  start: number,
  look: (key: string) => KnownKey,
): { readonly key: string; readonly last: number } | undefined {
  let longest: { readonly key: string; readonly last: number } | undefined
  let key = ''
  for (let last = start; last < Math.min(start + MAX_NAME_TOKENS, tokens.length); last++) {
    const token = tokens[last] as NameToken
    key = last === start ? token.text : `${key} ${token.text}`
    const { isName, isBeginning } = look(key)
    if (isName && token.ends && !(last === start && token.isPart)) longest = { key, last }
    if (!isBeginning) break
  }
  return longest
}
