import { nameWords } from './analyzer.js'
import { MAX_ANCHORS } from './anchors.js'
import { MAX_QUERY_LENGTH } from './match-expression.js'

/** Shorter words of a name do not name anyone by themselves (SEA-13). */
const MIN_LETTERS = 3

/** The words of a name that can be an anchor: whole, folded, of at least three letters. */
export const anchorWords = (name: string): string[] =>
  nameWords(name).filter((word) => Array.from(word).length >= MIN_LETTERS)

/**
 * How much of what a query names each candidate is about, 0..1 (SEA-13). A word of the query is a name if it stands in the
 * name of an entity of any of the candidates; each counts alike, the first ones only.
 * @param namesOf  the names of the entities of each candidate that has some
 * @returns the candidates that are about any of them
 */
export function nameShares<Key>(query: string, namesOf: ReadonlyMap<Key, readonly string[]>): Map<Key, number> {
  if (namesOf.size === 0) return new Map()
  const asked = anchorWords(query.slice(0, MAX_QUERY_LENGTH))
  const wordsOfName = new Map<string, readonly string[]>()
  const wordsOf = (name: string): readonly string[] => {
    const known = wordsOfName.get(name) ?? anchorWords(name)
    wordsOfName.set(name, known)
    return known
  }
  const held = new Map([...namesOf].map(([key, names]) => [key, new Set(names.flatMap(wordsOf))] as const))
  const all = new Set([...held.values()].flatMap((words) => [...words]))
  const anchors = asked.filter((word) => all.has(word)).slice(0, MAX_ANCHORS)
  const shares = [...held].map(([key, words]): [Key, number] => [
    key,
    anchors.filter((word) => words.has(word)).length / anchors.length,
  ])
  return new Map(anchors.length === 0 ? [] : shares.filter(([, share]) => share > 0))
}
