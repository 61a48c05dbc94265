import type { ExtractedLabel, ExtractedMemory, Extraction } from '../types.js'
import { OWNER_ENTITY } from './bounds.js'
import { contractError } from './contract-error.js'
import { isSameScript } from './dominant-script.js'
import { extractionContract, extractionWithIntentions } from './extraction-contract.js'
import type { Fault } from './first-fault.js'
import { evidenceForm, occursIn } from './quotation.js'
import { readAnswer } from './read-answer.js'

export interface ExtractionContext {
  /** Whole texts of the turn, not as cut for the prompt: a memory's quote must occur in one of them. */
  readonly turnTexts: readonly string[]
  /** `speaker`: memories keep the script of their quotes (CAP-29); a fixed language: that is not looked at. */
  readonly language: string
  /** Whether `intentState` is a field (CAP-24). */
  readonly intentLifecycle: boolean
}

/**
 * Reads the answer of the extract call (CAP-6, CAP-7). Values stay as they are said; `person:owner` alone is left out of
 * `entities`, since the host declares it.
 * @throws {ContractError}
 */
export function parseExtraction(completion: string, context: ExtractionContext): Extraction {
  const schema = context.intentLifecycle ? extractionWithIntentions : extractionContract
  const extraction = readAnswer<Extraction>('extract', completion, schema)
  const fault = referenceFault(extraction) ?? evidenceFault(extraction.memories, context)
  if (fault !== undefined) throw contractError('extract', fault.reason, fault.path)
  return { ...extraction, entities: extraction.entities.filter(({ id }) => id !== OWNER_ENTITY) }
}

function referenceFault({ memories, entities, relations }: Extraction): Fault | undefined {
  const declared = new Set<string>([OWNER_ENTITY])
  const seen = new Set<string>()
  for (const [at, { id, type }] of entities.entries()) {
    if (type !== id.slice(0, id.indexOf(':'))) return { reason: 'type_invalid', path: ['entities', at, 'type'] }
    if (seen.has(id)) return { reason: 'entity_declared_twice', path: ['entities', at, 'id'] }
    seen.add(id)
    declared.add(id)
  }
  for (const [at, memory] of memories.entries()) {
    const path = ['memories', at]
    if (isRepeating(memory.entities)) return { reason: 'reference_repeated', path: [...path, 'entities'] }
    if (memory.entities.some((id) => !declared.has(id)))
      return { reason: 'entity_undeclared', path: [...path, 'entities'] }
    for (const [place, label] of memory.labels.entries())
      if (entitiesOf(label).some((id) => !declared.has(id)))
        return { reason: 'entity_undeclared', path: [...path, 'labels', place] }
  }
  for (const [at, { src, dst, memories: supporters }] of relations.entries()) {
    const path = ['relations', at]
    if (!declared.has(src) || !declared.has(dst)) return { reason: 'entity_undeclared', path }
    if (isRepeating(supporters)) return { reason: 'reference_repeated', path: [...path, 'memories'] }
    if (supporters.some((place) => place >= memories.length))
      return { reason: 'out_of_range', path: [...path, 'memories'] }
  }
  return undefined
}

function entitiesOf(label: ExtractedLabel): string[] {
  if (label.kind !== 'fact') return []
  return label.value.type === 'entity' ? [label.entity, label.value.entityId] : [label.entity]
}

function isRepeating(references: readonly unknown[]): boolean {
  return new Set(references).size < references.length
}

/** Quotes of labels are judged by the host's gates: an unsupported label is dropped, and its memory kept (CAP-8). */
function evidenceFault(memories: readonly ExtractedMemory[], context: ExtractionContext): Fault | undefined {
  const evidence = context.turnTexts.map(evidenceForm)
  for (const [at, { quote, text }] of memories.entries()) {
    if (!occursIn(quote, evidence)) return { reason: 'quote_not_in_turn', path: ['memories', at, 'quote'] }
    if (context.language === 'speaker' && !isSameScript(text, quote))
      return { reason: 'language_mismatch', path: ['memories', at, 'text'] }
  }
  return undefined
}
