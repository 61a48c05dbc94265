/**
 * A pattern that is made when it is first used. What names sets of letters of all scripts takes the platform the better part
 * of a millisecond, as often as it is read, made and first run: some thirty of them were a quarter of the time that a thread
 * needs to start, and most are for texts that a question is not.
 * @param source  as between the slashes of a literal: use `String.raw`
 */
export function lazyPattern(source: string, flags: string): () => RegExp {
  let made: RegExp | undefined
  return () => (made ??= new RegExp(source, flags))
}
