import type { RecallSection } from '@mono-agent/memory-store'
import { fold } from '@mono-agent/memory-search'
import { factMarks } from './fact-marks.js'
import { factWords, nameOf } from './fact-words.js'
import { shownText } from './shown-text.js'
import type { EntityNames, StatedFact } from './types.js'

/** Entities whose facts a sheet shows. */
export const MAX_SHEET_ENTITIES = 4
/** Facts of one entity, current ones first. */
export const MAX_SHEET_FACTS = 12
/** UTF-8 bytes of a fact's words, and of the name of an entity. */
export const MAX_FACT_BYTES = 360
/** UTF-8 bytes of a sheet, heading included. */
export const MAX_SHEET_BYTES = 3_072

const HEADING = 'Fact sheet: what memories say of the entities in question; what is not current is history.'
/** Room for the line that says how many facts are left out. */
const MORE_BYTES = 64

/**
 * Labelled facts by entity, in the order in which entities and facts are given, of each entity those that are current before
 * the others (REC-6). A fact that several memories state alike is shown once, as the first of them. What does not fit is
 * left out whole, and how much that is is said. Undefined without facts.
 */
export function factSheet(facts: readonly StatedFact[], names: EntityNames): RecallSection | undefined {
  const groups = byEntity(distinct(facts, names))
  const lines = [HEADING]
  let bytes = Buffer.byteLength(HEADING) + MORE_BYTES
  let shown = 0
  const fits = (line: string): boolean => bytes + Buffer.byteLength(line) + 1 <= MAX_SHEET_BYTES
  const add = (line: string): void => {
    lines.push(line)
    bytes += Buffer.byteLength(line) + 1
  }
  for (const [entityId, stated] of [...groups].slice(0, MAX_SHEET_ENTITIES)) {
    const title = `${shownText(nameOf(entityId, names), MAX_FACT_BYTES)} (${shownText(entityId, MAX_FACT_BYTES)}):`
    const ordered = [...stated.filter(({ isCurrent }) => isCurrent), ...stated.filter(({ isCurrent }) => !isCurrent)]
    let isTitled = false
    for (const fact of ordered.slice(0, MAX_SHEET_FACTS)) {
      const line = `- ${shownText(factWords(fact, names), MAX_FACT_BYTES)} (${factMarks(fact)})`
      if (!fits(isTitled ? line : `${title}\n${line}`)) continue
      if (!isTitled) add(title)
      isTitled = true
      add(line)
      shown++
    }
  }
  if (shown === 0) return undefined
  const left = [...groups.values()].reduce((sum, { length }) => sum + length, 0) - shown
  return { kind: 'fact_sheet', text: [...lines, ...(left > 0 ? [`(${left} more, not shown)`] : [])].join('\n') }
}

function byEntity(facts: readonly StatedFact[]): Map<string, StatedFact[]> {
  const groups = new Map<string, StatedFact[]>()
  for (const fact of facts) groups.set(fact.entityId, [...(groups.get(fact.entityId) ?? []), fact])
  return groups
}

/** One of those that say the same with the same standing and the same voucher. */
function distinct(facts: readonly StatedFact[], names: EntityNames): StatedFact[] {
  const seen = new Set<string>()
  return facts.filter((fact) => {
    const { entityId, key, isCurrent, endedOn, attribution } = fact
    const said = JSON.stringify([entityId, key, fold(factWords(fact, names)), isCurrent, endedOn, attribution])
    return !seen.has(said) && seen.add(said)
  })
}
