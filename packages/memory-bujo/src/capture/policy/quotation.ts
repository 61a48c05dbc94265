import { evidenceForm, occursIn as occursInEvidence } from '../contract/quotation.js'
import type { CaptureTurn, ExtractedFactValue, MemorySourceKind } from '../types.js'
import { OWNER_ENTITY } from '../contract/bounds.js'

/** What was said in a turn, in the form in which quotes are compared; made once, since texts are long. */
export interface SpokenTexts {
  /** Empty on a turn without a verified human. */
  readonly user: readonly string[]
  readonly all: readonly string[]
}

export function spokenTexts(turn: CaptureTurn): SpokenTexts {
  const user = turn.userText === undefined ? [] : [evidenceForm(turn.userText)]
  return { user, all: [...user, evidenceForm(turn.text)] }
}

/** Whether the words of `quote` stand in what its speaker said (CAP-8). Of others than the user, that is the whole turn. */
export function isQuotedFrom(source: MemorySourceKind, quote: string, spoken: SpokenTexts): boolean {
  return occursInEvidence(quote, source === 'user' ? spoken.user : spoken.all)
}

/**
 * Whether words stand in what others said in the turn and nowhere in what the user said: then they are no evidence of the
 * user's, whatever quote of theirs they are put under. A page can have its own sentence quoted as "Summarise this page".
 */
export function isOthersWord(words: string, spoken: SpokenTexts): boolean {
  return !occursInEvidence(words, spoken.user) && occursInEvidence(words, spoken.all)
}

/** Whether `quote` stands word for word in `text`: NFKC, white space folded, case kept. An empty one stands nowhere. */
export function occursIn(quote: string, text: string): boolean {
  return occursInEvidence(quote, [evidenceForm(text)])
}

/**
 * Whether a fact's value is said in one of the texts, its own words and not a synonym (CAP-8). An entity is said by its
 * name; the owner needs no name, since who that is the host knows.
 * @param nameOf  name of an entity, by its id
 */
export function saysValue(
  value: ExtractedFactValue,
  texts: readonly string[],
  nameOf: (entityId: string) => string | undefined,
): boolean {
  return wordsOfValue(value, nameOf).every(
    (words) => words !== undefined && texts.some((text) => occursIn(words, text)),
  )
}

/** The words by which a value is said; of an entity that nobody declared there are none. */
export function wordsOfValue(
  value: ExtractedFactValue,
  nameOf: (entityId: string) => string | undefined,
): readonly (string | undefined)[] {
  switch (value.type) {
    case 'date':
      return [value.date]
    case 'text':
      return [value.text]
    case 'entity':
      return value.entityId === OWNER_ENTITY ? [] : [nameOf(value.entityId)]
    case 'relationship': {
      const { role, target } = value
      return target === OWNER_ENTITY ? [role] : [role, nameOf(target) ?? target]
    }
  }
}
