/** One fact as a memory would hold it, and two sentences to tell an embedding model by. */
export interface SentenceTriple {
  /** An everyday fact: a preference, a person, a date, a place, a plan, an identifier. */
  readonly fact: string
  /** The same fact as somebody asks for it or tells it again; it shares a name, a number or a content word with `fact`. */
  readonly paraphrase: string
  /** A fact of the same kind about another person, date or thing: related, and no answer. */
  readonly nearMiss: string
}
