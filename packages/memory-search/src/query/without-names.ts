import { fold } from './fold.js'
import { lazyPattern } from './lazy-pattern.js'

/** Words shorter than this stay: `de` is part of a name and of half of all sentences. */
const MIN_NAME_LENGTH = 3

const LETTER = lazyPattern(String.raw`[\p{L}\p{N}]`, 'u')
const WORD = lazyPattern(String.raw`[\p{L}\p{M}\p{N}]+(?:['’][sS])?(?![\p{L}\p{M}\p{N}])`, 'gu')

/**
 * A query without the names of the authors it asks about: who spoke is judged by a signal of its own, and a name that
 * begins half of all records outweighs, in the vector of a weak model, what the query is about. A query that is nothing
 * but names stays whole.
 * @param names  folded words, as `nameWords` gives them
 */
export function withoutNames(query: string, names: readonly string[]): string {
  const taken = new Set(names.filter((name) => Array.from(name).length >= MIN_NAME_LENGTH))
  if (taken.size === 0) return query
  const rest = query.replace(WORD(), (word) => (taken.has(fold(word.replace(/['’]s$/iu, ''))) ? '' : word))
  return LETTER().test(rest) ? rest.replace(/\s+/gu, ' ').trim() : query
}
