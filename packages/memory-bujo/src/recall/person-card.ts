import { parseInstant, type ContextBlock, type ContextLine, type FactKey } from '@mono-agent/memory-store'
import { fold, type IndexedEntity } from '@mono-agent/memory-search'
import { ageOn } from './age.js'
import { civilDay } from './civil-day.js'
import { conflictsOf } from './evidence-note.js'
import { factMarks } from './fact-marks.js'
import { factWords, keyWords } from './fact-words.js'
import { isExpiredIntent } from './intent-expiry.js'
import { shownText } from './shown-text.js'
import type { EntityNames, StatedFact, Vantage } from './types.js'

/** Lines of one card; a person of whom more is known is looked up (REC-17). */
export const MAX_CARD_LINES = 20
/** UTF-8 bytes of a fact's words in a line, and of the person's name. */
export const MAX_CARD_WORDS_BYTES = 360
const MAX_NAME_BYTES = 160

/** Nobody vouches for what the assistant inferred (REC-17). */
const VOUCHED: readonly StatedFact['attribution'][] = ['user-stated', 'document']
/** In this order, then the `other:` keys by name. */
const KEYS: readonly FactKey[] = [
  'full_name',
  'preferred_name',
  'birth_date',
  'relationship',
  'home_location',
  'work_location',
]

/**
 * What is known of a person that a message names (REC-17): current facts that a person or a document stated, of all keys,
 * whatever is asked. Of values that are the same the voucher that counts most is named, then the newest; where they differ
 * nobody decides here, and the card says to ask. Without where it was said. Undefined where there are none.
 * @param facts  of any entities, in any order  @param names  of the entities that are values
 */
export function personCard(
  { id, name }: Pick<IndexedEntity, 'id' | 'name'>,
  facts: readonly StatedFact[],
  vantage: Vantage,
  names: EntityNames,
): ContextBlock | undefined {
  const shown = facts
    .filter(({ entityId, isCurrent, attribution }) => entityId === id && isCurrent && VOUCHED.includes(attribution))
    .filter(({ memory }) => !isExpiredIntent(memory, vantage))
    .map((fact) => ({ fact, words: factWords(fact, names) }))
    .sort((a, b) => byWeight(a.fact, b.fact) || compare(a.words, b.words))
  const conflicts = new Map(
    conflictsOf(
      shown.map(({ fact }) => fact),
      names,
    ).map((values) => [(values[0] as StatedFact).key, values]),
  )
  const lines = new Map<string, ContextLine>()
  for (const { fact, words } of shown) {
    const values = conflicts.get(fact.key)
    const line =
      values === undefined
        ? ([fold(words), factLine(fact, words, vantage)] as const)
        : ([fact.key, conflictLine(fact.key, values)] as const)
    if (!lines.has(line[0])) lines.set(...line)
  }
  if (lines.size === 0) return undefined
  const heading = `Known of ${shownText(name, MAX_NAME_BYTES)} (${shownText(id)}), may be outdated:`
  return { kind: 'person', heading, lines: [...lines.values()].slice(0, MAX_CARD_LINES) }
}

function factLine(fact: StatedFact, words: string, vantage: Vantage): ContextLine {
  const shown = shownText(words, MAX_CARD_WORDS_BYTES)
  return { text: `- ${shown}${ageWords(fact, vantage)} (${factMarks(fact)})`, memoryIds: [fact.memory.id] }
}

function ageWords({ key, value }: StatedFact, { at, timeZone }: Vantage): string {
  const age = key === 'birth_date' && value.type === 'date' ? ageOn(value.date, civilDay(at, timeZone)) : undefined
  return age === undefined ? '' : `, age ${age}`
}

function conflictLine(key: FactKey, values: readonly StatedFact[]): ContextLine {
  const memoryIds = [...new Set(values.map(({ memory }) => memory.id))]
  return { text: `- ${shownText(keyWords(key))}: conflicting values — ask`, memoryIds }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const placeOf = (key: FactKey): number => (KEYS.includes(key) ? KEYS.indexOf(key) : KEYS.length)
const recordedAt = ({ memory }: StatedFact): number => parseInstant(memory.createdAt) ?? 0

function byWeight(a: StatedFact, b: StatedFact): number {
  return (
    placeOf(a.key) - placeOf(b.key) ||
    compare(a.key, b.key) ||
    VOUCHED.indexOf(a.attribution) - VOUCHED.indexOf(b.attribution) ||
    recordedAt(b) - recordedAt(a) ||
    compare(a.memory.id, b.memory.id)
  )
}
