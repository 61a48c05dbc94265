/** Words of a name shorter than this do not name anyone by themselves (`de`, `Al`); the whole name does. */
const MIN_NAME_WORD = 3

/**
 * The words of a speaker's name that a query names: all of them count once one of at least three letters, or the whole
 * name, is there.
 * @param speakerWords  `nameWords` of the speaker  @param queryWords  `nameWords` of the query
 */
export function namedWords(speakerWords: readonly string[], queryWords: ReadonlySet<string>): number {
  const named = speakerWords.filter((word) => queryWords.has(word))
  const isNamed = named.length === speakerWords.length || named.some((word) => Array.from(word).length >= MIN_NAME_WORD)
  return isNamed ? named.length : 0
}

/**
 * How well the author of a record is the person a query names (SEA-10): 1 for the best of the candidates, less for one who
 * shares only part of the name with them (`Anna Meyer` where `Anna Schmidt` was asked for).
 */
export function actorFit(named: number, mostNamed: number): number {
  return mostNamed === 0 ? 0 : named / mostNamed
}
