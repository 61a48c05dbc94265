import { fold, type Calibration, type RankedMemory } from '@mono-agent/memory-search'
import { evidenceOf, type Judged } from './evidence.js'
import { factMarks } from './fact-marks.js'
import { keyWords, nameOf, valueWords } from './fact-words.js'
import { statedFacts } from './facts.js'
import { shownText } from './shown-text.js'
import type { EntityNames, StatedFact, Vantage } from './types.js'

/** Candidates that conflicts are looked for in, before anything is cut (REC-5). */
export const NOTED_CANDIDATES = 8
/** Conflicts and values of one that a note names; more are there to be found in hits and fact sheet. */
export const MAX_NOTED_CONFLICTS = 3
export const MAX_NOTED_VALUES = 4
/** UTF-8 bytes of a name or value in a note. */
export const MAX_NOTED_BYTES = 160

const INSUFFICIENT =
  'Insufficient evidence: even the best hit is only loosely related to the question and may not answer it.'

export interface EvidenceNote {
  readonly evidence: 'conflicting' | 'insufficient'
  /** One line, with stored text only as `shownText` gives it. */
  readonly note: string
}

export interface Evidence {
  /** Direct hits of a hybrid result, best first, before the cut. */
  readonly candidates: readonly RankedMemory[]
  /** Those of the fact sheet. */
  readonly facts: readonly StatedFact[]
  readonly names: EntityNames
  readonly vantage: Vantage
  readonly calibration: Calibration
}

/**
 * What has to be said of a hybrid result as a whole (REC-5): that current values differ, which counts more, or that even the
 * best hit is below the deliberate floor. Where the best waits for its vector nobody knows, and nothing is said of it; of no
 * hits there is nothing to say either.
 */
export function evidenceNote({ candidates, facts, names, vantage, calibration }: Evidence): EvidenceNote | undefined {
  const top = candidates.slice(0, NOTED_CANDIDATES).map(({ memory }) => memory)
  const conflicts = conflictsOf([...facts, ...statedFacts(top, vantage)], names)
  if (conflicts.length > 0) return { evidence: 'conflicting', note: conflictNote(conflicts, names) }
  return isInsufficient(candidates, calibration) ? { evidence: 'insufficient', note: INSUFFICIENT } : undefined
}

/** Whether even the best of these is below the deliberate floor (REC-5). @param candidates  best first, before the cut */
export function isInsufficient([best]: readonly Judged[], calibration: Calibration): boolean {
  const evidence = best === undefined ? undefined : evidenceOf(best, calibration)
  return evidence !== undefined && evidence < calibration.deliberateFloor
}

/**
 * Current facts that give one property of one entity different values: for each, one fact a value, in the order given.
 * Values that are the same word in another spelling (`Zoë`, `zoe`; an entity and its name) do not differ. Validity is the
 * scope of a fact: those of other times are not current, so they do not meet here. Relationships never conflict, for a
 * person has several, of one role too.
 */
export function conflictsOf(facts: readonly StatedFact[], names: EntityNames): StatedFact[][] {
  const properties = new Map<string, Map<string, StatedFact>>()
  for (const fact of facts) {
    if (!fact.isCurrent || fact.value.type === 'relationship') continue
    const property = `${fact.entityId} ${fact.key}`
    const values = properties.get(property) ?? new Map<string, StatedFact>()
    const value = fold(valueWords(fact.value, names)).replaceAll(/\s+/g, ' ').trim()
    if (!values.has(value)) values.set(value, fact)
    properties.set(property, values)
  }
  return [...properties.values()].filter(({ size }) => size > 1).map((values) => [...values.values()])
}

function conflictNote(conflicts: readonly (readonly StatedFact[])[], names: EntityNames): string {
  const told = conflicts.slice(0, MAX_NOTED_CONFLICTS).map((facts) => {
    const [{ entityId, key }] = facts as readonly [StatedFact]
    const values = facts.slice(0, MAX_NOTED_VALUES).map((fact) => {
      return `${shownText(valueWords(fact.value, names), MAX_NOTED_BYTES)} (${factMarks(fact)})`
    })
    const more = facts.length - values.length
    return `${shownText(nameOf(entityId, names), MAX_NOTED_BYTES)}, ${keyWords(key)}: ${[...values, ...moreWords(more)].join(' or ')}`
  })
  return `Conflicting values: ${[...told, ...moreWords(conflicts.length - told.length)].join('; ')}. Ask which holds.`
}

const moreWords = (more: number): string[] => (more > 0 ? [`${more} more`] : [])
